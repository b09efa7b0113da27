//! How far vertices are from each other: eccentricities, the diameter and the radius, closeness and harmonic centrality.
//!
//! A search from each vertex, or from some of them, gives the distances to all others. The farthest is the
//! eccentricity of the vertex that the search started from; what each vertex is away from those that reach it adds up
//! to its closeness and its harmonic centrality.

mod distances;
mod sums;
mod verify;

use equipoise_graph::{Graph, memory};
use equipoise_schedule::device::OpenDevice;

use self::{distances::distances, sums::Sums};
use crate::{
    LoadedGraph, Result, Step, Times, Trace, limits::within, sssp::check_weights, times::Clock,
    tree::check_vertex,
};

/// From where distances are found, and what distances are.
///
/// ```
/// use equipoise::paths::PathsOptions;
///
/// let options = PathsOptions { within: Some(2.0), ..PathsOptions::default() };
/// assert_eq!((options.sources, options.weighted), (None, false));
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct PathsOptions {
    /// The vertices that searches start from, for bounds and estimates; all vertices without them.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub sources: Option<Vec<u32>>,
    /// Distances are sums of weights, which must not be negative, and not numbers of edges.
    #[cfg_attr(feature = "clap", arg(long))]
    pub weighted: bool,
    /// Count how many other vertices are at most this far from each, such as 2 for those within two edges.
    #[cfg_attr(feature = "clap", arg(long, value_name = "DISTANCE"))]
    pub within: Option<f64>,
}

/// How far the vertices of a graph are from each other.
///
/// ```
/// use equipoise::graph::{Edges, GraphBuilder};
/// use equipoise::paths::{PathsOptions, paths};
///
/// let edges = Edges::from(vec![(0, 1), (1, 2), (2, 3)]);
/// let graph = GraphBuilder::new().undirected(true).build(edges)?;
/// let options = PathsOptions { within: Some(1.0), ..PathsOptions::default() };
/// let found = paths(&graph, &options)?;
/// assert_eq!(found.eccentricities, [3.0, 2.0, 2.0, 3.0]);
/// assert_eq!((found.diameter, found.most_diameter, found.radius), (3.0, Some(3.0), 2.0));
/// assert_eq!(found.center(), [1, 2]);
/// assert_eq!(found.closeness[1], 0.75);
/// assert_eq!(found.harmonic[0], 1.0 + 1.0 / 2.0 + 1.0 / 3.0);
/// assert_eq!(found.within, Some(vec![1, 2, 2, 1]));
/// found.verify(&graph, &options)?;
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Paths {
    /// The vertices that searches started from.
    pub sources: Vec<u32>,
    /// Whether these are all vertices, so that nothing is a bound or an estimate.
    pub exact: bool,
    /// Of each source, how far the farthest vertex is that can be reached.
    pub eccentricities: Vec<f64>,
    /// Of each source, how many other vertices are as near as was asked for.
    pub within: Option<Vec<u32>>,
    /// Whether every source reaches every vertex.
    pub connected: bool,
    /// The longest distance that was found: the diameter where `exact` and `connected`, else the diameter is not
    /// smaller.
    pub diameter: f64,
    /// What the diameter is not larger than, where that is known.
    pub most_diameter: Option<f64>,
    /// The smallest eccentricity of a source.
    pub radius: f64,
    /// The closeness of each vertex, as NetworkX' `closeness_centrality` has it: how many sources reach it, divided by
    /// the sum of their distances, times the share that reaches it.
    pub closeness: Vec<f64>,
    /// The harmonic centrality of each vertex: the sum of one over the distance from each other vertex.
    pub harmonic: Vec<f64>,
    /// A step for each group of searches that were made together: the sources, and the vertices reached.
    pub trace: Trace,
    /// Where the time went.
    pub times: Times,
}

impl Paths {
    /// The sources of the smallest eccentricity.
    pub fn center(&self) -> Vec<u32> {
        self.with_eccentricity(self.radius)
    }

    /// The sources of the largest eccentricity.
    pub fn periphery(&self) -> Vec<u32> {
        let most = self.eccentricities.iter().copied().fold(0.0, f64::max);
        self.with_eccentricity(most)
    }

    fn with_eccentricity(&self, wanted: f64) -> Vec<u32> {
        let all = self.sources.iter().zip(&self.eccentricities);
        all.filter(|(_, far)| **far == wanted).map(|(&source, _)| source).collect()
    }
}

