//! Connected components: over the edges of each rank first, then over ranks.
//!
//! Each rank joins the vertices that its own edges connect. After that, ranks exchange labels: along mirrors to their owners
//! and back, to the vertices that labels name (hooking), and from these to all vertices with such a label (pointer jumping).
//! So few rounds suffice even for long components.

mod forest;
mod labels;
mod owners;
mod verify;

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use equipoise_graph::memory::{self, bytes_of};

use self::{forest::Forest, labels::Labels, owners::to_owners};
use crate::{Comm, DistGraph, Error, Exchange, Reduction, Result, Step, Trace, agree};

/// The options of components: none.
///
/// ```
/// let options = equipoise_cluster::ComponentsOptions::default();
/// assert_eq!(options, equipoise_cluster::ComponentsOptions {});
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ComponentsOptions {}

/// The component of each vertex that this rank owns.
///
/// ```
/// use equipoise_cluster::{Alone, ComponentsOptions, DistGraph, EdgeSlice, components};
///
/// let slice = EdgeSlice { sources: vec![3, 4], targets: vec![1, 3], ..EdgeSlice::new(5) };
/// let graph = DistGraph::build(&Alone, slice)?;
/// let found = components(&Alone, &graph, &ComponentsOptions::default())?;
/// assert_eq!(found.labels, [0, 1, 2, 1, 1]);
/// assert_eq!((found.count, found.largest), (3, 3));
/// found.verify(&Alone, &graph)?;
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ComponentsResult {
    /// For each owned vertex, the smallest vertex of its component.
    pub labels: Vec<u64>,
    /// The number of components, on all ranks.
    pub count: u64,
    /// The number of vertices of the largest.
    pub largest: u64,
    /// A step for the edges of each rank, and a step per round over ranks.
    pub trace: Trace,
}

/// Finds the connected components, over edges of either direction; all ranks call it.
///
/// Self-loops, parallel edges and weights change nothing. Labels are equal on any number of ranks.
///
/// Fails on all ranks if memory is short.
///
/// ```
/// use equipoise_cluster::{Comm, ComponentsOptions, DistGraph, EdgeSlice, components, run_threads};
///
/// let labels = run_threads(2, 64, |comm| {
///     let all = EdgeSlice { sources: vec![3, 2], targets: vec![1, 0], ..EdgeSlice::new(5) };
///     let slice = if Comm::rank(comm) == 0 { all } else { EdgeSlice::new(5) };
///     let graph = DistGraph::build(comm, slice)?;
///     Ok(components(comm, &graph, &ComponentsOptions::default())?.labels)
/// });
/// let labels: Vec<Vec<u64>> = labels.into_iter().collect::<equipoise_cluster::Result<_>>()?;
/// assert_eq!(labels.concat(), [0, 1, 0, 1, 4]);
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
pub fn components(
    comm: &dyn Comm,
    graph: &DistGraph,
    _: &ComponentsOptions,
) -> Result<ComponentsResult> {
    check_memory(comm, graph)?;
    let start = Instant::now();
    let roots = Forest::new(&graph.local).into_roots();
    Ok(over_ranks(comm, graph, roots, start.elapsed()))
}

/// Fails on all ranks if memory is short.
pub(crate) fn check_memory(comm: &dyn Comm, graph: &DistGraph) -> Result<()> {
    let vertices = graph.local.vertices();
    let bytes = bytes_of::<[u64; 4]>(vertices.into());
    let check = memory::check(format_args!("the components of {vertices} vertices"), bytes);
    agree(comm, check.map_err(Error::from))
}

/// The components, given the trees of local vertices with these `roots`, which took `time` to build.
pub(crate) fn over_ranks(
    comm: &dyn Comm,
    graph: &DistGraph,
    roots: Vec<u32>,
    time: Duration,
) -> ComponentsResult {
    let mut trace = Trace::default();
    trace.steps.push(Step {
        active: graph.owned().into(),
        edges: graph.local.edges(),
        time,
        ..Step::new("local")
    });
    let mut labels = Labels::new(graph, roots);
    let mut exchange = Exchange::new(comm, graph);
    loop {
        let start = Instant::now();
        let changed = labels.round(&mut exchange);
        let mut on_all = [changed];
        exchange.all_reduce(&mut on_all, Reduction::Sum);
        let traffic = exchange.take_traffic();
        trace.steps.push(Step {
            active: changed,
            bytes: traffic.bytes,
            waited: traffic.waited,
            time: start.elapsed(),
            ..Step::new("exchange")
        });
        if on_all == [0] {
            break;
        }
    }
    let labels = labels.of_owned();
    let (count, largest) = counts(comm, graph, &labels);
    ComponentsResult { labels, count, largest, trace }
}

/// The number of labels, and the number of vertices of the most frequent one; equal on all ranks.
fn counts(comm: &dyn Comm, graph: &DistGraph, labels: &[u64]) -> (u64, u64) {
    let mut here = BTreeMap::<u64, u64>::new();
    labels.iter().for_each(|&label| *here.entry(label).or_default() += 1);
    let pairs: Vec<[u64; 2]> = here.into_iter().map(|(label, count)| [label, count]).collect();
    let outgoing = to_owners(&graph.partition, &pairs, |pair| pair[0]);
    let mut sizes = BTreeMap::<u64, u64>::new();
    for message in comm.all_to_all(&outgoing) {
        let pairs: Vec<[u64; 2]> = bytemuck::pod_collect_to_vec(&message);
        pairs.into_iter().for_each(|[label, count]| *sizes.entry(label).or_default() += count);
    }
    let (mut count, mut largest) = ([sizes.len() as u64], [sizes.into_values().max().unwrap_or(0)]);
    comm.all_reduce(&mut count, Reduction::Sum);
    comm.all_reduce(&mut largest, Reduction::Max);
    (count[0], largest[0])
}
