//! Connected components: weakly connected over edges of either direction, or strongly connected along edges.
//!
//! Weak components are found by hooking trees, after Sutton, Ben-Nun and Barak, "Optimizing Parallel Graph Connectivity
//! Computation via Subgraph Sampling" (2018); strong components by searches in both directions and by coloring, after
//! Slota, Rajamanickam and Madduri, "BFS and Coloring-based Parallel Algorithms for Strongly Connected Components and
//! Related Problems" (2014).

mod algorithm;
mod strong;
mod verify;
mod verify_on_gpu;
mod weak;

use equipoise_graph::{Graph, memory, parallel::*};

pub(crate) use self::weak::forest::Forest;
use self::weak::{forest::TreeCounts, most_frequent, sampled_vertices};
use crate::{Error, LoadedGraph, Result, Times, Trace, gpu_graph::GpuGraph};

/// Labels per task of a thread.
const LABELS_AT_ONCE: usize = 1 << 14;

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
        /// Afforest for undirected graphs, hooking for directed ones; forward-backward for their strong components.
        #[default]
        Auto = "auto",
        /// Two edges of each vertex, then all edges of the vertices outside the giant component.
        ///
        /// In a directed graph, all edges are visited.
        Afforest = "afforest",
        /// All edges at once.
        Hooking = "hooking",
        /// For strong components: trimming, searches in both directions, then coloring.
        ForwardBackward = "forward-backward",
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
    /// Find strongly connected components: vertices that can reach each other along edges.
    #[cfg_attr(feature = "clap", arg(long))]
    pub strong: bool,
}

/// The component of each vertex.
///
/// ```
/// use equipoise::{components::components, prelude::*};
///
/// let graph = GraphBuilder::new().vertices(5).build(Edges::from(vec![(3, 1), (4, 3)]))?;
/// let result = components(&graph, &ComponentsOptions::default())?;
/// assert_eq!(result.labels, [0, 1, 2, 1, 1]);
/// assert_eq!((result.count, result.largest), (3, 3));
/// assert_eq!(result.numbers(), [0, 1, 2, 1, 1]);
/// assert_eq!(result.sizes(), [1, 3, 1]);
/// result.verify(&graph)?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Components {
    /// For each vertex, the smallest vertex of its component.
    pub labels: Vec<u32>,
    /// The number of components.
    pub count: u32,
    /// The number of vertices of the largest component.
    pub largest: u32,
    /// Whether these are the strongly connected components.
    pub strong: bool,
    /// The strategy used; never `auto`.
    pub strategy: ComponentsStrategy,
    /// The vertices whose edges were visited, these edges, and by how many the number of components fell. `afforest` has
    /// a step for the first edges of each vertex and one for the rest; a GPU reports one step with all edges.
    ///
    /// `forward-backward` has the steps `trim`, `forward-backward` and `coloring`: the vertices without a known component,
    /// the edges visited, and the vertices whose component was found. A GPU counts all edges that leave the vertices at
    /// the start of a step.
    pub trace: Trace,
    /// Where the time went.
    pub times: Times,
}

impl Components {
    /// The component of each vertex, numbered from 0 in the order of their smallest vertices.
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

    /// The number of vertices of each component, in the order of [`numbers`](Self::numbers).
    pub fn sizes(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.count as usize];
        self.numbers().into_iter().for_each(|number| sizes[number as usize] += 1);
        sizes
    }

    /// The components of labels whose trees were counted, and the vertices of one tree.
    fn from_counts(
        labels: Vec<u32>,
        counts: TreeCounts,
        strategy: ComponentsStrategy,
        trace: Trace,
        times: Times,
    ) -> Self {
        let TreeCounts { trees: count, in_tree } = counts;
        // A tree with more than half of all vertices is the largest.
        let largest = if in_tree as usize > labels.len() / 2 { in_tree } else { largest(&labels) };
        Self { labels, count, largest, strong: false, strategy, trace, times }
    }

    /// The components with these labels. The caller sets `strong`.
    fn new(labels: Vec<u32>, strategy: ComponentsStrategy, trace: Trace, times: Times) -> Self {
        let is_root = |&(vertex, &label): &(usize, &u32)| vertex == label as usize;
        let roots = labels.par_iter().enumerate().with_min_len(LABELS_AT_ONCE).filter(is_root);
        let counts = TreeCounts { trees: roots.count() as u32, in_tree: 0 };
        Self::from_counts(labels, counts, strategy, trace, times)
    }
}

