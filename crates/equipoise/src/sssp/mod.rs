//! Shortest paths from one source, for weights that are zero or more.
//!
//! Delta-stepping \[1\] keeps the vertices whose distance has improved in buckets that are
//! `delta` wide and works on the first bucket, all its vertices at once, until it is empty. A
//! vertex may improve several times while its bucket is worked on; a small `delta` repeats little
//! work (with a tiny one it is Dijkstra's algorithm), a large one leaves much to do in parallel.
//!
//! Each thread has buckets of its own, and keeps working on the first one on its own as long as
//! little is in it \[2\], so that narrow rounds need no other thread. Distance and predecessor of
//! a vertex change together, in one atomic word, so that the predecessors are a tree at any time.
//!
//! `dijkstra` runs on one thread and visits vertices in the order of their distance.
//!
//! \[1\] Ulrich Meyer, Peter Sanders: "Δ-stepping: a parallelizable shortest path algorithm".
//! Journal of Algorithms 49(1), 2003.
//!
//! \[2\] Yunming Zhang et al.: "Optimizing Ordered Graph Algorithms with GraphIt". International
//! Symposium on Code Generation and Optimization (CGO), 2020.

mod buckets;
mod candidate;
mod cpu;
mod delta;
mod dijkstra;
mod distance;
mod features;
mod found;
pub(crate) mod gpu;
mod gpu_delta;
mod gpu_memory;
mod gpu_wide;
mod labels;
mod network;
mod policy;
mod prepare;
mod round;
mod search;
mod two_phase;
mod verify;
mod weight;
mod wide;

use std::sync::Arc;

use equipoise_graph::{Graph, Weights, memory};
use equipoise_select::Model;

#[cfg(all(test, feature = "lower", target_os = "linux"))]
pub(crate) use self::gpu_delta::launch_all as launch_all_of_delta;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
pub(crate) use self::gpu_wide::launch_all as launch_all_of_wide;
pub(crate) use self::{
    candidate::BEYOND_ALL,
    gpu::{WholeDistances, sssp as on_gpu},
    prepare::{automatic_delta, check_weights},
    weight::TOO_LARGE,
};
pub use self::{
    candidate::{SsspCandidate, SsspWidth},
    search::SsspSearch,
};
use self::{network::Ones, prepare::near_far_width};
use crate::{
    Distances, Error, Result, Times, Trace, team,
    times::timed,
    traversal::{IterationPlan, Strategy, TraversalSettings},
    tree::{self, check_vertex},
};

/// What a search for shortest paths should do.
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
    /// The width of a bucket of delta-stepping, or of a step of near-far; without it, one that suits the graph's weights
    /// and degrees.
    #[cfg_attr(feature = "clap", arg(long))]
    pub delta: Option<f64>,
    /// Near-far: make steps wider on the way where they find little to do at once, and narrower
    /// where they find more than enough.
    #[cfg_attr(feature = "clap", arg(long))]
    pub adaptive: bool,
    /// Stop once the distance of this vertex is known. Vertices farther away are not settled then
    /// ([`Sssp::is_settled`]), all others are.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub target: Option<u32>,
    /// A strategy for each iteration, on a GPU; `strategy` is not looked at then.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub plan: Option<IterationPlan>,
    /// A learned policy that chooses the strategy and its width, for a graph on a device
    /// ([`LoadedGraph`](crate::LoadedGraph)); `strategy` is not looked at then.
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

    /// Fails where only a GPU has what is asked for.
    fn check_cpu(&self) -> Result<()> {
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

/// Shortest paths from one source.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Sssp {
    /// Where the paths start.
    pub source: u32,
    /// The length of a shortest path to each vertex: `u32` sums, `u64` where those do not hold
    /// them, or `f32` sums as Dijkstra's algorithm makes them, edge after edge from the source.
    pub distances: Distances,
    /// The vertex before each one on a shortest path. The source is its own predecessor;
    /// [`NONE`](crate::NONE) where not reached. Of several valid predecessors, any.
    pub predecessors: Vec<u32>,
    /// How many vertices were reached, the source included.
    pub reached: u32,
    /// How many directed edges leave the vertices that were reached.
    pub edges: u64,
    /// Whether all vertices were reached that can be. Where a search stops at its target there may
    /// be more, farther away than that: they have no distance here, and are not
    /// [settled](Self::is_settled).
    pub complete: bool,
    /// The width of the buckets, if there were any.
    pub delta: Option<f64>,
    /// What happened, bucket by bucket.
    pub trace: Trace,
    /// Where the time went. Checking the weights and choosing `delta` is `prepare`.
    pub times: Times,
}

