//! Betweenness: the number of shortest paths through each vertex, and over each edge.
//!
//! Ulrik Brandes, "A Faster Algorithm for Betweenness Centrality" (2001): a search from each source counts the shortest
//! paths to every vertex, nearest first. Then, farthest first, the dependency of each vertex is computed from those one
//! step farther: the share of shortest paths that lead through it, summed over their ends. Betweenness is the sum of
//! dependencies over all sources; with a sample of sources, an estimate.
//!
//! Counts and dependencies are pulled: a vertex sums the values of its neighbours in the order of its edges. So results do
//! not depend on the threads, and additions are not atomic.

mod algorithm;
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
    LoadedGraph, Result, Times, Trace, gpu_graph::GpuGraph, times::timed, tree::check_vertex,
    weights::check_weights,
};

/// The sources, and the kind of paths.
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
    /// The sources of paths, for an estimate; all vertices if `None`.
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

/// The number of shortest paths through each vertex.
///
/// ```
/// use equipoise::{betweenness::betweenness, prelude::*};
///
/// let star = Edges::from(vec![(0, 1), (0, 2), (0, 3)]);
/// let graph = GraphBuilder::new().undirected(true).build(star)?;
/// let options = BetweennessOptions { unnormalized: true, ..BetweennessOptions::default() };
/// let result = betweenness(&graph, &options)?;
/// assert_eq!(result.vertices, [3.0, 0.0, 0.0, 0.0]);
/// result.verify(&graph, &options)?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Betweenness {
    /// The betweenness of each vertex.
    pub vertices: Vec<f64>,
    /// The betweenness of each edge, if requested.
    pub edges: Option<EdgeBetweenness>,
    /// The number of sources with outgoing edges, from which paths were counted.
    pub sources: u64,
    /// Whether these are all such vertices, so that the result is not an estimate.
    pub exact: bool,
    /// Whether dependencies have 32 bits, as on a GPU, rather than 64.
    pub single_precision: bool,
    /// One step: the sources, the edges visited in both passes (on a GPU, all edges per source), and the vertices reached,
    /// summed over the sources. On a GPU, sub-steps are the groups of concurrent sources.
    pub trace: Trace,
    /// Where the time went. Removing parallel edges is `prepare`.
    pub times: Times,
}

/// Finds the number of shortest paths through each vertex on the cpu.
///
/// As NetworkX' `betweenness_centrality` and `edge_betweenness_centrality`: for each pair of vertices, a vertex between
/// them gets the share of their shortest paths that lead through it. A directed graph has each pair in both directions.
/// The sum is divided by the number of pairs of other vertices, (n − 1)(n − 2), or half of that in an undirected graph;
/// with [`endpoints`](BetweennessOptions::endpoints) and for edges, by the number of pairs of all vertices, n(n − 1). An
/// [`unnormalized`](BetweennessOptions::unnormalized) sum is not divided.
///
/// Of parallel edges, the lightest counts, once; self-loops are on no shortest path. With some
/// [`sources`](BetweennessOptions::sources) only, the sums are multiplied by the number of vertices with outgoing edges,
/// divided by the number of those among the sources. If all vertices have outgoing edges, this is NetworkX' n/k.
///
/// Sums are in `f64`, in an order that does not depend on threads: results are bitwise equal from run to run. Path counts
/// that exceed an `f64` have a separate exponent, and never overflow. All terms are positive, so the relative error of a
/// dependency is at most about 2 · depth · (degree + 4) · 2⁻⁵³.
///
/// Makes two passes over the reachable edges per source. Needs 32 bytes per vertex for each concurrent source, at most one
/// per thread. Decimal weights are added in `f64`; two paths are equally long if their sums are equal, as in NetworkX.
///
/// Fails if the graph is not sound or a source is not a vertex; by weights, if one is not a finite number above zero, or
/// is too small to change the length of the path before it.
///
/// ```
/// use equipoise::{betweenness::betweenness, prelude::*};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// assert_eq!(betweenness(&graph, &BetweennessOptions::default())?.vertices, [0.0, 0.5, 0.0]);
/// # Ok::<(), Error>(())
/// ```
pub fn betweenness(graph: &Graph, options: &BetweennessOptions) -> Result<Betweenness> {
    let plan = Plan::new(graph, options)?;
    let (simple, prepare) = timed(|| without_parallel_edges(graph));
    let simple = simple?;
    let result = cpu::betweenness(simple.as_ref().unwrap_or(graph), &plan, options)?;
    Ok(result.prepared_in(prepare))
}

