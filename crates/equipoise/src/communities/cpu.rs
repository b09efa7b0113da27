//! Communities on the cpu.

use std::time::Duration;

use equipoise_graph::Graph;

use super::{
    Communities, CommunitiesOptions, CommunitiesStrategy, label_propagation, louvain,
    weighted::Weighted,
};
use crate::{Result, Times, times::timed};

/// Finds communities in a sound graph.
pub(super) fn communities(graph: &Graph, options: &CommunitiesOptions) -> Result<Communities> {
    let (weighted, prepare) = timed(|| Weighted::of(graph));
    communities_of(&weighted?, options, prepare)
}

/// Finds communities in a graph that was made in the time given.
pub(super) fn communities_of(
    weighted: &Weighted,
    options: &CommunitiesOptions,
    prepare: Duration,
) -> Result<Communities> {
    let (found, run) = timed(|| match options.strategy {
        CommunitiesStrategy::LabelPropagation => label_propagation::run(weighted, options),
        _ => louvain::run(weighted, options),
    });
    let found = found?;
    let kernel = found.steps.iter().map(|step| step.time).sum();
    let overhead = run.saturating_sub(kernel);
    let times = Times { prepare, kernel, overhead, ..Times::default() };
    Ok(Communities::of(weighted, found, options, times))
}
