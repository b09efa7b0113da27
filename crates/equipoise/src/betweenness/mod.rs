//! Betweenness: how many shortest paths lead through each vertex, and over each edge.
//!
//! Ulrik Brandes, "A Faster Algorithm for Betweenness Centrality" (2001): a search from each source counts the shortest
//! paths to every vertex, nearest first. Then, farthest first, each vertex learns how much of the way to the vertices
//! beyond it leads through it, from those one step farther: its dependency. Betweenness is the sum of dependencies over
//! all sources, or, from a sample of them, an estimate of it.
//!
//! Counts and dependencies are pulled: a vertex adds up what its neighbours have, in the order of its edges. So nothing
//! depends on which thread is first, and no addition has to be atomic.

mod count;
mod cpu;
mod edges;
mod gpu;
mod hops;
mod search;
mod simple;
mod verify;
mod weighted;

use equipoise_graph::{Graph, memory};

pub use self::edges::EdgeBetweenness;
use self::simple::without_parallel_edges;
use crate::{
    LoadedGraph, Result, Times, Trace, sssp::check_weights, times::timed, tree::check_vertex,
};

/// What is counted, and from where.
///
/// ```
/// use equipoise::betweenness::BetweennessOptions;
///
/// let options = BetweennessOptions { endpoints: true, ..BetweennessOptions::default() };
/// assert_eq!(options.sources, None);
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct BetweennessOptions {
    /// The sources that paths are counted from, for an estimate; all vertices without them.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub sources: Option<Vec<u32>>,
    /// Paths are shortest by the sum of their weights, which must be above zero, not by their edges; on a GPU they must be
    /// whole numbers.
    #[cfg_attr(feature = "clap", arg(long))]
    pub weighted: bool,
    /// Do not divide by the number of pairs that a path could lead between.
    #[cfg_attr(feature = "clap", arg(long))]
    pub unnormalized: bool,
    /// Paths lead through the vertices that they start and end at, too.
    #[cfg_attr(feature = "clap", arg(long))]
    pub endpoints: bool,
    /// Find the betweenness of edges as well.
    #[cfg_attr(feature = "clap", arg(long))]
    pub edges: bool,
}

/// How many shortest paths lead through each vertex.
///
/// ```
/// use equipoise::betweenness::{BetweennessOptions, betweenness};
/// use equipoise::graph::{Edges, GraphBuilder};
///
/// let star = Edges::from(vec![(0, 1), (0, 2), (0, 3)]);
/// let graph = GraphBuilder::new().undirected(true).build(star)?;
/// let options = BetweennessOptions { unnormalized: true, ..BetweennessOptions::default() };
/// let found = betweenness(&graph, &options)?;
/// assert_eq!(found.vertices, [3.0, 0.0, 0.0, 0.0]);
/// found.verify(&graph, &options)?;
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Betweenness {
    /// The betweenness of each vertex.
    pub vertices: Vec<f64>,
    /// The betweenness of each edge, where it was asked for.
    pub edges: Option<EdgeBetweenness>,
    /// How many sources paths were counted from: those that an edge leaves.
    pub sources: u64,
    /// Whether these are all such sources, so that the result is no estimate.
    pub exact: bool,
    /// Whether sums were made of numbers of 32 bits, as on a GPU, and not of 64.
    pub single_precision: bool,
    /// One step: the sources, the edges looked at on the way there and back (a GPU tells all edges for each source), and
    /// the vertices reached, each once for each source that it was reached from. On a GPU, sub-steps are the groups of
    /// sources that were worked on at the same time.
    pub trace: Trace,
    /// Where the time went. Leaving out parallel edges is `prepare`.
    pub times: Times,
}

/// Finds how many shortest paths lead through each vertex, on the cpu.
///
/// As NetworkX' `betweenness_centrality` and `edge_betweenness_centrality`: of each pair of vertices, a vertex between
/// them gets the share of their shortest paths that lead through it. An undirected graph has each pair once, a directed
/// one once for each direction. The sum is divided by the number of pairs of other vertices, (n − 1)(n − 2), or half as
/// many undirected; of all vertices, n(n − 1), with [`endpoints`](BetweennessOptions::endpoints) and for edges; by
/// nothing where it is [`unnormalized`](BetweennessOptions::unnormalized).
///
/// Of parallel edges the lightest counts, once; self-loops are on no shortest path. From some
/// [`sources`](BetweennessOptions::sources), the sums are multiplied by the number of vertices that an edge leaves,
/// divided by the number of those among the sources: no path leads from the others. In a graph in which an edge leaves
/// every vertex, that is NetworkX' n/k.
///
/// Sums are made in `f64`, in an order that does not depend on threads: the result is the same to the bit from run to
/// run. Path counts that exceed an `f64` get an exponent of their own, and never become infinite. All terms are positive,
/// so that the relative error of a dependency is at most about 2 · depth · (degree + 4) · 2⁻⁵³.
///
/// Takes time for two passes over the edges that are reached, for each source, and 32 bytes a vertex for each of the
/// sources that are worked on at the same time, one a thread where there is memory. Decimal weights are added up in `f64`;
/// two paths are equally long where their sums are equal, as in NetworkX.
///
/// Fails where the graph is not sound or a source is not one of its vertices; by weights, where one is not a finite
/// number above zero, or is lost beside the length of the path before it.
///
/// ```
/// use equipoise::betweenness::{BetweennessOptions, betweenness};
/// use equipoise::graph::{Edges, GraphBuilder};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// assert_eq!(betweenness(&graph, &BetweennessOptions::default())?.vertices, [0.0, 0.5, 0.0]);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn betweenness(graph: &Graph, options: &BetweennessOptions) -> Result<Betweenness> {
    let plan = Plan::new(graph, options)?;
    let (simple, prepare) = timed(|| without_parallel_edges(graph));
    let simple = simple?;
    let found = cpu::betweenness(simple.as_ref().unwrap_or(graph), &plan, options)?;
    Ok(found.prepared_in(prepare))
}

