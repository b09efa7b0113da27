//! Connected components: which vertices hang together over edges of either direction.
//!
//! Every vertex starts as a tree of its own. An edge hooks the root of one of its ends under the other's, the larger
//! under the smaller, and vertices are then let point to their roots. `afforest` is by Sutton, Ben-Nun and Barak,
//! "Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling" (2018): a few edges of each vertex
//! show which component is the giant one, whose other edges need not be looked at.

mod cpu;
mod gpu;
mod verify;

use equipoise_graph::{Graph, memory};
use rayon::prelude::*;

use crate::{LoadedGraph, Result, Times, Trace};

equipoise_graph::named_enum! {
    /// How components are found.
    ///
    /// ```
    /// use equipoise::components::ComponentsStrategy;
    ///
    /// assert_eq!("afforest".parse(), Ok(ComponentsStrategy::Afforest));
    /// ```
    #[derive(Default)]
    pub enum ComponentsStrategy("components strategy") {
        /// Afforest for undirected graphs, hooking for directed ones.
        #[default]
        Auto = "auto",
        /// Two edges of each vertex first; then all edges of those that are not in the giant component by then. A
        /// directed graph has all of its edges looked at.
        Afforest = "afforest",
        /// All edges at once.
        Hooking = "hooking",
    }
}

/// How to find components.
///
/// ```
/// use equipoise::components::{ComponentsOptions, ComponentsStrategy};
///
/// assert_eq!(ComponentsOptions::default().strategy, ComponentsStrategy::Auto);
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct ComponentsOptions {
    /// How components are found.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub strategy: ComponentsStrategy,
}

/// The component of each vertex.
///
/// ```
/// use equipoise::components::{ComponentsOptions, components};
/// use equipoise::graph::{Edges, GraphBuilder};
///
/// let graph = GraphBuilder::new().vertices(5).build(Edges::from(vec![(3, 1), (4, 3)]))?;
/// let found = components(&graph, &ComponentsOptions::default())?;
/// assert_eq!(found.labels, [0, 1, 2, 1, 1]);
/// assert_eq!((found.count, found.largest), (3, 3));
/// assert_eq!(found.numbers(), [0, 1, 2, 1, 1]);
/// assert_eq!(found.sizes(), [1, 3, 1]);
/// found.verify(&graph)?;
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Components {
    /// For each vertex, the smallest vertex of its component.
    pub labels: Vec<u32>,
    /// How many components there are.
    pub count: u32,
    /// How many vertices the largest has.
    pub largest: u32,
    /// The strategy used; never `auto`.
    pub strategy: ComponentsStrategy,
    /// The vertices whose edges were looked at, these edges, and how many components fewer there were: for `afforest` a
    /// step for the first edges of each vertex and one for the rest, which a GPU tells as one with all edges.
    pub trace: Trace,
    /// Where the time went.
    pub times: Times,
}

impl Components {
    /// The components numbered from 0 on, in the order of their smallest vertices: that of each vertex.
    pub fn numbers(&self) -> Vec<u32> {
        let mut numbers = vec![0; self.labels.len()];
        let mut next = 0;
        for vertex in 0..self.labels.len() {
            let root = self.labels[vertex] as usize;
            numbers[vertex] = numbers[root];
            if root == vertex {
                numbers[vertex] = next;
                next += 1;
            }
        }
        numbers
    }

    /// How many vertices each component has, in the order of [`numbers`](Self::numbers).
    pub fn sizes(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.count as usize];
        self.numbers().into_iter().for_each(|number| sizes[number as usize] += 1);
        sizes
    }

    /// Counts the components that these labels stand for.
    fn of(labels: Vec<u32>, strategy: ComponentsStrategy, trace: Trace, times: Times) -> Self {
        let roots = (0..).zip(&labels).filter(|(vertex, label)| vertex == *label);
        let count = roots.count() as u32;
        let mut sizes = vec![0u32; labels.len()];
        labels.iter().for_each(|&label| sizes[label as usize] += 1);
        let largest = sizes.into_par_iter().max().unwrap_or(0);
        Self { labels, count, largest, strategy, trace, times }
    }
}

