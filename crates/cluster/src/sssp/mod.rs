//! Shortest paths from one source, for nonnegative weights.
//!
//! Near-far, with light and heavy edges as in delta-stepping \[1\]: a step settles the vertices within `delta` of the nearest
//! unsettled vertex on all ranks. Each rank relaxes its light edges, which are shorter than `delta`, nearest vertices first,
//! until the step is empty; then it offers improved distances of mirrors to their owners, each with its predecessor. This
//! repeats until no owner takes an offer within the step. Then distances are final, and heavy edges are relaxed once. When few
//! edges are left, the rest is one step \[2\].
//!
//! A distance is the minimum of all sums along paths, added up from the source. It does not depend on the order of relaxation:
//! distances are equal on any number of ranks, even if sums are rounded.
//!
//! A rank uses one thread: start one rank per core.
//!
//! \[1\] Ulrich Meyer, Peter Sanders: "Δ-stepping: a parallelizable shortest path algorithm". Journal of Algorithms
//! 49(1), 2003.
//!
//! \[2\] Venkatesan Chakaravarthy et al.: "Scalable Single Source Shortest Path Algorithms for Massively Parallel Systems".
//! International Parallel and Distributed Processing Symposium (IPDPS), 2014.

mod buckets;
mod cycle;
mod distance;
mod prepare;
mod rows;
mod search;
mod verify;

use equipoise_graph::{Weights, memory};

pub use self::distance::Distances;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub(crate) use self::prepare::first_missed;
pub(crate) use self::search::Found;
use self::{
    distance::{Distance, Ones},
    rows::Rows,
    search::search,
};
use crate::{Comm, DistGraph, Error, Reduction, Result, Trace, agree};

/// The options of a search for shortest paths.
///
/// ```
/// use equipoise_cluster::SsspOptions;
///
/// let options = SsspOptions { delta: Some(16.0) };
/// assert_eq!(SsspOptions::default().delta, None);
/// # drop(options);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SsspOptions {
    /// The width of a step; by default, it depends on the graph's weights and degrees.
    pub delta: Option<f64>,
}

/// Shortest paths from one source to the vertices of this rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Sssp {
    /// The source.
    pub source: u64,
    /// The distance of each vertex of this rank: sums in `u32`, in `u64` if they do not fit, or in the floating-point type of
    /// the weights, added up edge by edge from the source. The type is equal on all ranks.
    pub distances: Distances,
    /// The predecessor of each vertex on a shortest path, any of several. The source is its own predecessor; unreached vertices
    /// have [`NONE`](crate::NONE).
    pub predecessors: Vec<u64>,
    /// The number of vertices reached on all ranks, the source included.
    pub reached: u64,
    /// The number of directed edges that leave reached vertices, on all ranks.
    pub edges: u64,
    /// The width of a step.
    pub delta: f64,
    /// The steps of this rank.
    pub trace: Trace,
}

/// Finds shortest paths from `source` to every vertex; all ranks call it. [`ShortestPaths`] searches from many sources.
///
/// ```
/// use equipoise_cluster::{Alone, DistGraph, Distances, EdgeSlice, NONE, SsspOptions, sssp};
///
/// let slice = EdgeSlice {
///     sources: vec![0, 0, 2, 3],
///     targets: vec![1, 2, 1, 0],
///     weights: Some(vec![7u32, 1, 2, 1].into()),
///     ..EdgeSlice::new(4)
/// };
/// let graph = DistGraph::build(&Alone, slice)?;
/// let paths = sssp(&Alone, &graph, 0, &SsspOptions::default())?;
/// assert_eq!(paths.distances, Distances::U32(vec![0, 3, 1, u32::MAX]));
/// assert_eq!(paths.predecessors, [0, 2, 0, NONE]);
/// paths.verify(&Alone, &graph)?;
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
pub fn sssp(
    comm: &dyn Comm,
    graph: &DistGraph,
    source: u64,
    options: &SsspOptions,
) -> Result<Sssp> {
    ShortestPaths::new(comm, graph, options)?.search(source)
}

/// Searches for shortest paths from many sources, one after the other. Without weights, each edge has length 1.
///
/// In addition to the graph, needs 8 bytes per edge, 32 bytes per vertex and 8 bytes per mirror, more for weights of 64 bits,
/// and the entries of buckets: at most one per edge, rarely more than one per vertex.
///
/// ```
/// use equipoise_cluster::{Alone, DistGraph, EdgeSlice, ShortestPaths, SsspOptions};
///
/// let slice = EdgeSlice { sources: vec![0, 1], targets: vec![1, 2], ..EdgeSlice::new(3) };
/// let graph = DistGraph::build(&Alone, slice)?;
/// let paths = ShortestPaths::new(&Alone, &graph, &SsspOptions::default())?;
/// assert_eq!(paths.search(0)?.distances.get(2), Some(2.0));
/// assert_eq!(paths.search(1)?.distances.get(2), Some(1.0));
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
pub struct ShortestPaths<'a> {
    comm: &'a dyn Comm,
    graph: &'a DistGraph,
    delta: f64,
    rows: AnyRows,
}

/// Rows by the type of weights.
enum AnyRows {
    Whole(Rows<u32>),
    F32(Rows<f32>),
    F64(Rows<f64>),
}

