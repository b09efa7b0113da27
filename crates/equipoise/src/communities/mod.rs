//! Communities: groups of vertices with more edges within them than between them.
//!
//! `louvain` is by Blondel, Guillaume, Lambiotte and Lefebvre, "Fast unfolding of communities in large networks" (2008):
//! vertices move to the community of a neighbour as long as modularity rises, and communities are the vertices of the
//! next level. `label-propagation` is by Raghavan, Albert and Kumara, "Near linear time algorithm to detect community
//! structures in large-scale networks" (2007): each vertex takes the label that most of its neighbours have.
//!
//! In neither can two neighbours swap communities forever, and results do not depend on the number of threads: labels change by
//! the colors of a [coloring](crate::color), one after the other; vertices of louvain move in batches.

mod algorithm;
mod classes;
mod cpu;
mod gpu;
mod groups;
mod label_propagation;
mod local_moves;
mod louvain;
mod partition;
mod random_order;
mod tally;
mod undirected;
mod verify;

use equipoise_graph::Graph;

use crate::{LoadedGraph, Result, Times, Trace, limits::within};

equipoise_graph::named_enum! {
    /// How communities are found.
    ///
    /// ```
    /// use equipoise::communities::CommunitiesStrategy;
    ///
    /// assert_eq!("louvain".parse(), Ok(CommunitiesStrategy::Louvain));
    /// ```
    #[derive(Default)]
    pub enum CommunitiesStrategy("communities strategy") {
        /// Louvain.
        #[default]
        Auto = "auto",
        /// Vertices move to communities as long as modularity rises, level by level.
        Louvain = "louvain",
        /// Vertices take the label that most of their neighbours have.
        LabelPropagation = "label-propagation",
    }
}

/// How to find communities.
///
/// ```
/// use equipoise::communities::CommunitiesOptions;
///
/// let options = CommunitiesOptions { resolution: 0.5, ..CommunitiesOptions::default() };
/// assert_eq!((options.seed, options.max_iterations), (1, 100));
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct CommunitiesOptions {
    /// How communities are found.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub strategy: CommunitiesStrategy,
    /// How much the size of communities counts against the edges within them: less than 1 favors large ones, more than
    /// 1 small ones.
    #[cfg_attr(feature = "clap", arg(long, value_name = "R", default_value_t = 1.0))]
    pub resolution: f64,
    /// Louvain ends when communities that each join their best neighbour gain no more modularity than this.
    #[cfg_attr(feature = "clap", arg(long, value_name = "T", default_value_t = 1e-7))]
    pub tolerance: f64,
    /// The most sweeps over all vertices: of a level by louvain, in all by label propagation.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 100))]
    pub max_iterations: u32,
    /// The seed of the order of vertices and, for label propagation, of the choice between equally frequent labels.
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", default_value_t = 1))]
    pub seed: u64,
}

impl Default for CommunitiesOptions {
    fn default() -> Self {
        Self {
            strategy: CommunitiesStrategy::default(),
            resolution: 1.0,
            tolerance: 1e-7,
            max_iterations: 100,
            seed: 1,
        }
    }
}

impl CommunitiesOptions {
    fn check(&self) -> Result<()> {
        within("resolution", self.resolution, 0.0..=MOST_RESOLUTION)?;
        within("tolerance", self.tolerance, 0.0..=1.0)?;
        within("max-iterations", self.max_iterations, 1..=u32::MAX)
    }
}

/// At much smaller resolutions, every vertex is already a community.
const MOST_RESOLUTION: f64 = 1e9;

