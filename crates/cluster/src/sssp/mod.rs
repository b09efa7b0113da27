//! Shortest paths from one source, for weights that are zero or more.
//!
//! Near-far in buckets, as delta-stepping has them \[1\]: a rank keeps the vertices whose distance has improved in
//! buckets that are `delta` wide. In a step it works on the first few buckets of all ranks, in their order, until they
//! hold nothing more; the rest is far. Distances of other ranks' vertices that improved on the way are then offered to
//! their owners, each once, with the vertex that the offer came over. So a distance and a predecessor travel only where
//! they are better than all that the rank knew.
//!
//! A distance is the least of all sums along paths, each added up from the source on. That does not depend on the order
//! of the work, so that distances are the same for any number of ranks, also where sums are rounded.
//!
//! A rank does this on one thread: start one on each core.
//!
//! \[1\] Ulrich Meyer, Peter Sanders: "Δ-stepping: a parallelizable shortest path algorithm". Journal of Algorithms
//! 49(1), 2003.

mod buckets;
mod cycle;
mod distance;
mod prepare;
mod search;
mod verify;

use equipoise_graph::{Weights, memory};

use self::{
    distance::{Distance, EdgeWeights, Ones},
    search::{Found, search},
};
use crate::{Comm, DistGraph, Error, Reduction, Result, Trace, agree};

/// What a search for shortest paths should do.
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
    /// The width of a bucket; without it, one that suits the graph's weights and degrees.
    pub delta: Option<f64>,
}

/// Lengths of shortest paths, in the type that the weights ask for.
///
/// ```
/// use equipoise_cluster::Distances;
///
/// let distances = Distances::U32(vec![0, 7, u32::MAX]);
/// assert_eq!((distances.get(1), distances.get(2), distances.len()), (Some(7.0), None, 3));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Distances {
    /// Sums of whole weights; `u32::MAX` where there is no path.
    U32(Vec<u32>),
    /// Sums of whole weights that need more than 32 bits; `u64::MAX` where there is no path.
    U64(Vec<u64>),
    /// Sums of floating-point weights; infinity where there is no path.
    F32(Vec<f32>),
    /// Sums of floating-point weights of 64 bits; infinity where there is no path.
    F64(Vec<f64>),
}

impl Distances {
    /// The distance at `index`, if there is a path. Whole numbers above 2⁵³ are rounded.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::Distances::F32(vec![0.5]).get(0), Some(0.5));
    /// ```
    pub fn get(&self, index: usize) -> Option<f64> {
        fn reached<D: Distance>(all: &[D], index: usize) -> Option<f64> {
            all.get(index)
                .filter(|distance| distance.is_reached())
                .map(|distance| distance.to_f64())
        }
        match self {
            Self::U32(all) => reached(all, index),
            Self::U64(all) => reached(all, index),
            Self::F32(all) => reached(all, index),
            Self::F64(all) => reached(all, index),
        }
    }

    /// How many distances there are, those without a path included.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::Distances::U64(vec![0, u64::MAX]).len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        match self {
            Self::U32(all) => all.len(),
            Self::U64(all) => all.len(),
            Self::F32(all) => all.len(),
            Self::F64(all) => all.len(),
        }
    }

    /// Whether there is no distance at all.
    ///
    /// ```
    /// assert!(equipoise_cluster::Distances::F64(vec![]).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Shortest paths from one source, as the vertices of this rank have them.
#[derive(Clone, Debug, PartialEq)]
pub struct Sssp {
    /// Where the paths start.
    pub source: u64,
    /// The length of a shortest path to each vertex of this rank: `u32` sums, `u64` where those do not hold them, or
    /// sums of floating-point weights as Dijkstra's algorithm makes them, edge after edge from the source. Of one type on
    /// all ranks.
    pub distances: Distances,
    /// The vertex before each one on a shortest path. The source is its own predecessor; [`NONE`](crate::NONE) where not
    /// reached. Of several valid predecessors, any.
    pub predecessors: Vec<u64>,
    /// How many vertices were reached on all ranks, the source included.
    pub reached: u64,
    /// How many directed edges leave the vertices that were reached, on all ranks.
    pub edges: u64,
    /// The width of the buckets.
    pub delta: f64,
    /// What this rank did, step by step.
    pub trace: Trace,
}

