//! PageRank: how often a walk is at each vertex that follows an edge at random, and now and then starts anew.
//!
//! By Page, Brin, Motwani and Winograd, "The PageRank Citation Ranking" (1999). Each iteration every vertex pulls
//! from those with an edge to it: `rank(v) = p(v)·(1 − d + d·D) + d·Σ rank(u)·w(u, v) / w(u)`, where `d` is the
//! damping, `p` says where walks start anew, `w(u)` is the weight of all edges that leave `u`, and `D` is the rank of
//! the dangling vertices, which no edge leaves: from there a walk starts anew.

mod cpu;
mod flow;
mod gpu;
mod verify;

use equipoise_graph::{Graph, memory};
use equipoise_schedule::ScheduleName;

use self::flow::Flow;
pub(crate) use self::flow::KeptFlows;
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
    /// The share of steps that follow an edge, 0 to 1: the others start anew.
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", default_value_t = DAMPING))]
    pub damping: f64,
    /// Stop once an iteration changes the ranks by no more than this, all of them together. NetworkX's `tol` is this
    /// divided by the number of vertices.
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHANGE", default_value_t = TOLERANCE))]
    pub tolerance: f64,
    /// Stop after so many iterations, 1 to 100000, whatever the tolerance.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = MAX_ITERATIONS))]
    pub max_iterations: u32,
    /// Follow all edges of a vertex equally often, whatever their weights.
    #[cfg_attr(feature = "clap", arg(long))]
    pub unweighted: bool,
    /// On a GPU: the schedule. Without it, the one that was fastest for a product with such a matrix.
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub schedule: Option<ScheduleName>,
    /// How often walks start anew at each vertex, as shares of any sum. Without it, at all equally often.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub personalization: Option<Vec<f64>>,
}

const DAMPING: f64 = 0.85;
const TOLERANCE: f64 = 1e-6;
const MAX_ITERATIONS: u32 = 100;
/// With any damping below one, ranks have long settled by then.
const MOST_ITERATIONS: u32 = 100_000;

impl Default for PageRankOptions {
    fn default() -> Self {
        Self {
            damping: DAMPING,
            tolerance: TOLERANCE,
            max_iterations: MAX_ITERATIONS,
            unweighted: false,
            schedule: None,
            personalization: None,
        }
    }
}

impl PageRankOptions {
    /// Fails where a number is out of its range, or there is not one for each vertex.
    fn check(&self, graph: &Graph) -> Result<()> {
        within("damping", self.damping, 0.0..=1.0)?;
        within("tolerance", self.tolerance, 0.0..=f64::MAX)?;
        within("max-iterations", self.max_iterations, 1..=MOST_ITERATIONS)?;
        let Some(shares) = &self.personalization else { return Ok(()) };
        if shares.len() as u64 != u64::from(graph.vertices()) {
            let (given, vertices) = (shares.len(), graph.vertices());
            return Err(Error::Shape(format!("{given} shares to start anew, {vertices} vertices")));
        }
        if shares.iter().any(|&share| !share.is_finite() || share < 0.0) {
            return Err(Error::Option(
                "`personalization` has a share that is not zero or more, and finite".into(),
            ));
        }
        let sum: f64 = shares.iter().sum();
        match sum > 0.0 && sum.is_finite() || shares.is_empty() {
            true => Ok(()),
            false => Err(Error::Option(format!(
                "the shares of `personalization` add up to {sum}: walks have nowhere to start"
            ))),
        }
    }
}

/// The rank of each vertex.
///
/// ```
/// use equipoise::graph::{Edges, GraphBuilder};
/// use equipoise::pagerank::{PageRankOptions, pagerank};
///
/// let links = GraphBuilder::new().build(Edges::from(vec![(0, 2), (1, 2), (2, 0)]))?;
/// let options = PageRankOptions::default();
/// let found = pagerank(&links, &options)?;
/// assert!(found.converged && found.ranks[2] > found.ranks[0]);
/// assert_eq!(found.highest(2), [2, 0]);
/// found.verify(&links, &options)?;
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PageRank {
    /// The rank of each vertex. They add up to one.
    pub ranks: Vec<f32>,
    /// How many iterations were made.
    pub iterations: u32,
    /// How much the last of them changed the ranks, all of them together.
    pub change: f64,
    /// Whether that is within the tolerance.
    pub converged: bool,
    /// The iterations: on a GPU, as many as were made between two looks of the host are a step.
    pub trace: Trace,
    /// Where the time went.
    pub times: Times,
}

