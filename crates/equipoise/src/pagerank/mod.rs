//! PageRank: the stationary distribution of a random walk with restarts.
//!
//! By Page, Brin, Motwani and Winograd, "The PageRank Citation Ranking" (1999). In each iteration, every vertex pulls
//! along its incoming edges: `rank(v) = p(v)·(1 − d + d·D) + d·Σ rank(u)·w(u, v) / w(u)`, where `d` is the damping, `p`
//! the distribution of restarts, `w(u)` the total weight of the edges that leave `u`, and `D` the total rank of dangling
//! vertices, which have no outgoing edges, so that the walk restarts.

mod algorithm;
mod cpu;
mod flow;
mod gpu;
mod verify;
mod verify_on_gpu;

use equipoise_graph::{Graph, memory};
use equipoise_schedule::ScheduleName;

use self::flow::{Flow, FlowCache};
use crate::{Error, LoadedGraph, Result, Times, Trace, limits::within};

/// How to rank.
///
/// ```
/// use equipoise::pagerank::PageRankOptions;
///
/// let options = PageRankOptions { tolerance: 1e-4, ..PageRankOptions::default() };
/// assert_eq!((options.damping, options.max_iterations), (0.85, 100));
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct PageRankOptions {
    /// The share of steps that follow an edge, 0 to 1; the others restart.
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", default_value_t = DAMPING))]
    pub damping: f64,
    /// Stop once all ranks together change by no more than this: NetworkX's `tol` times the number of vertices.
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHANGE", default_value_t = TOLERANCE))]
    pub tolerance: f64,
    /// The most iterations, 1 to 100000: ranks that have not converged by then are an error, unless the tolerance is 0.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = MAX_ITERATIONS))]
    pub max_iterations: u32,
    /// Make exactly this many iterations, 1 to 100000, whether or not the ranks converge.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", conflicts_with_all = ["max_iterations", "tolerance"])
    )]
    pub iterations: Option<u32>,
    /// Follow all edges of a vertex equally often, whatever their weights.
    #[cfg_attr(feature = "clap", arg(long))]
    pub unweighted: bool,
    /// On a GPU: the schedule. Without it, the one that was fastest for a product with such a matrix.
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub schedule: Option<ScheduleName>,
    /// The distribution of restarts over the vertices, with any positive sum; uniform if `None`.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub personalization: Option<Vec<f64>>,
    /// Restart only at the vertex that the input calls ID (repeatable, or several with commas)
    #[cfg_attr(feature = "clap", arg(long = "personalization", value_name = "ID"))]
    #[cfg_attr(
        feature = "serde",
        serde(rename = "personalization", skip_serializing_if = "Vec::is_empty")
    )]
    pub restart_at: Vec<String>,
}

const DAMPING: f64 = 0.85;
const TOLERANCE: f64 = 1e-6;
const MAX_ITERATIONS: u32 = 100;
/// With any damping below 1, ranks converge much earlier.
const MOST_ITERATIONS: u32 = 100_000;

impl Default for PageRankOptions {
    fn default() -> Self {
        Self {
            damping: DAMPING,
            tolerance: TOLERANCE,
            max_iterations: MAX_ITERATIONS,
            iterations: None,
            unweighted: false,
            schedule: None,
            personalization: None,
            restart_at: Vec::new(),
        }
    }
}

impl PageRankOptions {
    /// The maximum number of iterations.
    ///
    /// ```
    /// use equipoise::pagerank::PageRankOptions;
    ///
    /// let mut options = PageRankOptions::default();
    /// assert_eq!(options.most_iterations(), 100);
    /// options.iterations = Some(20);
    /// assert_eq!(options.most_iterations(), 20);
    /// ```
    pub fn most_iterations(&self) -> u32 {
        self.iterations.unwrap_or(self.max_iterations)
    }

    /// Whether the caller asks for a number of iterations rather than for convergence.
    fn counts_iterations(&self) -> bool {
        self.iterations.is_some() || self.tolerance == 0.0
    }

    /// Whether an iteration with this change is the last.
    fn ends_after(&self, change: f64) -> bool {
        self.iterations.is_none() && change <= self.tolerance
    }

    /// Fails if a number is out of range, or `personalization` does not fit the graph.
    fn check(&self, graph: &Graph) -> Result<()> {
        within("damping", self.damping, 0.0..=1.0)?;
        within("tolerance", self.tolerance, 0.0..=f64::MAX)?;
        within("max-iterations", self.max_iterations, 1..=MOST_ITERATIONS)?;
        within("iterations", self.most_iterations(), 1..=MOST_ITERATIONS)?;
        let Some(shares) = &self.personalization else { return Ok(()) };
        if shares.len() as u64 != u64::from(graph.vertices()) {
            let (count, vertices) = (shares.len(), graph.vertices());
            return Err(Error::Shape(format!("{count} shares to start anew, {vertices} vertices")));
        }
        let sum: f64 = shares.iter().sum();
        let problem = if shares.iter().any(|&share| !share.is_finite() || share < 0.0) {
            "`personalization` has a share that is not zero or more, and finite"
        } else if sum == 0.0 && !shares.is_empty() {
            "the shares of `personalization` add up to 0: walks have nowhere to start"
        } else if sum.is_infinite() {
            "the shares of `personalization` add up to more than an f64 holds: divide all of them by the same number"
        } else {
            return Ok(());
        };
        Err(Error::Option(problem.into()))
    }
}

