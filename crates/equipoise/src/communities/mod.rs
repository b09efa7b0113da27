//! Communities: groups of vertices with more edges within them than between them.
//!
//! `louvain` is by Blondel, Guillaume, Lambiotte and Lefebvre, "Fast unfolding of communities in large networks" (2008):
//! vertices move to the community of a neighbour as long as modularity rises, and communities are the vertices of the
//! next level. `leiden` is by Traag, Waltman and van Eck, "From Louvain to Leiden: guaranteeing well-connected communities" (2019):
//! connected parts of communities are the vertices of the next level, and start there in the communities that they are parts of.
//! Both also maximise the constant Potts model, by Traag, Van Dooren and Nesterov, "Narrow scope for resolution-limit-free
//! community detection" (2011). `label-propagation` is by Raghavan, Albert and Kumara, "Near linear time algorithm to detect community
//! structures in large-scale networks" (2007): each vertex takes the label that most of its neighbours have.
//!
//! In neither can two neighbours swap communities forever, and results do not depend on the number of threads: labels change by
//! the colors of a [coloring](crate::color), one after the other; vertices of louvain and leiden move in batches.

mod algorithm;
mod around;
mod batch;
mod classes;
mod cpu;
mod gpu;
mod groups;
mod initial;
mod label_propagation;
mod local_moves;
mod louvain;
mod masses;
mod objective;
mod options;
mod partition;
mod refinement;
mod scaled;
mod tally;
mod totals;
mod undirected;
mod verify;
mod wishes;

use equipoise_graph::Graph;

pub use self::options::{CommunitiesObjective, CommunitiesOptions, CommunitiesStrategy};
use crate::{LoadedGraph, Result, Times, Trace, random_order};

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
    /// `modularity`, with a loop counted as one edge. 0 if no edge has weight.
    pub modularity: f64,
    /// The value of the objective, if that is not modularity. For the constant Potts model: the weight of the edges within
    /// communities, less the resolution for each pair of vertices of one community.
    pub quality: Option<f64>,
    /// The modularity, or other objective, after the local moves of each level of louvain and leiden.
    pub levels: Vec<f64>,
    /// The community of each vertex after the local moves of each level, if [`levels`](CommunitiesOptions::levels) are requested.
    pub hierarchy: Vec<Vec<u32>>,
    /// Whether the algorithm converged before the maximum number of iterations. For label propagation: the label of every
    /// vertex is one of the most frequent among its neighbours. For louvain and leiden: the gains of communities that each alone
    /// joins its best neighbour add up to the tolerance at most.
    pub converged: bool,
    /// The strategy used; never `auto`.
    pub strategy: CommunitiesStrategy,
    /// Whether a GPU found them, not the cpu.
    pub on_gpu: bool,
    /// For louvain and leiden, a step per level: its vertices, the edges visited, by how many vertices the next level is smaller,
    /// and, in place of a strategy, the objective. For label propagation, a step per sweep: all vertices, their edges,
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

/// Finds communities on the cpu. Directions of edges are ignored, except by [directed
/// modularity](CommunitiesObjective::DirectedModularity).
///
/// The weights of parallel edges, and of edges in opposite directions, are added. A loop counts for modularity as in
/// NetworkX. A vertex without neighbours is a community.
///
/// The result depends on the seed, and not on the number of threads. Modularity is within 1e-9 of its exact value. If
/// [`max_iterations`](CommunitiesOptions::max_iterations) is reached, [`converged`](Communities::converged) is false.
///
/// Fails if a weight is negative or not finite, if the sum of all weights is below 1e-140 (but not 0) or above 1e140, if an
/// option is out of range, or if memory is too short: it needs about 60 bytes per undirected edge.
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
    graph.check()?;
    options.check(graph)?;
    cpu::communities(graph, options)
}

impl LoadedGraph<'_> {
    /// Finds communities as [`communities`](communities()) does. On a GPU, fails also if the graph does not fit its memory.
    ///
    /// Label propagation finds the same communities on a GPU. If weights are not whole, or those of a vertex do not sum to
    /// 32 bits, it falls back to the cpu: see [`on_gpu`](Communities::on_gpu).
    ///
    /// Louvain and Leiden run on the cpu with another [objective](CommunitiesOptions::objective) than modularity, or a limit of
    /// sizes. Otherwise a GPU finds other communities of about the same modularity: batches are larger, gains have 32 bits, and no
    /// vertex leaves its community to be alone. The result is the same from run to run. Decimal weights are rounded to 32 bits for
    /// the gains, but not for the modularity, which never falls.
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
        options.check(self.graph)?;
        self.run(
            |gpu_graph| match options.strategy {
                CommunitiesStrategy::LabelPropagation => gpu::label_propagation(gpu_graph, options),
                _ if options.fit_gpu() => gpu::louvain(gpu_graph, options),
                _ => cpu::communities(self.graph, options),
            },
            || cpu::communities(self.graph, options),
        )
    }
}
