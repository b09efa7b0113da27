//! The options of breadth-first search.

use std::sync::Arc;

use equipoise_graph::Graph;
use equipoise_select::Model;

use crate::{
    Error, NONE, Result,
    rows::Rows,
    traversal::{IterationPlan, Policy, Strategy, TraversalSettings},
};

/// The options of a breadth-first search.
///
/// ```
/// use equipoise::bfs::BfsOptions;
///
/// let options = BfsOptions { max_depth: Some(2), ..BfsOptions::default() };
/// assert_eq!(options.target, None);
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BfsOptions {
    /// How levels are found.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_parser = Strategy::parser(Strategy::BFS), default_value_t)
    )]
    pub strategy: Strategy,
    /// How the strategy auto decides.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub policy: Policy,
    /// Stop at this many edges from the source.
    ///
    /// Vertices beyond are not settled.
    #[cfg_attr(feature = "clap", arg(long, value_name = "LEVELS"))]
    pub max_depth: Option<u32>,
    /// Stop after the level that reaches this vertex. Vertices up to and including that level are
    /// settled ([`Bfs::is_settled`](super::Bfs::is_settled)), those beyond are not.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub target: Option<u32>,
    /// A strategy for each level, on a GPU; `strategy` is ignored then.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub plan: Option<IterationPlan>,
    /// A model that chooses the strategy of each level; `strategy` is ignored then. On a GPU, a model with other candidates
    /// than `fused-push` and `fused-pull` synchronises with the host every level.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub model: Option<Arc<Model>>,
    /// On a GPU, do not record parents during the search: finding them afterwards, on demand, takes longer.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub levels_only: bool,
    /// Settings of strategies on a GPU.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub gpu: TraversalSettings,
}

impl BfsOptions {
    /// Whether a search that found these levels has reached all reachable vertices.
    pub(crate) fn is_complete(&self, graph: &Graph, levels: &[u32]) -> bool {
        let is_reached = |vertex: u32| levels[vertex as usize] != NONE;
        let stops = self.max_depth.is_some() || self.target.is_some();
        !stops || !Rows::new(graph).leads_out(is_reached)
    }

    /// Fails where a number is out of its range, or the strategy is another algorithm's.
    pub(crate) fn check(&self) -> Result<()> {
        self.gpu.check()?;
        self.strategy.check_among(Strategy::BFS, "bfs")
    }

    /// Fails where searches in a batch do not have an option, on any device.
    pub(crate) fn check_batch(&self) -> Result<()> {
        let is_learned = self.model.is_some() || self.policy == Policy::Learned;
        if self.target.is_some() || self.plan.is_some() || is_learned {
            return Err(Error::Option(
                "searches in a batch have no target, no plan and no model".into(),
            ));
        }
        Ok(())
    }

    /// Fails where only a GPU has an option.
    pub(super) fn check_cpu(&self) -> Result<()> {
        use Strategy::{Auto, DirectionOptimising, Node};
        match (&self.plan, self.strategy) {
            (Some(_), _) => Err(Error::Option("a plan of strategies needs a GPU".into())),
            (None, Auto | DirectionOptimising | Node) => Ok(()),
            (None, strategy) => Err(Error::Option(format!(
                "the strategy `{strategy}` needs a GPU; the cpu has: `auto`, \
                 `direction-optimising`, `node`"
            ))),
        }
    }
}
