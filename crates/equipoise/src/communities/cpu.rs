//! Communities on the cpu.

use std::time::Duration;

use equipoise_graph::{Graph, cancel::Cancel};

use super::{
    Communities, CommunitiesOptions, CommunitiesStrategy, label_propagation, louvain,
    undirected::UndirectedGraph,
};
use crate::{
    Result, Times,
    times::{timed, times_of_steps},
};

/// Finds communities in a sound graph.
pub(super) fn communities(graph: &Graph, options: &CommunitiesOptions) -> Result<Communities> {
    let (undirected, prepare) = timed(|| UndirectedGraph::new(graph));
    run(&undirected?, options, prepare)
}

/// Finds communities in an undirected graph, which was built in the time `prepare`.
pub(super) fn run(
    graph: &UndirectedGraph,
    options: &CommunitiesOptions,
    prepare: Duration,
) -> Result<Communities> {
    let find = || match options.strategy {
        CommunitiesStrategy::LabelPropagation => label_propagation::run(graph, options),
        _ => louvain::run(graph, options),
    };
    let (partition, run) = timed(|| in_pool(find));
    let partition = partition?;
    let times = Times { prepare, ..times_of_steps(&partition.steps, run) };
    Ok(Communities::new(graph, partition, options, times))
}

/// Runs work on a thread of the pool: sharing the work of each of thousands of batches from another thread takes longer.
pub(super) fn in_pool<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let cancel = Cancel::current();
    rayon::scope(|_| cancel.watch(work))
}