impl<'a> ShortestPaths<'a> {
    /// Prepares a graph for searches; all ranks call it.
    ///
    /// Fails if a weight is negative, infinite or not a number, `delta` is not a number above zero, or memory is short.
    pub fn new(comm: &'a dyn Comm, graph: &'a DistGraph, options: &SsspOptions) -> Result<Self> {
        ready(comm, graph, options)?;
        let delta = options.delta.unwrap_or_else(|| prepare::automatic_delta(comm, graph));
        let rows = match graph.local.weights() {
            None => AnyRows::Whole(Rows::new::<u32, _>(graph, Ones, delta)),
            Some(Weights::U32(all)) => AnyRows::Whole(Rows::new::<u32, _>(graph, &all[..], delta)),
            Some(Weights::F32(all)) => AnyRows::F32(Rows::new::<f32, _>(graph, &all[..], delta)),
            Some(Weights::F64(all)) => AnyRows::F64(Rows::new::<f64, _>(graph, &all[..], delta)),
        };
        Ok(Self { comm, graph, delta, rows })
    }

    /// Finds shortest paths from `source` to every vertex; all ranks call it.
    ///
    /// Fails if the source is not a vertex of the graph, or the distance of a vertex that can be reached is more than
    /// floating-point weights hold.
    pub fn search(&self, source: u64) -> Result<Sssp> {
        check_source(self.comm, self.graph, source)?;
        match &self.rows {
            AnyRows::Whole(rows) => Ok(self.whole(rows, source)),
            AnyRows::F32(rows) => self.floating(rows, source),
            AnyRows::F64(rows) => self.floating(rows, source),
        }
    }

    /// A search with weights that are whole numbers, repeated with wider distances where sums do not fit.
    fn whole(&self, rows: &Rows<u32>, source: u64) -> Sssp {
        let found = self.run::<u32>(rows, source);
        match prepare::first_missed(self.comm, self.graph, &found) {
            None => report(self.comm, self.graph, source, self.delta, found),
            Some(_) => {
                let found = self.run::<u64>(rows, source);
                report(self.comm, self.graph, source, self.delta, found)
            }
        }
    }

    /// A search with weights that are floating-point numbers. Fails if a vertex can be reached whose distance is
    /// infinite in that type.
    fn floating<F: Distance<Weight = F>>(&self, rows: &Rows<F>, source: u64) -> Result<Sssp> {
        let found = self.run::<F>(rows, source);
        match prepare::first_missed(self.comm, self.graph, &found) {
            None => Ok(report(self.comm, self.graph, source, self.delta, found)),
            Some(target) => Err(Error::TooFar { source_id: source, target_id: target }),
        }
    }

    fn run<D: Distance>(&self, rows: &Rows<D::Weight>, source: u64) -> Found<D> {
        search(self.comm, self.graph, rows, source, self.delta)
    }
}

/// The result of this rank, with the counts of all ranks.
pub(crate) fn report<D: Distance>(
    comm: &dyn Comm,
    graph: &DistGraph,
    source: u64,
    delta: f64,
    found: Found<D>,
) -> Sssp {
    let Found { distances, predecessors, trace, .. } = found;
    let [reached, edges] = count_reached(comm, graph, &distances);
    let distances = D::wrap(distances);
    Sssp { source, distances, predecessors, reached, edges, delta, trace }
}

/// Fails on all ranks if a graph cannot be searched.
pub(crate) fn ready(comm: &dyn Comm, graph: &DistGraph, options: &SsspOptions) -> Result<()> {
    agree(comm, check(graph, options).and_then(|()| prepare::check_weights(graph)))
}

/// Fails on all ranks if the source is no vertex.
pub(crate) fn check_source(comm: &dyn Comm, graph: &DistGraph, source: u64) -> Result<()> {
    let vertices = graph.partition.vertices();
    let known = if source < vertices {
        Ok(())
    } else {
        Err(Error::NoSuchVertex { vertex: source, vertices })
    };
    agree(comm, known)
}

/// Fails if an option is out of its range, or memory for a search is insufficient.
fn check(graph: &DistGraph, options: &SsspOptions) -> Result<()> {
    if let Some(delta) = options.delta
        && !(delta > 0.0 && delta < f64::INFINITY)
    {
        return Err(Error::Option(format!("`delta` is {delta}: it must be a number above zero")));
    }
    let (owned, all) = (u64::from(graph.owned()), u64::from(graph.local.vertices()));
    let edges = graph.local.edges();
    let (of_edges, of_labels) = match graph.local.weights() {
        Some(Weights::F64(_)) => {
            (memory::bytes_of::<[u64; 2]>(edges), memory::bytes_of::<[u64; 2]>(all))
        }
        _ => (memory::bytes_of::<[u32; 2]>(edges), memory::bytes_of::<[u32; 2]>(all)),
    };
    // Starts of rows, predecessors on other ranks, entries of buckets, and the result.
    let of_owned = memory::bytes_of::<[u64; 7]>(owned);
    let bytes = of_edges.saturating_add(of_labels).saturating_add(of_owned);
    Ok(memory::check(format_args!("SSSP of {owned} vertices of this rank"), bytes)?)
}

/// The numbers of reached vertices and of their edges, on all ranks.
fn count_reached<D: Distance>(comm: &dyn Comm, graph: &DistGraph, distances: &[D]) -> [u64; 2] {
    let mut counts = [0; 2];
    for (vertex, distance) in (0..).zip(distances) {
        if distance.is_reached() {
            counts[0] += 1;
            counts[1] += graph.local.degree(vertex) as u64;
        }
    }
    comm.all_reduce(&mut counts, Reduction::Sum);
    counts
}
