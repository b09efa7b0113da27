//! Distances between vertices: eccentricities, the diameter and the radius, closeness and harmonic centrality.
//!
//! A search from each vertex, or from some of them, finds the distances to all others. The largest distance is the
//! eccentricity of the source; the distances to a vertex add up to its closeness and its harmonic centrality.

mod algorithm;
mod diameter;
mod hops;
mod sums;
mod verify;
mod weights;

use equipoise_graph::Graph;
use equipoise_schedule::device::OpenDevice;

use self::{
    diameter::diameter,
    hops::{hops_on_cpu, hops_on_gpu},
    weights::weighted_paths,
};
use crate::{
    Error, LoadedGraph, Result, Times, Trace,
    limits::within,
    times::{Clock, times_of_steps},
    tree::check_vertex,
    weights::check_weights,
};

/// The sources of searches, and the kind of distance.
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
    /// The sources of searches, for bounds and estimates; all vertices if `None`.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub sources: Option<Vec<u32>>,
    /// Distances are sums of weights, which must not be negative, and not numbers of edges.
    #[cfg_attr(feature = "clap", arg(long))]
    pub weighted: bool,
    /// Count how many other vertices are at most this far from each, such as 2 for those within two edges.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "DISTANCE", conflicts_with = "random_sources")
    )]
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::json::optional_number"))]
    pub within: Option<f64>,
    /// Find only the diameter of an undirected graph, with few searches, and bounds on its radius.
    #[cfg_attr(
        feature = "clap",
        arg(long, conflicts_with_all = ["random_sources", "within"])
    )]
    pub diameter: bool,
}

/// The distances between the vertices of a graph.
///
/// ```
/// use equipoise::{paths::paths, prelude::*};
///
/// let edges = Edges::from(vec![(0, 1), (1, 2), (2, 3)]);
/// let graph = GraphBuilder::new().undirected(true).build(edges)?;
/// let options = PathsOptions { within: Some(1.0), ..PathsOptions::default() };
/// let result = paths(&graph, &options)?;
/// assert_eq!(result.eccentricities, [3.0, 2.0, 2.0, 3.0]);
/// assert_eq!((result.diameter, result.most_diameter), (3.0, Some(3.0)));
/// assert_eq!((result.radius, result.least_radius), (2.0, Some(2.0)));
/// assert_eq!(result.center(), [1, 2]);
/// assert_eq!(result.closeness[1], 0.75);
/// assert_eq!(result.harmonic[0], 1.0 + 1.0 / 2.0 + 1.0 / 3.0);
/// assert_eq!(result.within, Some(vec![1, 2, 2, 1]));
/// result.verify(&graph, &options)?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Paths {
    /// The sources of the searches.
    pub sources: Vec<u32>,
    /// Whether all vertices are sources, so that nothing is a bound or an estimate.
    pub exact: bool,
    /// Per source, the distance of the farthest reachable vertex.
    pub eccentricities: Vec<f64>,
    /// Per source, the number of other vertices within the requested distance.
    pub within: Option<Vec<u32>>,
    /// Whether every source reaches every vertex.
    pub connected: bool,
    /// The largest distance found: the diameter if `exact` and `connected`, otherwise a lower bound on it. With
    /// [`diameter`](PathsOptions::diameter), the largest diameter of a component.
    pub diameter: f64,
    /// An upper bound on the diameter, if one is known.
    pub most_diameter: Option<f64>,
    /// With [`diameter`](PathsOptions::diameter), two vertices at that distance, unless it is 0.
    pub ends: Option<[u32; 2]>,
    /// The smallest known eccentricity: the radius if `exact`, otherwise an upper bound on it.
    pub radius: f64,
    /// A lower bound on the radius, if one is known.
    pub least_radius: Option<f64>,
    /// The closeness of each vertex, as NetworkX' `closeness_centrality`: the number of vertices that reach it, divided by
    /// the sum of their distances, times their share of the other vertices. An estimate unless `exact`; empty with
    /// [`diameter`](PathsOptions::diameter).
    pub closeness: Vec<f64>,
    /// The harmonic centrality of each vertex: the sum of the reciprocal distances from the other vertices. An estimate
    /// unless `exact`; empty with [`diameter`](PathsOptions::diameter).
    pub harmonic: Vec<f64>,
    /// A step per group of searches: the sources, and the vertices reached.
    pub trace: Trace,
    /// Where the time went.
    pub times: Times,
}

impl Paths {
    /// The sources of the smallest eccentricity: the center of the graph if [`exact`](Self::exact).
    pub fn center(&self) -> Vec<u32> {
        self.with_eccentricity(self.radius)
    }

    /// The sources of the largest eccentricity: the periphery of the graph if [`exact`](Self::exact).
    pub fn periphery(&self) -> Vec<u32> {
        let most = self.eccentricities.iter().copied().fold(0.0, f64::max);
        self.with_eccentricity(most)
    }

    fn with_eccentricity(&self, wanted: f64) -> Vec<u32> {
        let all = self.sources.iter().zip(&self.eccentricities);
        all.filter(|(_, far)| **far == wanted).map(|(&source, _)| source).collect()
    }
}