/// Finds the connected components of a graph, over edges of either direction, on the cpu.
///
/// Self-loops and parallel edges change nothing. The labels are the same whatever the strategy, the number of threads
/// and the device. Needs 8 bytes a vertex beside the graph.
///
/// ```
/// use equipoise::components::{ComponentsOptions, components};
/// use equipoise::graph::{Edges, GraphBuilder};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 2), (1, 3)]))?;
/// assert_eq!(components(&graph, &ComponentsOptions::default())?.labels, [0, 1, 0, 1]);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn components(graph: &Graph, options: &ComponentsOptions) -> Result<Components> {
    graph.check()?;
    let vertices = graph.vertices();
    let bytes = memory::bytes_of::<[u32; 2]>(vertices.into());
    memory::check(format_args!("the components of {vertices} vertices"), bytes)?;
    Ok(cpu::components(graph, options.strategy.chosen(graph)))
}

impl LoadedGraph<'_> {
    /// Finds the connected components, over edges of either direction, as
    /// [`components`](components()) does on the cpu, and with the same labels.
    ///
    /// Fails as that does; on a GPU also where the graph does not fit its memory.
    ///
    /// ```
    /// use equipoise::LoadedGraph;
    /// use equipoise::components::ComponentsOptions;
    /// use equipoise::device::Device;
    /// use equipoise::graph::{Edges, GraphBuilder};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(2, 0), (1, 3)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// assert_eq!(loaded.components(&ComponentsOptions::default())?.labels, [0, 1, 0, 1]);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn components(&self, options: &ComponentsOptions) -> Result<Components> {
        match &self.there {
            Some(there) => gpu::components(there, options),
            None => components(self.graph, options),
        }
    }
}

impl ComponentsStrategy {
    /// What `auto` stands for: without edges that lead back, `afforest` can leave out none.
    fn chosen(self, graph: &Graph) -> Self {
        match self {
            Self::Auto if graph.is_undirected() => Self::Afforest,
            Self::Auto => Self::Hooking,
            given => given,
        }
    }
}

/// How many edges of each vertex `afforest` looks at first.
const SAMPLED_EDGES: u32 = 2;
/// How many vertices tell which component is the giant one.
const SAMPLED_VERTICES: u32 = 1024;

/// Vertices from all over the graph.
fn sampled_vertices(vertices: u32) -> Vec<u32> {
    let count = SAMPLED_VERTICES.min(vertices);
    let of = |sample: u32| u64::from(sample) * u64::from(vertices) / u64::from(count);
    (0..count).map(|sample| of(sample) as u32).collect()
}

/// The label that most of these have, the smallest of several.
fn most_frequent(mut labels: Vec<u32>) -> Option<u32> {
    labels.sort_unstable();
    let groups = labels.chunk_by(|a, b| a == b);
    groups.rev().max_by_key(|group| group.len()).map(|group| group[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_vertices_and_no_two_are_the_same() {
        for vertices in [0, 1, 5, 1023, 1024, 1025, u32::MAX] {
            let sampled = sampled_vertices(vertices);
            assert_eq!(sampled.len() as u32, vertices.min(SAMPLED_VERTICES));
            assert!(sampled.is_sorted_by(|a, b| a < b));
            assert!(sampled.last().is_none_or(|&last| last < vertices));
        }
    }

    #[test]
    fn the_most_frequent_label_is_the_smallest_of_several() {
        assert_eq!(most_frequent(vec![]), None);
        assert_eq!(most_frequent(vec![7, 3, 7, 3, 9]), Some(3));
        assert_eq!(most_frequent(vec![1, 8, 2, 8]), Some(8));
    }
}
