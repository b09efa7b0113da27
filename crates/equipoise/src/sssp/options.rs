//! The options of shortest paths.

use std::sync::Arc;

use equipoise_select::Model;

use crate::{
    Error, Result,
    traversal::{IterationPlan, Policy, Strategy, TraversalSettings},
};

/// The options of a search for shortest paths.
///
/// ```
/// use equipoise::sssp::SsspOptions;
///
/// let options = SsspOptions { delta: Some(16.0), ..SsspOptions::default() };
/// assert_eq!(options.target, None);
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SsspOptions {
    /// How shortest paths are found.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_parser = Strategy::parser(Strategy::SSSP), default_value_t)
    )]
    pub strategy: Strategy,
    /// How the strategy auto decides.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub policy: Policy,
    /// Delta and near-far: the width of a bucket or step [default: a multiple of the mean weight over the mean degree].
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "model"))]
    pub delta: Option<f64>,
    /// Near-far: widen steps that find too little parallel work, and narrow those that find more than enough.
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "model"))]
    pub adaptive: bool,
    /// Stop once the distance of this vertex is known. Vertices farther away are not settled then
    /// ([`Sssp::is_settled`](super::Sssp::is_settled)), all others are.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub target: Option<u32>,
    /// A strategy for each iteration, on a GPU; `strategy` is ignored then.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub plan: Option<IterationPlan>,
    /// A model that chooses the strategy and its width, for a graph on a device
    /// ([`LoadedGraph`](crate::LoadedGraph)); `strategy` is ignored then.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub model: Option<Arc<Model>>,
    /// Settings of strategies on a GPU.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub gpu: TraversalSettings,
}

impl SsspOptions {
    /// Fails where a number is out of its range, or the strategy is another algorithm's.
    pub(crate) fn check(&self) -> Result<()> {
        self.gpu.check()?;
        self.strategy.check_among(Strategy::SSSP, "sssp")?;
        match self.delta {
            Some(delta) if !(delta > 0.0 && delta < f64::INFINITY) => {
                Err(Error::Option(format!("`delta` is {delta}: it must be a number above zero")))
            }
            _ => Ok(()),
        }
    }

    /// Fails where only a GPU has an option.
    pub(super) fn check_cpu(&self) -> Result<()> {
        use Strategy::{Auto, Delta, Dijkstra};
        if self.model.is_some() {
            return Err(Error::Option(
                "a model chooses for a graph on a device: `LoadedGraph`".into(),
            ));
        }
        if self.adaptive {
            return Err(Error::Option("adaptive steps need a GPU".into()));
        }
        match (&self.plan, self.strategy) {
            (Some(_), _) => Err(Error::Option("a plan of strategies needs a GPU".into())),
            (None, Auto | Delta | Dijkstra) => Ok(()),
            (None, strategy) => Err(Error::Option(format!(
                "the strategy `{strategy}` needs a GPU; the cpu has: `auto`, `delta`, `dijkstra`"
            ))),
        }
    }
}