/// Finds the distances between the vertices of a graph on the cpu.
///
/// Eccentricities are of paths that start at a vertex, closeness and harmonic centrality of paths that end there, as in
/// NetworkX. Unlike NetworkX, eccentricities ignore unreachable vertices; [`connected`](Paths::connected) is whether there
/// are none. Parallel edges and self-loops matter only through their weights.
///
/// With some [sources](PathsOptions::sources) only, the largest distance found is a lower bound on the diameter; in an
/// undirected graph, an additional search from the farthest vertex improves it. In a connected undirected graph, the
/// diameter is at most twice the smallest eccentricity. The radius is at most the smallest eccentricity of a source, and
/// in such a graph at least half the diameter. Closeness and harmonic centrality are estimates: sums over the sources are
/// multiplied by the number of vertices with outgoing edges, divided by the number of those among the sources. So if all
/// vertices with outgoing edges are sources, the centralities are exact.
///
/// Numbers of edges and whole weights are exact up to 2⁵³. Reciprocals of numbers of edges are summed in units of 2⁻⁶⁴,
/// those of sums of weights in `f64` in the order of the sources: equal on every device and for any number of threads.
/// Decimal weights are added along a path in their type, `f64` or `f32`.
///
/// With [`diameter`](PathsOptions::diameter), few searches find the diameter of an undirected graph: the largest of its
/// components. Each search bounds the eccentricity of every vertex that it reaches, and the search ends once no bound
/// exceeds the largest distance found. Decimal weights are compared as rounded. Random graphs, whose eccentricities hardly
/// differ, need many searches.
///
/// Takes a search per source: by edges, 64 searches share a pass over the graph, which takes 120 bytes per vertex; by
/// weights, 300 bytes per vertex.
///
/// Fails if a source is not a vertex, if `diameter` has other sources or a directed graph, if weights are negative or not finite, or if a sum of distances is infinite.
///
/// ```
/// use equipoise::{paths::paths, prelude::*};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// let result = paths(&graph, &PathsOptions::default())?;
/// assert_eq!(result.eccentricities, [2.0, 1.0, 0.0]);
/// assert!(!result.connected);
///
/// let path = GraphBuilder::new().undirected(true).build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// let result = paths(&path, &PathsOptions { diameter: true, ..PathsOptions::default() })?;
/// assert_eq!((result.diameter, result.ends), (2.0, Some([0, 2])));
/// # Ok::<(), Error>(())
/// ```
pub fn paths(graph: &Graph, options: &PathsOptions) -> Result<Paths> {
    LoadedGraph::new(&OpenDevice::Cpu, graph)?.paths(options)
}

/// The sources of searches, and what is counted of them.
struct Search<'s> {
    sources: &'s [u32],
    within: Option<f64>,
    /// Whether they are all vertices.
    exact: bool,
    /// Whether to search also from the farthest vertex found, for a better bound on the diameter.
    from_farthest: bool,
}

impl LoadedGraph<'_> {
    /// Finds the distances that [`paths`](paths()) finds. Searches by edges run 64 at a time; on a GPU, searches by
    /// weights are sequential.
    ///
    /// On a GPU, fails also if searches do not fit its memory, and where [`sssp`](LoadedGraph::sssp) fails because the GPU
    /// has no sums of 64 bits.
    ///
    /// ```
    /// use equipoise::prelude::*;
    ///
    /// let cycle = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 0)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &cycle)?;
    /// assert_eq!(loaded.paths(&PathsOptions::default())?.diameter, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn paths(&self, options: &PathsOptions) -> Result<Paths> {
        self.graph.while_unchanged(|| self.find_paths(options))
    }

    fn find_paths(&self, options: &PathsOptions) -> Result<Paths> {
        let graph = self.graph;
        let sources = options.checked_sources(graph)?;
        if options.diameter {
            let mut clock = Clock::start();
            let paths = diameter(self, options.weighted && graph.weights().is_some())?;
            return Ok(Paths { times: times_of_steps(&paths.trace.steps, clock.lap()), ..paths });
        }
        let exact = options.sources.is_none();
        let from_farthest = !exact && graph.is_undirected();
        let search = Search { sources: &sources, within: options.within, exact, from_farthest };
        let mut clock = Clock::start();
        let paths = if options.weighted && graph.weights().is_some() {
            weighted_paths(self, &search)?.into_paths(graph, &search)
        } else {
            self.run(
                |gpu_graph| Ok(hops_on_gpu(gpu_graph, &search)?.into_paths(graph, &search)),
                || Ok(hops_on_cpu(graph, &search)?.into_paths(graph, &search)),
            )?
        };
        let times = times_of_steps(&paths.trace.steps, clock.lap());
        let mut paths = Paths { times, ..paths };
        if !options.weighted {
            // Numbers of edges are whole.
            paths.least_radius = paths.least_radius.map(f64::ceil);
        }
        Ok(paths)
    }
}

impl PathsOptions {
    /// The sources of searches. Fails if an option or a weight is invalid.
    fn checked_sources(&self, graph: &Graph) -> Result<Vec<u32>> {
        within("within", self.within.unwrap_or(0.0), 0.0..=f64::INFINITY)?;
        if self.weighted {
            check_weights(graph)?;
        }
        if self.diameter {
            self.check_diameter(graph)?;
        }
        match &self.sources {
            None => Ok((0..graph.vertices()).collect()),
            Some(sources) if sources.is_empty() && graph.vertices() > 0 => Err(Error::Option(
                "`sources` is empty: nothing is known of distances without a search".into(),
            )),
            Some(sources) => {
                sources.iter().try_for_each(|&source| check_vertex(graph, source))?;
                Ok(sources.clone())
            }
        }
    }
    /// Fails if an option or the graph does not suit the search for the diameter.
    fn check_diameter(&self, graph: &Graph) -> Result<()> {
        let problem = if self.sources.is_some() || self.within.is_some() {
            "`diameter` chooses the sources of its searches: leave out `sources` and `within`"
        } else if !graph.is_undirected() {
            "`diameter` needs an undirected graph: without it, all vertices are sources"
        } else {
            return Ok(());
        };
        Err(Error::Option(problem.into()))
    }
}