/// Finds shortest paths from `source` to every vertex, on all ranks together. An unweighted graph counts 1 an edge.
///
/// Beside the graph, needs 16 bytes a vertex and 8 bytes a mirror, 4 more of each where distances have 64 bits, and what
/// waits in buckets: at most an entry for each edge, and seldom more than one for each vertex.
///
/// Fails where the source is not a vertex of the graph, a weight is negative, infinite or not a number, `delta` is not a
/// number above zero, or the distance of a vertex that can be reached is more than the type of the weights holds.
///
/// ```
/// use equipoise_cluster::{Alone, DistGraph, Distances, EdgeSlice, NONE, SsspOptions, sssp};
///
/// let slice = EdgeSlice {
///     sources: vec![0, 0, 2, 3],
///     targets: vec![1, 2, 1, 0],
///     weights: Some(vec![7u32, 1, 2, 1].into()),
///     ..EdgeSlice::of(4)
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
    let ready = check(graph, source, options).and_then(|()| prepare::check_weights(graph));
    agree(comm, ready)?;
    let delta = options.delta.unwrap_or_else(|| prepare::automatic_delta(comm, graph));
    let run = Run { comm, graph, source, delta };
    match graph.local.weights() {
        None => Ok(run.whole(Ones)),
        Some(Weights::U32(weights)) => Ok(run.whole(&weights[..])),
        Some(Weights::F32(weights)) => run.floating::<f32>(&weights[..]),
        Some(Weights::F64(weights)) => run.floating::<f64>(&weights[..]),
    }
}

fn check(graph: &DistGraph, source: u64, options: &SsspOptions) -> Result<()> {
    let vertices = graph.partition.vertices();
    if source >= vertices {
        return Err(Error::NoSuchVertex { vertex: source, vertices });
    }
    if let Some(delta) = options.delta
        && !(delta > 0.0 && delta < f64::INFINITY)
    {
        return Err(Error::Option(format!("`delta` is {delta}: it must be a number above zero")));
    }
    let (owned, all) = (u64::from(graph.owned()), u64::from(graph.local.vertices()));
    let label = match graph.local.weights() {
        Some(Weights::F64(_)) => memory::bytes_of::<[u64; 2]>(all),
        _ => memory::bytes_of::<[u32; 2]>(all),
    };
    let waiting = memory::bytes_of::<[u32; 2]>(2 * owned.min(graph.local.edges()));
    let results = memory::bytes_of::<[u32; 3]>(owned);
    let outside = memory::bytes_of::<u64>(owned);
    let bytes =
        [waiting, results, outside].iter().fold(label, |sum, part| sum.saturating_add(*part));
    Ok(memory::check(format_args!("SSSP of {owned} vertices of this rank"), bytes)?)
}

/// A call of [`sssp`].
#[derive(Clone, Copy)]
struct Run<'a> {
    comm: &'a dyn Comm,
    graph: &'a DistGraph,
    source: u64,
    delta: f64,
}

impl Run<'_> {
    /// A search with weights that are whole numbers, repeated with wider distances where sums do not fit.
    fn whole<W: EdgeWeights<Weight = u32>>(self, weights: W) -> Sssp {
        let found = self.search::<u32, W>(weights);
        match prepare::first_missed(self.comm, self.graph, &found) {
            None => self.report(found),
            Some(_) => self.report(self.search::<u64, W>(weights)),
        }
    }

    /// A search with weights that are floating-point numbers. Fails where a vertex can be reached whose distance is
    /// infinite in that type.
    fn floating<F: Distance<Weight = F>>(self, weights: &[F]) -> Result<Sssp> {
        let found = self.search::<F, _>(weights);
        match prepare::first_missed(self.comm, self.graph, &found) {
            None => Ok(self.report(found)),
            Some(target) => Err(Error::TooFar { source_id: self.source, target_id: target }),
        }
    }

    fn search<D: Distance, W: EdgeWeights<Weight = D::Weight>>(self, weights: W) -> Found<D> {
        search(self.comm, self.graph, weights, self.source, self.delta)
    }

    fn report<D: Distance>(self, found: Found<D>) -> Sssp {
        let Found { distances, predecessors, trace, .. } = found;
        let [reached, edges] = count_reached(self.comm, self.graph, &distances);
        let (source, delta, distances) = (self.source, self.delta, D::wrap(distances));
        Sssp { source, distances, predecessors, reached, edges, delta, trace }
    }
}

/// How many vertices of all ranks were reached, and how many edges leave them.
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
