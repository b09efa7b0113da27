//! Connected components: over the edges of each rank first, then over ranks.
//!
//! Each rank joins what its own edges connect. From then on labels travel: along mirrors to their owners and back, to the
//! vertices that labels name (as hooking does), and from these to all that have such a label (as pointer jumping does), so
//! that few rounds are enough also where components are long.

mod forest;
mod labels;
mod verify;

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use bytemuck::Pod;
use equipoise_graph::memory::{self, bytes_of};

use self::{forest::Forest, labels::Labels};
use crate::{Comm, DistGraph, Error, Exchange, Partition, Reduction, Result, Step, Trace, agree};

/// How to find components: in one way.
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
/// let slice = EdgeSlice { sources: vec![3, 4], targets: vec![1, 3], ..EdgeSlice::of(5) };
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
    /// How many components there are, on all ranks.
    pub count: u64,
    /// How many vertices the largest has.
    pub largest: u64,
    /// A step for the edges of each rank, and one for every round over ranks.
    pub trace: Trace,
}

/// Finds the connected components, over edges of either direction, on all ranks together.
///
/// Self-loops, parallel edges and weights change nothing. The labels are the same for every number of ranks.
///
/// Fails on all ranks where memory is short.
///
/// ```
/// use equipoise_cluster::{Comm, ComponentsOptions, DistGraph, EdgeSlice, components, run_threads};
///
/// let labels = run_threads(2, 64, |comm| {
///     let all = EdgeSlice { sources: vec![3, 2], targets: vec![1, 0], ..EdgeSlice::of(5) };
///     let slice = if Comm::rank(comm) == 0 { all } else { EdgeSlice::of(5) };
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
    let roots = Forest::of(&graph.local).into_roots();
    Ok(over_ranks(comm, graph, roots, start.elapsed()))
}

/// Fails on all ranks where memory is short.
pub(crate) fn check_memory(comm: &dyn Comm, graph: &DistGraph) -> Result<()> {
    let vertices = graph.local.vertices();
    let bytes = bytes_of::<[u64; 4]>(vertices.into());
    let check = memory::check(format_args!("the components of {vertices} vertices"), bytes);
    agree(comm, check.map_err(Error::from))
}

/// The components, where the edges of each rank were looked at for `time` and joined the local vertices to trees, which
/// have these `roots`.
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

/// How many labels there are, and how many vertices have the most frequent; the same on all ranks.
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

/// A message for each rank: what names vertices that it owns, in the given order, which is that of these vertices.
fn to_owners<T: Pod>(
    partition: &Partition,
    ascending: &[T],
    vertex: impl Fn(&T) -> u64,
) -> Vec<Vec<u8>> {
    let mut rest = ascending;
    let message = |rank| {
        let end = partition.range(rank).end;
        let (here, after) = rest.split_at(rest.partition_point(|item| vertex(item) < end));
        rest = after;
        bytemuck::cast_slice(here).to_vec()
    };
    (0..partition.ranks()).map(message).collect()
}
