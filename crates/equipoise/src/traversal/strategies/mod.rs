//! The strategies of the papers for one iteration of a search, where the host chooses.
//!
//! Each is a file here, or in the folder of the only algorithm that has it. To add one: the file, its name in
//! [`Strategy`], and a line in [`all`].

pub(crate) mod decompose;
mod edge;
mod hierarchy;
mod node;
mod scan;
mod scheduled;
mod split;
mod whole;

use std::time::Duration;

use super::{
    iteration::{FrontierSize, GraphOp, Implementation, Listed, SearchState},
    options::Strategy,
};
use crate::{Error, Result, Step};

/// All strategies for an operation.
pub(super) fn all<'g, Op: GraphOp>() -> Vec<Implementation<'g, Op>> {
    // An algorithm's own strategies precede the common ones of the same name.
    let mut all = Op::own_strategies();
    let common: [Implementation<Op>; 8] = [
        Box::new(node::Node),
        Box::new(whole::WholeGraph),
        Box::new(edge::EdgeList::default()),
        Box::new(decompose::Decompose::default()),
        Box::new(split::Split::default()),
        Box::new(hierarchy::Hierarchy),
        Box::new(scan::Scan::default()),
        Box::new(scheduled::Scheduled),
    ];
    all.extend(common);
    all
}

/// The strategies of a search, with the arrays of each.
pub(crate) struct Strategies<'g, Op: GraphOp> {
    all: Vec<Implementation<'g, Op>>,
}

pub(crate) struct IterationTime {
    sub_steps: u32,
    pub total: Duration,
    /// The part that the papers count as overhead.
    overhead: Duration,
}

/// A finished iteration.
pub(crate) struct Iterated {
    /// Its step of the trace, with the time of its kernels.
    pub step: Step,
    pub target: u32,
}

impl<'g, Op: GraphOp> Strategies<'g, Op> {
    pub fn new() -> Self {
        Self { all: all() }
    }

    /// The implementation of a strategy.
    ///
    /// Fails where the algorithm does not have it.
    pub fn get(&mut self, name: Strategy) -> Result<&mut Implementation<'g, Op>> {
        let implementation = self.all.iter_mut().find(|strategy| strategy.names().contains(&name));
        implementation.ok_or_else(|| {
            Error::Option(if name.is_step() {
                format!("the strategy `{name}` is not for {}", Op::ALGORITHM)
            } else {
                format!("the strategy `{name}` is for the cpu only")
            })
        })
    }

    /// Builds what a strategy needs in addition to labels and lists.
    pub fn prepare(&mut self, name: Strategy, search: &SearchState<'g, Op>) -> Result<()> {
        self.get(name)?.prepare(name, search)
    }

    /// Launches the kernels of an iteration, and waits for their end.
    pub fn launch(
        &mut self,
        name: Strategy,
        search: &mut SearchState<'g, Op>,
    ) -> Result<IterationTime> {
        let gpu = search.gpu();
        let waited = search.waited;
        (search.examined, search.overhead) = (None, Duration::ZERO);
        let start = gpu.stopwatch();
        if !name.is_fused() {
            gpu.fill(&search.lists.count, 0)?;
            gpu.fill(&search.found, 0)?;
        }
        let sub_steps = self.get(name)?.launch(name, search)?;
        gpu.wait()?;
        let total = start.elapsed().saturating_sub(search.waited - waited);
        Ok(IterationTime { sub_steps, total, overhead: search.overhead })
    }

    /// Does an iteration, and makes the found vertices the frontier.
    pub fn advance(
        &mut self,
        name: Strategy,
        search: &mut SearchState<'g, Op>,
    ) -> Result<Iterated> {
        let FrontierSize { vertices, edges } = search.frontier;
        let IterationTime { sub_steps, total, overhead } = self.launch(name, search)?;
        let stats = search.survey()?;
        search.iteration += 1;
        search.listed = match search.listed {
            Listed::Vertices(_) => Listed::Vertices(stats.listed),
            // These lists are counted on the device.
            Listed::Own(name, launch) if name.is_fused() => Listed::Own(name, launch),
            Listed::Own(name, _) => Listed::Own(name, stats.listed),
            Listed::Nothing => Listed::Nothing,
        };
        search.frontier = stats.frontier;
        let step = Step {
            frontier: vertices.into(),
            edges: match name {
                Strategy::Pull | Strategy::FusedPull => stats.examined.into(),
                Strategy::EdgeTopology | Strategy::EdgeReverse => search.graph.edges().into(),
                _ => edges.into(),
            },
            found: stats.frontier.vertices.into(),
            sub_steps,
            time: total.saturating_sub(overhead),
            ..Step::new(search.iteration - 1, name.name())
        };
        Ok(Iterated { step, target: stats.target })
    }
}