impl LoadedGraph<'_> {
    /// Finds the betweenness that [`betweenness`](betweenness()) finds.
    ///
    /// On a GPU, counts and dependencies have 32 bits, and the sums of up to 64 sources are added in `f64`. All terms are
    /// positive, so the relative error of a value is at most about (2 · depth · (degree / 32 + 40) + 64) · 2⁻²⁴. The result
    /// is the same from run to run. Needs 20 to 24 bytes per vertex for each of up to 64 concurrent sources; by weights, where
    /// distances are found sequentially, 4 more.
    ///
    /// On a GPU, fails also if a single source does not fit its memory, if weights are decimal, which need more than 32
    /// bits, or if a distance exceeds 32 bits.
    ///
    /// ```
    /// use equipoise::prelude::*;
    ///
    /// let graph = GraphBuilder::new().undirected(true).build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// assert_eq!(loaded.betweenness(&BetweennessOptions::default())?.vertices, [0.0, 1.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn betweenness(&self, options: &BetweennessOptions) -> Result<Betweenness> {
        let on_gpu = |gpu_graph: &GpuGraph| {
            let plan = Plan::new(self.graph, options)?;
            if options.weighs(self.graph) {
                weighted::check_whole(self.graph)?;
            }
            let (simple, prepare) = timed(|| without_parallel_edges(self.graph));
            let result = match simple? {
                Some(simple) => {
                    gpu::betweenness(&GpuGraph::new(&gpu_graph.gpu, &simple), &plan, options)?
                }
                None => gpu::betweenness(gpu_graph, &plan, options)?,
            };
            Ok(result.prepared_in(prepare))
        };
        self.run(on_gpu, || betweenness(self.graph, options))
    }
}

impl BetweennessOptions {
    /// Whether paths are shortest by weights.
    fn weighs(&self, graph: &Graph) -> bool {
        self.weighted && graph.weights().is_some()
    }
}

/// The sources of searches, and the factors of sums.
struct Plan {
    sources: Vec<u32>,
    exact: bool,
    vertex_scale: f64,
    edge_scale: f64,
}

impl Plan {
    /// Fails if the graph, the options or the weights are not sound.
    fn new(graph: &Graph, options: &BetweennessOptions) -> Result<Self> {
        graph.check()?;
        if options.weighs(graph) {
            check_weights(graph)?;
            weighted::check_above_zero(graph)?;
        }
        let has_edge = |&vertex: &u32| graph.degree(vertex) > 0;
        let mut sources: Vec<u32> = (0..graph.vertices()).filter(has_edge).collect();
        let mut share = 1.0;
        if let Some(sample) = &options.sources {
            sample.iter().try_for_each(|&source| check_vertex(graph, source))?;
            let population = sources.len() as f64;
            sources = sample.iter().copied().filter(has_edge).collect();
            share = population / sources.len().max(1) as f64;
        }
        let vertices = f64::from(graph.vertices());
        let directions = if graph.is_undirected() { 2.0 } else { 1.0 };
        let scale =
            |pairs: f64| share / if options.unnormalized { directions } else { pairs.max(1.0) };
        let others = if options.endpoints { vertices } else { vertices - 2.0 };
        Ok(Self {
            sources,
            exact: options.sources.is_none(),
            vertex_scale: scale((vertices - 1.0) * others),
            edge_scale: scale(vertices * (vertices - 1.0)),
        })
    }
}

/// Sums of dependencies before scaling.
struct Sums {
    vertices: Vec<f64>,
    /// Per stored edge of the graph without parallel edges.
    edges: Option<Vec<f64>>,
}

impl Sums {
    /// The bytes of the sums and of the result.
    fn bytes(graph: &Graph, options: &BetweennessOptions) -> u64 {
        // Edges have two ends and a value in the result.
        let of_edges = if options.edges { memory::bytes_of::<[u64; 3]>(graph.edges()) } else { 0 };
        memory::bytes_of::<[u64; 2]>(graph.vertices().into()).saturating_add(of_edges)
    }
}

impl Betweenness {
    /// Scales sums; `simple` is the graph without parallel edges.
    fn new(simple: &Graph, sums: Sums, plan: &Plan, trace: Trace, times: Times) -> Self {
        let Sums { mut vertices, edges } = sums;
        vertices.iter_mut().for_each(|sum| *sum *= plan.vertex_scale);
        Self {
            vertices,
            edges: edges.map(|sums| EdgeBetweenness::new(simple, &sums, plan.edge_scale)),
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
