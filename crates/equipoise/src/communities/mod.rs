//! Communities: groups of vertices with more edges within them than between them.
//!
//! `louvain` is by Blondel, Guillaume, Lambiotte and Lefebvre, "Fast unfolding of communities in large networks" (2008):
//! vertices move to the community of a neighbour as long as modularity rises, and communities are the vertices of the
//! next level. `label-propagation` is by Raghavan, Albert and Kumara, "Near linear time algorithm to detect community
//! structures in large-scale networks" (2007): each vertex takes the label that most of its neighbours have.
//!
//! In both, vertices of which no two are neighbours act at the same time: those of one color of a
//! [coloring](crate::color), one color after the other. So two neighbours never exchange their communities for ever, and
//! the result does not depend on the number of threads.

mod classes;
mod cpu;
mod found;
mod gpu;
mod label_propagation;
mod louvain;
mod random_order;
mod tally;
mod verify;
mod weighted;

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
    /// How much modularity has to rise by louvain in a sweep and in a level for another one to follow.
    #[cfg_attr(feature = "clap", arg(long, value_name = "T", default_value_t = 1e-7))]
    pub tolerance: f64,
    /// The most sweeps over all vertices: of a level by louvain, in all by label propagation.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 100))]
    pub max_iterations: u32,
    /// The seed of the order of vertices and, for label propagation, of which label is taken where several are as
    /// frequent.
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

/// Beyond it, every vertex has long been a community of its own.
const MOST_RESOLUTION: f64 = 1e9;

/// The community of each vertex.
///
/// ```
/// use equipoise::communities::{CommunitiesOptions, communities};
/// use equipoise::graph::{Edges, GraphBuilder};
///
/// // Two triangles, joined by an edge.
/// let edges = vec![(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3)];
/// let graph = GraphBuilder::new().undirected(true).build(Edges::from(edges))?;
/// let options = CommunitiesOptions::default();
/// let found = communities(&graph, &options)?;
/// assert_eq!(found.communities, [0, 0, 0, 1, 1, 1]);
/// assert!((found.modularity - 5.0 / 14.0).abs() < 1e-12);
/// found.verify(&graph, &options)?;
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Communities {
    /// For each vertex its community, numbered from 0 on in the order of their first vertices.
    pub communities: Vec<u32>,
    /// How many communities there are.
    pub count: u32,
    /// How many vertices the largest has.
    pub largest: u32,
    /// How many more edges are within communities than chance would have there, as a share of all: as NetworkX'
    /// `modularity` says, with a loop counted as one edge. 0 where there are no edges, or none has weight.
    pub modularity: f64,
    /// The modularity after each level of louvain.
    pub levels: Vec<f64>,
    /// Whether it came to its end, not to the most iterations. For label propagation: no vertex has a label that is less
    /// frequent among its neighbours than another.
    pub converged: bool,
    /// The strategy used; never `auto`.
    pub strategy: CommunitiesStrategy,
    /// Whether a GPU found them, not the cpu.
    pub on_gpu: bool,
    /// For louvain the levels: their vertices, how many edges of these were looked at, how many vertices there are less
    /// in the next level, and, in place of a strategy, the modularity. For label propagation the sweeps: all vertices,
    /// their edges, and how many took another label.
    pub trace: Trace,
    /// Where the time went.
    pub times: Times,
}

impl Communities {
    /// How many vertices each community has.
    pub fn sizes(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.count as usize];
        self.communities.iter().for_each(|&community| sizes[community as usize] += 1);
        sizes
    }
}

/// Finds communities on the cpu, in the undirected graph under any graph.
///
/// Weights say how much an edge counts, and those of parallel edges add up; so do the two directions of a directed graph,
/// which is taken as if each edge led both ways. A loop counts for modularity as NetworkX counts it. A vertex without
/// neighbours is a community of its own.
///
/// A seed makes the result repeat, whatever the number of threads. Modularity is within 1e-9 of what the communities have
/// in exact arithmetic.
///
/// Fails where a weight is negative or not finite, an option is out of bounds, or there is no memory: about 60 bytes for
/// an edge in both directions.
///
/// ```
/// use equipoise::communities::{CommunitiesOptions, CommunitiesStrategy, communities};
/// use equipoise::graph::{io::ReadOptions, load};
///
/// let graph = load("cliques:count=4,size=9", &ReadOptions::default())?;
/// let strategy = CommunitiesStrategy::LabelPropagation;
/// let found = communities(&graph, &CommunitiesOptions { strategy, ..Default::default() })?;
/// assert_eq!((found.count, found.largest, found.converged), (4, 9, true));
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn communities(graph: &Graph, options: &CommunitiesOptions) -> Result<Communities> {
    options.check()?;
    graph.check()?;
    cpu::communities(graph, options)
}

impl LoadedGraph<'_> {
    /// Finds communities as [`communities`](communities()) does on the cpu.
    ///
    /// A GPU propagates labels where weights are whole numbers, or there are none, and those of a vertex add up to 32 bits;
    /// it finds the same communities then. Where they do not, the cpu does it: [`on_gpu`](Communities::on_gpu) says where.
    ///
    /// By louvain, it finds others of about the same modularity: more vertices move at the same time, and by gains of 32 bits.
    /// They are the same from run to run. Weights that are no whole numbers are rounded to 32 bits for the gains, but not for
    /// the modularity, which does not fall.
    ///
    /// Fails as that does; on a GPU also where the graph does not fit its memory.
    ///
    /// ```
    /// use equipoise::LoadedGraph;
    /// use equipoise::communities::{CommunitiesOptions, CommunitiesStrategy};
    /// use equipoise::device::Device;
    /// use equipoise::graph::{io::ReadOptions, load};
    ///
    /// let graph = load("cliques:count=3,size=6", &ReadOptions::default())?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// let strategy = CommunitiesStrategy::LabelPropagation;
    /// let found = loaded.communities(&CommunitiesOptions { strategy, ..Default::default() })?;
    /// assert_eq!(found.sizes(), [6, 6, 6]);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn communities(&self, options: &CommunitiesOptions) -> Result<Communities> {
        options.check()?;
        match (&self.there, options.strategy) {
            (None, _) => cpu::communities(self.graph, options),
            (Some(there), CommunitiesStrategy::LabelPropagation) => {
                gpu::label_propagation(self, there, options)
            }
            (Some(there), _) => gpu::louvain(self, there, options),
        }
    }
}