impl LoadedGraph<'_> {
    /// Finds how many shortest paths lead through each vertex, as [`betweenness`](betweenness()) does on the cpu.
    ///
    /// On a GPU, counts and dependencies are numbers of 32 bits, which are added up in `f64` from 64 sources to the next:
    /// all terms are positive, so that the relative error of a value is at most about (2 · depth · (degree / 32 + 40) +
    /// 64) · 2⁻²⁴. The result is the same from run to run. Takes 20 bytes a vertex for each of up to 64 sources at a
    /// time, as many as fit, and 24 by weights: distances are found one source after the other then.
    ///
    /// Fails as that does; on a GPU also where one source does not fit its memory, and by weights, where these are no whole
    /// numbers, for which it has too few bits, or a distance exceeds 32 bits.
    ///
    /// ```
    /// use equipoise::LoadedGraph;
    /// use equipoise::betweenness::BetweennessOptions;
    /// use equipoise::device::Device;
    /// use equipoise::graph::{Edges, GraphBuilder};
    ///
    /// let graph = GraphBuilder::new().undirected(true).build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// assert_eq!(loaded.betweenness(&BetweennessOptions::default())?.vertices, [0.0, 1.0, 0.0]);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn betweenness(&self, options: &BetweennessOptions) -> Result<Betweenness> {
        let Some(there) = &self.there else { return betweenness(self.graph, options) };
        let plan = Plan::new(self.graph, options)?;
        if options.weighs(self.graph) {
            weighted::check_whole(self.graph)?;
        }
        let (simple, prepare) = timed(|| without_parallel_edges(self.graph));
        Ok(gpu::betweenness(there, simple?.as_ref(), &plan, options)?.prepared_in(prepare))
    }
}

impl BetweennessOptions {
    /// Whether weights tell which paths are shortest: those of an unweighted graph are all the same.
    fn weighs(&self, graph: &Graph) -> bool {
        self.weighted && graph.weights().is_some()
    }
}

/// The sources to search from, and what sums are multiplied by.
struct Plan {
    sources: Vec<u32>,
    exact: bool,
    vertex_scale: f64,
    edge_scale: f64,
}

impl Plan {
    /// Fails where the graph, the options or the weights are not sound.
    fn new(graph: &Graph, options: &BetweennessOptions) -> Result<Self> {
        graph.check()?;
        if options.weighs(graph) {
            check_weights(graph)?;
            weighted::check_above_zero(graph)?;
        }
        let has_edge = |&vertex: &u32| graph.degree(vertex) > 0;
        let all = (0..graph.vertices()).filter(has_edge).count() as f64;
        let (sources, share) = match &options.sources {
            None => ((0..graph.vertices()).filter(has_edge).collect(), 1.0),
            Some(given) => {
                given.iter().try_for_each(|&source| check_vertex(graph, source))?;
                let sources: Vec<u32> = given.iter().copied().filter(has_edge).collect();
                let share = all / sources.len().max(1) as f64;
                (sources, share)
            }
        };
        let vertices = f64::from(graph.vertices());
        let both_ways = if graph.is_undirected() { 2.0 } else { 1.0 };
        let divided = |pairs: f64| match options.unnormalized {
            true => share / both_ways,
            false => share / pairs.max(1.0),
        };
        let others = if options.endpoints { vertices } else { vertices - 2.0 };
        Ok(Self {
            sources,
            exact: options.sources.is_none(),
            vertex_scale: divided((vertices - 1.0) * others),
            edge_scale: divided(vertices * (vertices - 1.0)),
        })
    }
}

/// Sums of dependencies, as they are before they are scaled.
struct Sums {
    vertices: Vec<f64>,
    /// One for each edge of the graph without parallel ones, in the direction that it is stored in.
    edges: Option<Vec<f64>>,
}

impl Sums {
    /// The bytes that they take, and the result that is made of them.
    fn bytes(graph: &Graph, options: &BetweennessOptions) -> u64 {
        // Edges have two ends and a value in the result.
        let of_edges = if options.edges { memory::bytes_of::<[u64; 3]>(graph.edges()) } else { 0 };
        memory::bytes_of::<[u64; 2]>(graph.vertices().into()).saturating_add(of_edges)
    }
}

impl Betweenness {
    /// The result that sums stand for; `simple` is the graph without parallel edges.
    fn of(simple: &Graph, sums: Sums, plan: &Plan, trace: Trace, times: Times) -> Self {
        let Sums { mut vertices, edges } = sums;
        vertices.iter_mut().for_each(|sum| *sum *= plan.vertex_scale);
        Self {
            vertices,
            edges: edges.map(|sums| EdgeBetweenness::of(simple, &sums, plan.edge_scale)),
            sources: plan.sources.len() as u64,
            exact: plan.exact,
            single_precision: false,
            trace,
            times,
        }
    }

    fn prepared_in(mut self, time: std::time::Duration) -> Self {
        self.times.prepare += time;
        self
    }
}