impl Sssp {
    /// A shortest path from the source to `vertex`, both ends included, or `None` where it was
    /// not reached.
    ///
    /// ```
    /// use equipoise::{graph::{Edges, GraphBuilder}, sssp::{SsspOptions, sssp}};
    ///
    /// let edges = Edges::from(vec![(0, 1, 1u32), (1, 2, 1), (0, 2, 5)]);
    /// let graph = GraphBuilder::new().build(edges)?;
    /// let paths = sssp(&graph, 0, &SsspOptions::default())?;
    /// assert_eq!(paths.path_to(2), Some(vec![0, 1, 2]));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn path_to(&self, vertex: u32) -> Option<Vec<u32>> {
        tree::path(&self.predecessors, self.source, vertex)
    }

    /// Whether what is known of `vertex` is final: its distance, or that there is no path. Of a vertex
    /// that is not settled it is only known that it is farther away than
    /// [`settled_up_to`](Self::settled_up_to), if it can be reached at all.
    ///
    /// ```
    /// use equipoise::{graph::{Edges, GraphBuilder}, sssp::{SsspOptions, sssp}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 3u32), (1, 2, 4)]))?;
    /// let to_one = SsspOptions { target: Some(1), ..SsspOptions::default() };
    /// let paths = sssp(&graph, 0, &to_one)?;
    /// assert!(!paths.complete && paths.is_settled(1) && !paths.is_settled(2));
    /// assert_eq!(paths.settled_up_to(), Some(3.0));
    /// let paths = sssp(&graph, 0, &SsspOptions::default())?;
    /// assert!(paths.complete && paths.is_settled(2));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn is_settled(&self, vertex: u32) -> bool {
        self.complete || self.distances.get(vertex as usize).is_some()
    }

    /// The largest distance up to which all vertices are settled; nothing where all are.
    pub fn settled_up_to(&self) -> Option<f64> {
        let reached = (0..self.distances.len()).filter_map(|vertex| self.distances.get(vertex));
        if self.complete { None } else { reached.reduce(f64::max) }
    }
}

/// Finds shortest paths from `source` to every vertex. An unweighted graph counts 1 an edge.
///
/// Delta-stepping looks at each edge a few times; Dijkstra's algorithm takes O(edges · log
/// vertices). Both take O(vertices + edges) memory at worst.
///
/// Fails where the graph is not sound, the source or target is not one of its vertices, a weight
/// is negative, infinite or not a number, `delta` is not a number above zero, or the distance of a
/// vertex that can be reached is more than an `f32` holds.
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

/// Shortest paths from each of `sources`, one after the other, in the same buffers.
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
        prepare::check_weights(graph)?;
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

/// Refuses what there is no memory for: distance and predecessor of each vertex in each result, and
/// what waits on the heap of Dijkstra's algorithm, or in buckets beside labels. That is at most an
/// entry for each edge, and seldom more than one for each vertex, in arrays with room to grow.
fn check_memory(graph: &Graph, searches: usize, strategy: Strategy) -> Result<()> {
    let vertices = u64::from(graph.vertices());
    let count = vertices.saturating_mul(searches as u64);
    let results = match graph.weights() {
        Some(Weights::F64(_)) => memory::bytes_of::<[u32; 3]>(count),
        _ => memory::bytes_of::<[u32; 2]>(count),
    };
    let waiting = vertices.min(graph.edges());
    let search = memory::bytes_of::<[u32; 2]>(match strategy {
        Strategy::Dijkstra => 2 * waiting,
        _ if searches <= 1 => vertices + 3 * waiting,
        // Buckets keep their room from one search to the next.
        _ => vertices + 5 * waiting,
    });
    let what = format_args!("SSSP of {vertices} vertices from {searches} sources");
    Ok(memory::check(what, results.saturating_add(search))?)
}