/// The number of vertices of the largest component.
fn largest(labels: &[u32]) -> u32 {
    let count = |label: u32| {
        labels.par_iter().with_min_len(LABELS_AT_ONCE).filter(|&&other| other == label).count()
    };
    // Usually one component has more than half of all vertices, and a sample finds it.
    let sampled = sampled_vertices(labels.len() as u32);
    let sampled = sampled.into_iter().map(|vertex| labels[vertex as usize]);
    let giant = most_frequent(sampled.collect()).map(count);
    if let Some(vertices) = giant.filter(|&vertices| vertices > labels.len() / 2) {
        return vertices as u32;
    }
    let mut sizes = vec![0u32; labels.len()];
    labels.iter().for_each(|&label| sizes[label as usize] += 1);
    sizes.into_par_iter().max().unwrap_or(0)
}

/// Finds the connected components of a graph on the cpu: weakly connected or, with
/// [`strong`](ComponentsOptions::strong), strongly connected. For an undirected graph both are the same.
///
/// Self-loops, parallel edges and weights do not matter. The labels are the same for every strategy, any number of
/// threads and every device. Needs 8 bytes per vertex in addition to the graph; for strongly connected components 48, and
/// the transpose.
///
/// Fails if the strategy finds the other kind of components.
///
/// ```
/// use equipoise::{components::components, prelude::*};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 2), (2, 0), (1, 2)]))?;
/// assert_eq!(components(&graph, &ComponentsOptions::default())?.labels, [0, 0, 0]);
/// let strong = ComponentsOptions { strong: true, ..ComponentsOptions::default() };
/// assert_eq!(components(&graph, &strong)?.labels, [0, 1, 0]);
/// # Ok::<(), Error>(())
/// ```
pub fn components(graph: &Graph, options: &ComponentsOptions) -> Result<Components> {
    graph.check()?;
    let strategy = options.resolved_strategy(graph)?;
    let result = if strategy == ComponentsStrategy::ForwardBackward {
        strong::cpu::components(graph)?
    } else {
        let vertices = graph.vertices();
        let bytes = memory::bytes_of::<[u32; 2]>(vertices.into());
        memory::check(format_args!("the components of {vertices} vertices"), bytes)?;
        weak::cpu::components(graph, strategy)
    };
    Ok(Components { strong: options.strong, ..result })
}

impl LoadedGraph<'_> {
    /// Finds the components that [`components`](components()) finds, with the same labels. On a GPU, fails also if the
    /// graph does not fit its memory.
    ///
    /// ```
    /// use equipoise::prelude::*;
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(2, 0), (1, 3)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// assert_eq!(loaded.components(&ComponentsOptions::default())?.labels, [0, 1, 0, 1]);
    /// let strong = ComponentsOptions { strong: true, ..ComponentsOptions::default() };
    /// assert_eq!(loaded.components(&strong)?.labels, [0, 1, 2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn components(&self, options: &ComponentsOptions) -> Result<Components> {
        let on_gpu = |gpu_graph: &GpuGraph| {
            let result = match options.resolved_strategy(self.graph)? {
                ComponentsStrategy::ForwardBackward => strong::gpu::components(gpu_graph)?,
                strategy => weak::gpu::components(gpu_graph, strategy)?,
            };
            Ok(Components { strong: options.strong, ..result })
        };
        self.run(on_gpu, || components(self.graph, options))
    }
}

impl ComponentsOptions {
    /// The strategy, with `auto` resolved. On directed graphs, `afforest` cannot skip edges; on undirected graphs, weak and
    /// strong components are the same.
    fn resolved_strategy(&self, graph: &Graph) -> Result<ComponentsStrategy> {
        use ComponentsStrategy::{Afforest, Auto, ForwardBackward, Hooking};
        match (self.strategy, self.strong, graph.is_undirected()) {
            (Auto, _, true) => Ok(Afforest),
            (Auto, true, false) => Ok(ForwardBackward),
            (Auto, false, false) => Ok(Hooking),
            (ForwardBackward, false, _) => Err(Error::Option(
                "the strategy `forward-backward` finds strongly connected components: add `strong`"
                    .into(),
            )),
            (strategy @ (Afforest | Hooking), true, false) => Err(Error::Option(format!(
                "the strategy `{strategy}` does not find the strongly connected components of a \
                 directed graph: `forward-backward` does"
            ))),
            (strategy, _, _) => Ok(strategy),
        }
    }
}