/// The community of each vertex.
///
/// ```
/// use equipoise::{communities::communities, prelude::*};
///
/// // Two triangles, joined by an edge.
/// let edges = vec![(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3)];
/// let graph = GraphBuilder::new().undirected(true).build(Edges::from(edges))?;
/// let options = CommunitiesOptions::default();
/// let result = communities(&graph, &options)?;
/// assert_eq!(result.communities, [0, 0, 0, 1, 1, 1]);
/// assert!((result.modularity - 5.0 / 14.0).abs() < 1e-12);
/// result.verify(&graph, &options)?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Communities {
    /// The community of each vertex, numbered from 0 in the order of their first vertices.
    pub communities: Vec<u32>,
    /// The number of communities.
    pub count: u32,
    /// The number of vertices of the largest community.
    pub largest: u32,
    /// The share of edges within communities minus its expectation in a random graph with the same degrees: NetworkX'
    /// `modularity`, with a loop counted as one edge. 0 if there are no edges, or none has weight.
    pub modularity: f64,
    /// The modularity after each level of louvain.
    pub levels: Vec<f64>,
    /// Whether the algorithm converged before the maximum number of iterations. For label propagation: the label of every
    /// vertex is one of the most frequent among its neighbours. For louvain: the gains of communities that each alone joins its
    /// best neighbour add up to the tolerance at most.
    pub converged: bool,
    /// The strategy used; never `auto`.
    pub strategy: CommunitiesStrategy,
    /// Whether a GPU found them, not the cpu.
    pub on_gpu: bool,
    /// For louvain, a step per level: its vertices, the edges visited, by how many vertices the next level is smaller,
    /// and, in place of a strategy, the modularity. For label propagation, a step per sweep: all vertices, their edges,
    /// and the number of changed labels.
    pub trace: Trace,
    /// Where the time went.
    pub times: Times,
}

impl Communities {
    /// The number of vertices of each community.
    pub fn sizes(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.count as usize];
        self.communities.iter().for_each(|&community| sizes[community as usize] += 1);
        sizes
    }
}

/// Finds communities on the cpu. Directions of edges are ignored.
///
/// The weights of parallel edges, and of edges in opposite directions, are added. A loop counts for modularity as in
/// NetworkX. A vertex without neighbours is a community.
///
/// The result depends on the seed, and not on the number of threads. Modularity is within 1e-9 of its exact value. If
/// [`max_iterations`](CommunitiesOptions::max_iterations) is reached, [`converged`](Communities::converged) is false.
///
/// Fails if a weight is negative or not finite, if the sum of all weights is below 1e-140 (but not 0) or above 1e140, if an
/// option is out of range, or if there is too little memory: it needs about 60 bytes per undirected edge.
///
/// ```
/// use equipoise::communities::{CommunitiesOptions, CommunitiesStrategy, communities};
/// use equipoise::graph::{io::ReadOptions, load};
///
/// let graph = load("cliques:count=4,size=9", &ReadOptions::default())?;
/// let strategy = CommunitiesStrategy::LabelPropagation;
/// let result = communities(&graph, &CommunitiesOptions { strategy, ..Default::default() })?;
/// assert_eq!((result.count, result.largest, result.converged), (4, 9, true));
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn communities(graph: &Graph, options: &CommunitiesOptions) -> Result<Communities> {
    options.check()?;
    graph.check()?;
    cpu::communities(graph, options)
}

impl LoadedGraph<'_> {
    /// Finds communities as [`communities`](communities()) does. On a GPU, fails also if the graph does not fit its memory.
    ///
    /// Label propagation finds the same communities on a GPU. If weights are not whole, or those of a vertex do not sum to
    /// 32 bits, it falls back to the cpu: see [`on_gpu`](Communities::on_gpu).
    ///
    /// Louvain on a GPU finds other communities of about the same modularity: all vertices are visited in each sweep, and gains
    /// have 32 bits. The result is the same from run to run. Decimal weights are rounded to 32 bits for the gains,
    /// but not for the modularity, which never falls.
    ///
    /// ```
    /// use equipoise::{communities::CommunitiesStrategy, prelude::*};
    /// use equipoise::graph::{io::ReadOptions, load};
    ///
    /// let graph = load("cliques:count=3,size=6", &ReadOptions::default())?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// let strategy = CommunitiesStrategy::LabelPropagation;
    /// let result = loaded.communities(&CommunitiesOptions { strategy, ..Default::default() })?;
    /// assert_eq!(result.sizes(), [6, 6, 6]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn communities(&self, options: &CommunitiesOptions) -> Result<Communities> {
        options.check()?;
        self.run(
            |gpu_graph| match options.strategy {
                CommunitiesStrategy::LabelPropagation => gpu::label_propagation(gpu_graph, options),
                _ => gpu::louvain(gpu_graph, options),
            },
            || cpu::communities(self.graph, options),
        )
    }
}