/// Finds how far the vertices of a graph are from each other, on the cpu.
///
/// Eccentricities are of paths that start at a vertex, closeness and harmonic centrality of those that end there, as
/// NetworkX has them for directed graphs. NetworkX refuses eccentricities where a vertex cannot be reached; here they are
/// of what can be, and [`connected`](Paths::connected) says whether that is all. Parallel edges and self-loops change
/// nothing but through their weights.
///
/// From some [sources](PathsOptions::sources) only, the longest distance found is what the diameter is at least, with one
/// more search from the farthest vertex of an undirected graph; where such a graph is connected, it is at most twice the
/// smallest eccentricity. Closeness and harmonic centrality are estimates then, as if the others were as far.
///
/// Numbers of edges and whole weights are exact up to 2⁵³, and sums of one over them are made in `f64` in the order of the
/// sources: the same on every device and for any number of threads. Decimal weights are added up in `f32` along a path.
/// Takes a search for each source and 256 bytes a vertex.
///
/// Fails where a source is not a vertex, or weights are negative or not finite.
///
/// ```
/// use equipoise::graph::{Edges, GraphBuilder};
/// use equipoise::paths::{PathsOptions, paths};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// let found = paths(&graph, &PathsOptions::default())?;
/// assert_eq!(found.eccentricities, [2.0, 1.0, 0.0]);
/// assert!(!found.connected);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn paths(graph: &Graph, options: &PathsOptions) -> Result<Paths> {
    LoadedGraph::new(&OpenDevice::Cpu, graph)?.paths(options)
}

/// Searches that are made together: as many as a GPU does in one pass.
const AT_ONCE: usize = LoadedGraph::BATCH;

impl LoadedGraph<'_> {
    /// Finds how far vertices are from each other, as [`paths`](paths()) does on the cpu.
    ///
    /// A GPU makes 32 searches by edges in one pass, and one after the other by weights.
    ///
    /// Fails as that does; on a GPU also where searches do not fit its memory.
    ///
    /// ```
    /// use equipoise::LoadedGraph;
    /// use equipoise::device::Device;
    /// use equipoise::graph::{Edges, GraphBuilder};
    /// use equipoise::paths::PathsOptions;
    ///
    /// let cycle = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 0)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &cycle)?;
    /// assert_eq!(loaded.paths(&PathsOptions::default())?.diameter, 2.0);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn paths(&self, options: &PathsOptions) -> Result<Paths> {
        let graph = self.graph;
        let sources = options.checked_sources(graph)?;
        let each = memory::bytes_of::<[f64; AT_ONCE + 4]>(graph.vertices().into());
        memory::check(format_args!("distances between {} vertices", graph.vertices()), each)?;
        let mut sums = Sums::new(graph.vertices(), options.within);
        let mut trace = Trace::default();
        let mut clock = Clock::start();
        for (index, group) in (0..).zip(sources.chunks(AT_ONCE)) {
            let rows = distances(self, group, options.weighted)?;
            let found = sums.add(group, &rows);
            let frontier = group.len() as u64;
            let edges = frontier * graph.edges();
            let time = clock.lap();
            trace.steps.push(Step { frontier, edges, found, time, ..Step::new(index, "search") });
        }
        let exact = options.sources.is_none();
        let mut diameter = sums.farthest().map_or(0.0, |(_, far)| far);
        if let Some((vertex, _)) = sums.farthest().filter(|_| !exact && graph.is_undirected()) {
            let row = &distances(self, &[vertex], options.weighted)?[0];
            let reached = row.iter().copied().filter(|far| far.is_finite());
            diameter = reached.fold(diameter, f64::max);
        }
        let kernel = trace.steps.iter().map(|step| step.time).sum();
        let times = Times { kernel, overhead: clock.lap(), ..Times::default() };
        Ok(sums.into_paths(graph, sources, exact, diameter, trace, times))
    }
}

impl PathsOptions {
    /// The vertices that searches start from.
    fn checked_sources(&self, graph: &Graph) -> Result<Vec<u32>> {
        within("within", self.within.unwrap_or(0.0), 0.0..=f64::INFINITY)?;
        if self.weighted {
            check_weights(graph)?;
        }
        match &self.sources {
            None => Ok((0..graph.vertices()).collect()),
            Some(sources) => {
                sources.iter().try_for_each(|&source| check_vertex(graph, source))?;
                Ok(sources.clone())
            }
        }
    }
}