impl PageRank {
    /// The vertices of the highest ranks, at most so many, the highest first; of equal ranks the smaller vertex.
    pub fn highest(&self, count: usize) -> Vec<u32> {
        let rank = |&vertex: &u32| (std::cmp::Reverse(Bits(self.ranks[vertex as usize])), vertex);
        let mut vertices: Vec<u32> = (0..self.ranks.len() as u32).collect();
        let count = count.min(vertices.len());
        if count < vertices.len() {
            vertices.select_nth_unstable_by_key(count, rank);
            vertices.truncate(count);
        }
        vertices.sort_unstable_by_key(rank);
        vertices
    }
}

/// A number in its total order.
#[derive(PartialEq)]
struct Bits(f32);

impl Eq for Bits {}

impl Ord for Bits {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Bits {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Ranks the vertices of a graph on the cpu.
///
/// An undirected edge is followed both ways; parallel edges and self-loops count as edges; weights say how often an
/// edge is followed, unless that is turned off. Ranks are in `f32` and summed in `f64`, in an order that depends on the
/// graph only: they are the same for any number of threads. [`PageRank::verify`] says how far they can be off. Each
/// iteration takes time proportional to vertices and edges. Beside the graph and its transpose, needs 20 bytes a
/// vertex, and 4 bytes an edge where there are weights.
///
/// Fails where a weight is negative or not finite, or an option out of its range.
///
/// ```
/// use equipoise::graph::{Edges, GraphBuilder};
/// use equipoise::pagerank::{PageRankOptions, pagerank};
///
/// let cycle = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 3), (3, 0)]))?;
/// assert_eq!(pagerank(&cycle, &PageRankOptions::default())?.ranks, [0.25; 4]);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn pagerank(graph: &Graph, options: &PageRankOptions) -> Result<PageRank> {
    graph.check()?;
    on_cpu(graph, &KeptFlows::default(), options)
}

fn on_cpu(graph: &Graph, kept: &KeptFlows, options: &PageRankOptions) -> Result<PageRank> {
    options.check(graph)?;
    if let Some(schedule) = options.schedule {
        return Err(Error::Option(format!("the schedule `{schedule}` needs a GPU")));
    }
    check_memory(graph, options)?;
    let (flow, prepare) = Flow::new(graph, kept, options)?;
    let mut found = cpu::pagerank(&flow, options);
    found.times.prepare = prepare;
    Ok(found)
}

/// Refuses what there is no memory for: five numbers a vertex, and with weights one an edge.
fn check_memory(graph: &Graph, options: &PageRankOptions) -> Result<()> {
    let weighted = graph.weights().is_some() && !options.unweighted;
    let shares = if weighted { graph.edges() } else { 0 };
    let numbers = (u64::from(graph.vertices()) * 5).saturating_add(shares);
    let what = format_args!("the ranks of {} vertices", graph.vertices());
    Ok(memory::check(what, memory::bytes_of::<f32>(numbers))?)
}

impl LoadedGraph<'_> {
    /// Ranks the vertices, as [`pagerank`](pagerank()) does on the cpu.
    ///
    /// A GPU sums in `f64` where it computes with that, as CUDA's do, and else in `f32`, with which ranks may not settle
    /// to a small tolerance where many edges enter one vertex; in an order that depends on the graph and the schedule:
    /// ranks are the same from run to run on one device. It asks after every fourth iteration how much the ranks changed,
    /// and so makes up to three more than needed.
    ///
    /// What flows along edges, with weights or without, is kept for the next call.
    ///
    /// Fails as that does; on a GPU also where the graph does not fit its memory.
    ///
    /// ```
    /// use equipoise::LoadedGraph;
    /// use equipoise::device::Device;
    /// use equipoise::graph::{Edges, GraphBuilder};
    /// use equipoise::pagerank::PageRankOptions;
    ///
    /// let star = GraphBuilder::new().build(Edges::from(vec![(1, 0), (2, 0), (3, 0)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &star)?;
    /// let found = loaded.pagerank(&PageRankOptions::default())?;
    /// assert_eq!(found.highest(1), [0]);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn pagerank(&self, options: &PageRankOptions) -> Result<PageRank> {
        match &self.there {
            Some(there) => gpu::pagerank(there, &self.flows, options),
            None => on_cpu(self.graph, &self.flows, options),
        }
    }
}
