//! Shortest paths from one source, for weights that are zero or more.
//!
//! Near-far, with light and heavy edges as delta-stepping has them \[1\]: a step settles the vertices whose distance is
//! less than `delta` farther than the nearest that is left, on all ranks. Each rank follows the light edges of its own,
//! which are shorter than `delta`, nearest vertices first, until none is left in the step; then it offers the distances of
//! other ranks' vertices that improved to their owners, each once, with the vertex that the offer came over. That repeats
//! until no owner takes an offer that is still in the step. Then heavy edges are followed, once, as distances are final.
//! When few edges are left, the rest is one step \[2\].
//!
//! A distance is the least of all sums along paths, each added up from the source on. That does not depend on the order
//! of the work, so that distances are the same for any number of ranks, also where sums are rounded.
//!
//! A rank does this on one thread: start one on each core.
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

#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub(crate) use self::prepare::first_missed;
pub(crate) use self::search::Found;
use self::{
    distance::{Distance, Ones},
    rows::Rows,
    search::search,
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
    /// The width of a step; without it, one that suits the graph's weights and degrees.
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
    /// The width of a step.
    pub delta: f64,
    /// What this rank did, step by step.
    pub trace: Trace,
}

/// Finds shortest paths from `source` to every vertex, on all ranks together: see [`ShortestPaths`], which does so from many
/// sources.
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
    ShortestPaths::new(comm, graph, options)?.search(source)
}

/// Searches for shortest paths from many sources, one after the other. An unweighted graph counts 1 an edge.
///
/// Beside the graph, needs 8 bytes an edge, 32 bytes a vertex and 8 bytes a mirror, more where weights have 64 bits, and
/// what waits in buckets: at most an entry for each edge, and seldom more than one for each vertex.
///
/// ```
/// use equipoise_cluster::{Alone, DistGraph, EdgeSlice, ShortestPaths, SsspOptions};
///
/// let slice = EdgeSlice { sources: vec![0, 1], targets: vec![1, 2], ..EdgeSlice::of(3) };
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
    /// Gets a graph ready for searches, on all ranks together.
    ///
    /// Fails where a weight is negative, infinite or not a number, `delta` is not a number above zero, or memory is short.
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

    /// Finds shortest paths from `source` to every vertex, on all ranks together.
    ///
    /// Fails where the source is not a vertex of the graph, or the distance of a vertex that can be reached is more than
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

    /// A search with weights that are floating-point numbers. Fails where a vertex can be reached whose distance is
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

/// What was found, with what all ranks reached together.
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

/// Fails on all ranks where a graph cannot be searched.
pub(crate) fn ready(comm: &dyn Comm, graph: &DistGraph, options: &SsspOptions) -> Result<()> {
    agree(comm, check(graph, options).and_then(|()| prepare::check_weights(graph)))
}

/// Fails on all ranks where the source is no vertex.
pub(crate) fn check_source(comm: &dyn Comm, graph: &DistGraph, source: u64) -> Result<()> {
    let vertices = graph.partition.vertices();
    let known = match source < vertices {
        true => Ok(()),
        false => Err(Error::NoSuchVertex { vertex: source, vertices }),
    };
    agree(comm, known)
}

/// Fails where an option is out of its range, or there is no memory for a search.
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
    // Where rows start, what others have before a vertex, what waits, and the result.
    let of_owned = memory::bytes_of::<[u64; 7]>(owned);
    let bytes = of_edges.saturating_add(of_labels).saturating_add(of_owned);
    Ok(memory::check(format_args!("SSSP of {owned} vertices of this rank"), bytes)?)
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