/// The rank of each vertex.
///
/// ```
/// use equipoise::{pagerank::pagerank, prelude::*};
///
/// let links = GraphBuilder::new().build(Edges::from(vec![(0, 2), (1, 2), (2, 0)]))?;
/// let options = PageRankOptions::default();
/// let result = pagerank(&links, &options)?;
/// assert!(result.converged && result.ranks[2] > result.ranks[0]);
/// assert_eq!(result.highest(2), [2, 0]);
/// result.verify(&links, &options)?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PageRank {
    /// The rank of each vertex. The sum is 1.
    pub ranks: Vec<f32>,
    /// The number of iterations.
    pub iterations: u32,
    /// The sum of the absolute changes of all ranks in the last iteration.
    pub change: f64,
    /// Whether the change is within the tolerance; always true unless a number of iterations was requested.
    pub converged: bool,
    /// One step per iteration; on a GPU, one step per readback of the change.
    pub trace: Trace,
    /// Where the time went.
    pub times: Times,
}

impl PageRank {
    /// Fails if the ranks had to converge and did not.
    fn checked(self, options: &PageRankOptions) -> Result<Self> {
        if self.converged || options.counts_iterations() {
            return Ok(self);
        }
        let (iterations, change) = (self.iterations, self.change);
        Err(Error::NotConverged { iterations, change, tolerance: options.tolerance })
    }

    /// The `count` vertices of the highest ranks, the highest first; of equal ranks the smaller vertex first.
    pub fn highest(&self, count: usize) -> Vec<u32> {
        let rank = |vertex: u32| self.ranks[vertex as usize];
        let order = |&a: &u32, &b: &u32| rank(b).total_cmp(&rank(a)).then(a.cmp(&b));
        let mut vertices: Vec<u32> = (0..self.ranks.len() as u32).collect();
        if count < vertices.len() {
            vertices.select_nth_unstable_by(count, order);
            vertices.truncate(count);
        }
        vertices.sort_unstable_by(order);
        vertices
    }
}

/// Ranks the vertices of a graph on the cpu.
///
/// Undirected edges are followed both ways; parallel edges and self-loops count. An edge is followed in proportion to its
/// weight, unless weights are ignored; shares of weights are rounded to `f32`. Ranks are in `f32`; groups
/// of up to 15 edges are summed in `f32`, and groups in `f64`, in an order that depends on the graph only: ranks are the
/// same for any number of threads. [`PageRank::verify`] documents the
/// error bound. An iteration takes time proportional to vertices and edges. In addition to the graph and its transpose,
/// needs 20 bytes per vertex, and 4 bytes per edge with weights.
///
/// Fails if a weight is negative or not finite, or an option out of range; and with [`Error::NotConverged`] if the ranks
/// have not converged after [`max_iterations`](PageRankOptions::max_iterations), unless the caller asks for a number of
/// [`iterations`](PageRankOptions::iterations) or a tolerance of 0.
///
/// ```
/// use equipoise::{pagerank::pagerank, prelude::*};
///
/// let cycle = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 3), (3, 0)]))?;
/// assert_eq!(pagerank(&cycle, &PageRankOptions::default())?.ranks, [0.25; 4]);
/// # Ok::<(), Error>(())
/// ```
pub fn pagerank(graph: &Graph, options: &PageRankOptions) -> Result<PageRank> {
    graph.check()?;
    on_cpu(graph, &FlowCache::default(), options)
}

fn on_cpu(graph: &Graph, cache: &FlowCache, options: &PageRankOptions) -> Result<PageRank> {
    options.check(graph)?;
    if let Some(schedule) = options.schedule {
        return Err(Error::Option(format!("the schedule `{schedule}` needs a GPU")));
    }
    check_memory(graph, options)?;
    let (flow, prepare) = Flow::new(graph, cache, options)?;
    let mut result = cpu::pagerank(&flow, options);
    result.times.prepare = prepare;
    result.checked(options)
}

/// Fails without memory for five numbers per vertex, and one per weighted edge.
fn check_memory(graph: &Graph, options: &PageRankOptions) -> Result<()> {
    let weighted = graph.weights().is_some() && !options.unweighted;
    let shares = if weighted { graph.edges() } else { 0 };
    let numbers = (u64::from(graph.vertices()) * 5).saturating_add(shares);
    let what = format_args!("the ranks of {} vertices", graph.vertices());
    Ok(memory::check(what, memory::bytes_of::<f32>(numbers))?)
}

impl LoadedGraph<'_> {
    /// Ranks the vertices as [`pagerank`](pagerank()) does. Caches the flow along edges for the next call.
    ///
    /// A GPU with `f64`, such as all CUDA GPUs, sums in `f64`; others sum in `f32`, and may not reach a small tolerance if
    /// many edges enter a vertex. The order of sums depends on the graph and the schedule, so that ranks are the same from
    /// run to run on one device. A GPU checks the change after every fourth iteration, and so makes up to three more than
    /// needed. On a GPU, fails also if the graph does not fit its memory.
    ///
    /// ```
    /// use equipoise::prelude::*;
    ///
    /// let star = GraphBuilder::new().build(Edges::from(vec![(1, 0), (2, 0), (3, 0)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &star)?;
    /// assert_eq!(loaded.pagerank(&PageRankOptions::default())?.highest(1), [0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn pagerank(&self, options: &PageRankOptions) -> Result<PageRank> {
        let cache = self.cache.get::<FlowCache>();
        self.run(
            |gpu_graph| gpu::pagerank(gpu_graph, &cache, options),
            || on_cpu(self.graph, &cache, options),
        )
    }
}
