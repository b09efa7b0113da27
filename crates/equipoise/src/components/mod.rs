//! Connected components: which vertices hang together over edges of either direction (weakly connected), or which can
//! be reached from each other along edges (strongly connected).
//!
//! Weakly connected ones are found by trees that grow together, after Sutton, Ben-Nun and Barak, "Optimizing Parallel
//! Graph Connectivity Computation via Subgraph Sampling" (2018); strongly connected ones by searches from both sides and
//! by colors, after Slota, Rajamanickam and Madduri, "BFS and Coloring-based Parallel Algorithms for Strongly Connected
//! Components and Related Problems" (2014).

mod strong;
mod verify;
mod weak;

use equipoise_graph::{Graph, memory};
use rayon::prelude::*;

pub(crate) use self::weak::cpu::Forest;
use self::weak::{cpu::Compressed, most_frequent, sampled_vertices};
use crate::{Error, LoadedGraph, Result, Times, Trace};

/// Labels that a thread counts at once.
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
        /// Two edges of each vertex first, then all edges of those that are not in the giant component by then.
        /// A directed graph has all of its edges looked at.
        Afforest = "afforest",
        /// All edges at once.
        Hooking = "hooking",
        /// For strong components: those of one vertex first, then by searches from both sides, then by coloring.
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
    /// Find strongly connected components: vertices that can be reached from each other along edges.
    #[cfg_attr(feature = "clap", arg(long))]
    pub strong: bool,
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
    /// Whether they are the strongly connected ones.
    pub strong: bool,
    /// The strategy used; never `auto`.
    pub strategy: ComponentsStrategy,
    /// The vertices whose edges were looked at, these edges, and how many components fewer there were: for `afforest` a
    /// step for the first edges of each vertex and one for the rest, which a GPU tells as one with all edges.
    ///
    /// For `forward-backward` steps called `trim`, `forward-backward` and `coloring`, each with the vertices whose
    /// components were not known, the edges looked at, and how many components of vertices were found. A GPU counts
    /// all edges that leave the vertices with which a step begins.
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

    /// The components of labels whose trees were counted, of one of them also the vertices.
    fn of_counted(
        labels: Vec<u32>,
        counted: Compressed,
        strategy: ComponentsStrategy,
        trace: Trace,
        times: Times,
    ) -> Self {
        let Compressed { trees: count, of_tree } = counted;
        // No other has as many as one with more than half of all.
        let largest = if of_tree as usize > labels.len() / 2 { of_tree } else { largest(&labels) };
        Self { labels, count, largest, strong: false, strategy, trace, times }
    }

    /// Counts the components that these labels stand for; who asked for them says whether they are to be strong.
    fn of(labels: Vec<u32>, strategy: ComponentsStrategy, trace: Trace, times: Times) -> Self {
        let is_root = |&(vertex, &label): &(usize, &u32)| vertex == label as usize;
        let roots = labels.par_iter().enumerate().with_min_len(LABELS_AT_ONCE).filter(is_root);
        let count = roots.count() as u32;
        let largest = largest(&labels);
        Self { labels, count, largest, strong: false, strategy, trace, times }
    }
}

/// The vertices of the largest component.
fn largest(labels: &[u32]) -> u32 {
    let with = |label: u32| {
        labels.par_iter().with_min_len(LABELS_AT_ONCE).filter(|&&other| other == label).count()
    };
    // Most often one component has more than half of all: then there is no other to compare it with.
    let sampled = sampled_vertices(labels.len() as u32);
    let sampled = sampled.into_iter().map(|vertex| labels[vertex as usize]);
    match most_frequent(sampled.collect()).map(with) {
        Some(vertices) if vertices > labels.len() / 2 => return vertices as u32,
        _ => {}
    }
    let mut sizes = vec![0u32; labels.len()];
    labels.iter().for_each(|&label| sizes[label as usize] += 1);
    sizes.into_par_iter().max().unwrap_or(0)
}

/// Finds the connected components of a graph on the cpu: over edges of either direction or, with
/// [`strong`](ComponentsOptions::strong), those of vertices that can be reached from each other. Of an undirected graph
/// both are the same.
///
/// Self-loops, parallel edges and weights change nothing. The labels are the same whatever the strategy, the number of
/// threads and the device. Needs 8 bytes a vertex beside the graph; for strongly connected components 48, and the
/// edges by the vertices that they enter.
///
/// Fails where a strategy is asked for that finds the other kind of components.
///
/// ```
/// use equipoise::components::{ComponentsOptions, components};
/// use equipoise::graph::{Edges, GraphBuilder};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 2), (2, 0), (1, 2)]))?;
/// assert_eq!(components(&graph, &ComponentsOptions::default())?.labels, [0, 0, 0]);
/// let strong = ComponentsOptions { strong: true, ..ComponentsOptions::default() };
/// assert_eq!(components(&graph, &strong)?.labels, [0, 1, 0]);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn components(graph: &Graph, options: &ComponentsOptions) -> Result<Components> {
    graph.check()?;
    let strategy = options.chosen(graph)?;
    let found = match strategy {
        ComponentsStrategy::ForwardBackward => strong::cpu::components(graph)?,
        _ => {
            let vertices = graph.vertices();
            let bytes = memory::bytes_of::<[u32; 2]>(vertices.into());
            memory::check(format_args!("the components of {vertices} vertices"), bytes)?;
            weak::cpu::components(graph, strategy)
        }
    };
    Ok(Components { strong: options.strong, ..found })
}

impl LoadedGraph<'_> {
    /// Finds the connected components, over edges of either direction or the strongly connected ones, as
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
    /// let strong = ComponentsOptions { strong: true, ..ComponentsOptions::default() };
    /// assert_eq!(loaded.components(&strong)?.labels, [0, 1, 2, 3]);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn components(&self, options: &ComponentsOptions) -> Result<Components> {
        let Some(there) = &self.there else { return components(self.graph, options) };
        let found = match options.chosen(self.graph)? {
            ComponentsStrategy::ForwardBackward => strong::gpu::components(there)?,
            strategy => weak::gpu::components(there, strategy)?,
        };
        Ok(Components { strong: options.strong, ..found })
    }
}

impl ComponentsOptions {
    /// The strategy that `auto` stands for, or the one given. Without edges that lead back, `afforest` can leave out
    /// none; with them, strongly connected components are no others.
    fn chosen(&self, graph: &Graph) -> Result<ComponentsStrategy> {
        use ComponentsStrategy::{Afforest, Auto, ForwardBackward, Hooking};
        match (self.strategy, self.strong, graph.is_undirected()) {
            (Auto, _, true) => Ok(Afforest),
            (Auto, true, false) => Ok(ForwardBackward),
            (Auto, false, false) => Ok(Hooking),
            (ForwardBackward, false, _) => Err(Error::Option(
                "the strategy `forward-backward` finds strongly connected components: add `strong`"
                    .into(),
            )),
            (given @ (Afforest | Hooking), true, false) => Err(Error::Option(format!(
                "the strategy `{given}` does not find the strongly connected components of a \
                 directed graph: `forward-backward` does"
            ))),
            (given, _, _) => Ok(given),
        }
    }
}
