//! Shortest paths from one source, for weights that are zero or more.
//!
//! Delta-stepping \[1\] keeps improved vertices in buckets that are `delta` wide, and relaxes the vertices of the first
//! bucket in parallel until it is empty. A vertex may improve several times while its bucket is settled; a small `delta`
//! repeats little work (a tiny one is Dijkstra's algorithm), a large one gives much parallel work.
//!
//! Each thread has its own buckets, and continues with its own part of the first one alone as long as that is small \[2\],
//! so that narrow rounds need no other thread. Where buckets hold too few vertices for the threads, a step settles several at
//! once. Distance and predecessor of a vertex change together, in one atomic word, so
//! that the predecessors are a tree at any time.
//!
//! `dijkstra` runs on one thread and settles vertices in the order of their distances.
//!
//! \[1\] Ulrich Meyer, Peter Sanders: "Δ-stepping: a parallelizable shortest path algorithm".
//! Journal of Algorithms 49(1), 2003.
//!
//! \[2\] Yunming Zhang et al.: "Optimizing Ordered Graph Algorithms with GraphIt". International
//! Symposium on Code Generation and Optimization (CGO), 2020.

mod algorithm;
mod buckets;
mod candidate;
mod cpu;
mod delta;
mod dijkstra;
mod distance;
mod features;
pub(crate) mod gpu;
mod gpu_delta;
mod gpu_distances;
mod gpu_memory;
mod gpu_near_far;
mod gpu_relax;
mod gpu_wide;
mod labels;
mod loaded;
mod network;
mod options;
mod policy;
mod prepare;
mod result;
mod round;
mod search;
mod span;
mod tight_edges;
mod two_phase;
mod verify;
mod weight;

use equipoise_graph::{Graph, Weights, memory};

#[cfg(all(test, feature = "lower", target_os = "linux"))]
pub(crate) use self::gpu_delta::launch_all as launch_all_of_delta;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
pub(crate) use self::gpu_wide::launch_all as launch_all_of_wide;
pub(crate) use self::{
    candidate::BEYOND_ALL, gpu::sssp as on_gpu, gpu_near_far::WholeDistances,
    prepare::automatic_delta, weight::TOO_LARGE,
};
pub use self::{
    candidate::{SsspCandidate, SsspWidth},
    options::SsspOptions,
    result::Sssp,
    search::SsspSearch,
};
use self::{network::Ones, prepare::near_far_width};
use crate::{
    Error, Result, team, times::timed, traversal::Strategy, tree::check_vertex,
    weights::check_weights,
};

/// Finds shortest paths from `source` to every vertex. Edges of an unweighted graph have length 1.
///
/// Delta-stepping relaxes each edge a few times; Dijkstra's algorithm takes O(edges · log
/// vertices). Both take O(vertices + edges) memory at worst.
///
/// Fails where the graph is not sound, the source or target is not one of its vertices, a weight
/// is negative, infinite or not a number, `delta` is not a number above zero, or the distance of a
/// reachable vertex overflows the type of the weights.
///
/// ```
/// use equipoise::{Distances, NONE, graph::{Edges, GraphBuilder}, sssp::{SsspOptions, sssp}};
///
/// let edges = Edges::from(vec![(0, 1, 7u32), (0, 2, 1), (2, 1, 2), (3, 0, 1)]);
/// let graph = GraphBuilder::new().build(edges)?;
/// let paths = sssp(&graph, 0, &SsspOptions::default())?;
/// assert_eq!(paths.distances, Distances::U32(vec![0, 3, 1, u32::MAX]));
/// assert_eq!(paths.predecessors, [0, 2, 0, NONE]);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn sssp(graph: &Graph, source: u32, options: &SsspOptions) -> Result<Sssp> {
    let mut searches = sssp_many(graph, &[source], options)?;
    Ok(searches.remove(0))
}

/// Shortest paths from each of `sources`, one after the other, which reuse buffers.
///
/// ```
/// use equipoise::{graph::{Edges, GraphBuilder}, sssp::{SsspOptions, sssp_many}};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 2.5f32), (1, 2, 0.5)]))?;
/// let searches = sssp_many(&graph, &[0, 1], &SsspOptions::default())?;
/// assert_eq!(searches[0].distances.get(2), Some(3.0));
/// assert_eq!(searches[1].distances.get(2), Some(0.5));
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn sssp_many(graph: &Graph, sources: &[u32], options: &SsspOptions) -> Result<Vec<Sssp>> {
    options.check()?;
    options.check_cpu()?;
    graph.check()?;
    sources.iter().chain(&options.target).try_for_each(|&vertex| check_vertex(graph, vertex))?;
    check_memory(graph, sources.len(), options.strategy)?;
    let (delta, prepare) = timed(|| {
        check_weights(graph)?;
        Ok::<_, Error>(options.delta.unwrap_or_else(|| prepare::automatic_delta(graph)))
    });
    let delta = delta?;
    let mut searches = team::run(|team| {
        let run = cpu::Run { team, graph, options, delta };
        match graph.weights() {
            None => Ok(run.whole(Ones, sources)),
            Some(Weights::U32(weights)) => Ok(run.whole(&weights[..], sources)),
            Some(Weights::F32(weights)) => run.floating(weights, sources),
            Some(Weights::F64(weights)) => run.floating(weights, sources),
        }
    })?;
    searches.iter_mut().for_each(|search| search.times.prepare = prepare);
    Ok(searches)
}

/// Fails where memory does not suffice for the distances and predecessors of each result, and for the entries on the heap of
/// Dijkstra's algorithm or in the buckets, with labels. There is at most one entry per edge, and seldom more than one per
/// vertex, in arrays with room to grow.
fn check_memory(graph: &Graph, searches: usize, strategy: Strategy) -> Result<()> {
    let vertices = u64::from(graph.vertices());
    let count = vertices.saturating_mul(searches as u64);
    let (of_result, of_entry) = match graph.weights() {
        Some(Weights::F64(_)) => (size_of::<[u32; 3]>(), size_of::<(u64, u32)>()),
        _ => (size_of::<[u32; 2]>(), size_of::<(u32, u32)>()),
    };
    let results = count.saturating_mul(of_result as u64);
    let (labels, entries) = match strategy {
        Strategy::Dijkstra => (0, 2),
        _ if searches <= 1 => (memory::bytes_of::<u64>(vertices), 3),
        // Buckets keep their memory from one search to the next.
        _ => (memory::bytes_of::<u64>(vertices), 5),
    };
    let waiting = vertices.min(graph.edges()).saturating_mul(entries * of_entry as u64);
    let search = labels.saturating_add(waiting);
    let what = format_args!("SSSP of {vertices} vertices from {searches} sources");
    Ok(memory::check(what, results.saturating_add(search))?)
}
