//! Minimum spanning forests.
//!
//! In each of Borůvka's rounds, every tree is joined with another by the lightest edge that leaves it. Dense graphs are
//! filtered: light edges go first, and of the heavy edges only those remain that still join two trees, as in
//! "Filter-Kruskal" by Osipov, Sanders and Singler (2009) and in ECL-MST by Fallin, Gonzalez, Seo and Burtscher (2023).

mod algorithm;
mod cpu;
mod gpu;
mod light;
mod merge_tree;
mod ranked;
mod verify;
mod verify_on_gpu;

use std::fmt;

use equipoise_graph::{Csr, Graph, Weights, memory, parallel::*};

use self::{light::Keys, ranked::Ranked};
use crate::{
    Error, LoadedGraph, Result, Times, Trace, gpu_graph::GpuGraph, weights::selected_weights,
};

equipoise_graph::named_enum! {
    /// How a spanning forest is found.
    ///
    /// ```
    /// use equipoise::mst::MstStrategy;
    ///
    /// assert_eq!("filter-boruvka".parse(), Ok(MstStrategy::FilterBoruvka));
    /// ```
    #[derive(Default)]
    pub enum MstStrategy("spanning forest strategy") {
        /// Filter-boruvka for weighted graphs with many edges, boruvka for others.
        #[default]
        Auto = "auto",
        /// Borůvka's rounds with the light edges, then with the heavy edges that still join two trees.
        ///
        /// There are about four light edges per vertex.
        FilterBoruvka = "filter-boruvka",
        /// Borůvka's rounds with all edges.
        Boruvka = "boruvka",
    }
}

/// How to find a spanning forest.
///
/// ```
/// use equipoise::mst::{MstOptions, MstStrategy};
///
/// assert_eq!(MstOptions::default().strategy, MstStrategy::Auto);
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct MstOptions {
    /// How the forest is found.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub strategy: MstStrategy,
}

/// The sum of the weights of a forest.
///
/// ```
/// use equipoise::mst::TotalWeight;
///
/// assert_eq!(TotalWeight::U64(7).to_string(), "7");
/// assert_eq!(TotalWeight::F64(0.5).get(), 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
pub enum TotalWeight {
    /// The exact sum of whole weights.
    U64(u64),
    /// The sum of floating-point weights, added in the order of the edges.
    F64(#[cfg_attr(feature = "serde", serde(serialize_with = "crate::json::number"))] f64),
}

impl TotalWeight {
    /// The sum as `f64`, rounded if necessary.
    pub fn get(self) -> f64 {
        match self {
            Self::U64(weight) => weight as f64,
            Self::F64(weight) => weight,
        }
    }

    fn new(weights: &Weights) -> Self {
        match weights {
            Weights::U32(weights) => {
                Self::U64(weights.iter().map(|&weight| u64::from(weight)).sum())
            }
            Weights::F32(weights) => {
                Self::F64(weights.iter().map(|&weight| f64::from(weight)).sum())
            }
            Weights::F64(weights) => Self::F64(weights.iter().sum()),
        }
    }
}

impl fmt::Display for TotalWeight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::U64(weight) => weight.fmt(f),
            Self::F64(weight) => weight.fmt(f),
        }
    }
}

/// A minimum spanning forest.
///
/// ```
/// use equipoise::{graph::Weights, mst::{TotalWeight, mst}, prelude::*};
///
/// let edges = Edges::from(vec![(0, 1, 4u32), (1, 2, 5), (2, 0, 3), (3, 4, 7)]);
/// let graph = GraphBuilder::new().undirected(true).build(edges)?;
/// let forest = mst(&graph, &MstOptions::default())?;
/// assert_eq!(forest.edges, [(0, 1), (0, 2), (3, 4)]);
/// assert_eq!(forest.weights, Weights::from(vec![4u32, 3, 7]));
/// assert_eq!((forest.total, forest.trees), (TotalWeight::U64(14), 2));
/// forest.verify(&graph)?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SpanningForest {
    /// The two ends of each edge, the smaller first, in ascending order.
    pub edges: Vec<(u32, u32)>,
    /// The weight of each edge, of the graph's type; ones for a graph without weights.
    pub weights: Weights,
    /// The sum of the weights.
    pub total: TotalWeight,
    /// The number of trees, which is the number of components: an isolated vertex is a tree.
    pub trees: u32,
    /// The strategy used; never `auto`.
    pub strategy: MstStrategy,
    /// One step per round: the trees at its start, the edges visited, and the edges chosen. A GPU reports all rounds as
    /// one step.
    pub trace: Trace,
    /// Where the time went.
    pub times: Times,
}

impl SpanningForest {
    /// The forest of the edges with these indices, each in the direction from its smaller end.
    fn new(
        graph: &Graph,
        mut indices: Vec<u32>,
        strategy: MstStrategy,
        trace: Trace,
        times: Times,
    ) -> Self {
        indices.par_sort_unstable();
        let ends = indices.par_iter().map(|&index| ends(graph.csr(), index.into()).into());
        let edges: Vec<(u32, u32)> = ends.collect();
        let weights = match graph.weights() {
            None => Weights::from(vec![1u32; indices.len()]),
            Some(all) => selected_weights(all, indices.iter().map(|&index| index as usize)),
        };
        let (total, trees) = (TotalWeight::new(&weights), graph.vertices() - edges.len() as u32);
        Self { edges, weights, total, trees, strategy, trace, times }
    }
}

/// Finds a minimum spanning forest of an undirected graph on the cpu.
///
/// Weights may be negative; those of an unweighted graph are 1. Self-loops are in no forest, and of parallel edges the
/// lightest is. Edges of equal weight are ordered by their smaller ends, then by their larger ends. This makes the forest
/// and its total weight unique: equal on every device, for every strategy and any number of threads.
///
/// Needs up to 16 bytes per directed edge and 28 per vertex in addition to the graph.
///
/// Fails if the graph is directed, unless each edge has a reverse of the same weight; if a weight is not a number; and if
/// it has 2³² or more directed edges.
///
/// ```
/// use equipoise::{mst::{TotalWeight, mst}, prelude::*};
///
/// let edges = Edges::from(vec![(0, 1, -1.5f32), (1, 2, 2.0), (2, 0, 2.0)]);
/// let graph = GraphBuilder::new().undirected(true).build(edges)?;
/// let forest = mst(&graph, &MstOptions::default())?;
/// assert_eq!((forest.edges, forest.total), (vec![(0, 1), (0, 2)], TotalWeight::F64(0.5)));
/// # Ok::<(), Error>(())
/// ```
pub fn mst(graph: &Graph, options: &MstOptions) -> Result<SpanningForest> {
    graph.check()?;
    check(graph)?;
    if let Some(ranked) = Ranked::new(graph)? {
        return Ok(ranked.restore(mst(&ranked.graph, options)?));
    }
    let (vertices, edges) = (u64::from(graph.vertices()), graph.csr().entries());
    let edge_bytes = memory::bytes_of::<[u64; 2]>(edges);
    let vertex_bytes = memory::bytes_of::<[u32; 7]>(vertices);
    let what = format_args!("a spanning forest of {vertices} vertices");
    memory::check(what, edge_bytes.saturating_add(vertex_bytes))?;
    Ok(cpu::mst(graph, options.strategy.resolved(graph)))
}

impl LoadedGraph<'_> {
    /// Finds the forest that [`mst`](mst()) finds. On a GPU, needs 24 bytes per vertex and 12 per directed edge in addition
    /// to the graph's rows, and fails also if memory is too short.
    ///
    /// ```
    /// use equipoise::prelude::*;
    ///
    /// let edges = Edges::from(vec![(0, 1, 2u32), (1, 2, 2), (2, 0, 1)]);
    /// let triangle = GraphBuilder::new().undirected(true).build(edges)?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &triangle)?;
    /// assert_eq!(loaded.mst(&MstOptions::default())?.edges, [(0, 1), (0, 2)]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn mst(&self, options: &MstOptions) -> Result<SpanningForest> {
        let on_gpu = |gpu_graph: &GpuGraph| {
            check(self.graph)?;
            let Some(ranked) = Ranked::new(self.graph)? else {
                return gpu::mst(gpu_graph, options);
            };
            let ranked_graph = GpuGraph::new(&gpu_graph.gpu, &ranked.graph);
            Ok(ranked.restore(gpu::mst(&ranked_graph, options)?))
        };
        self.run(on_gpu, || mst(self.graph, options))
    }
}

impl MstStrategy {
    /// This strategy, with `auto` resolved: filtering saves repeated visits of heavy edges, if these are several times as
    /// many as the light ones.
    fn resolved(self, graph: &Graph) -> Self {
        if self != Self::Auto {
            return self;
        }
        let few = 4 * light::LIGHT_EDGES_PER_VERTEX * u64::from(graph.vertices());
        let filters = graph.weights().is_some() && graph.csr().entries() > few;
        if filters { Self::FilterBoruvka } else { Self::Boruvka }
    }
}

/// Fails if the graph is directed, has too many edges, or a weight that is not a number.
fn check(graph: &Graph) -> Result<()> {
    let (count, limit) = (graph.csr().entries(), u64::from(u32::MAX));
    if count > limit {
        return Err(Error::Option(format!(
            "the graph has {count} directed edges, and those of a spanning forest are numbered by 32 bits: up to {limit}"
        )));
    }
    let as_undirected = || Graph::from_csr(graph.csr().clone(), graph.weights().cloned(), true);
    if !graph.is_undirected() && as_undirected().is_err() {
        return Err(Error::Option(
            "a spanning forest needs an undirected graph, and this one has edges without a reverse of the same \
             weight: read the graph as an undirected one"
                .into(),
        ));
    }
    let bad = match graph.weights() {
        None | Some(Weights::U32(_)) => None,
        Some(Weights::F32(weights)) => weights.par_iter().position_first(|weight| weight.is_nan()),
        Some(Weights::F64(weights)) => weights.par_iter().position_first(|weight| weight.is_nan()),
    };
    let Some(edge) = bad else { return Ok(()) };
    let [a, b] = ends(graph.csr(), edge as u64).map(|vertex| graph.ids().id(vertex));
    Err(Error::Option(format!(
        "the weight of the edge from {a} to {b} is not a number: which edges are lighter is not known"
    )))
}

/// The source and the target of an edge.
fn ends(csr: &Csr, edge: u64) -> [u32; 2] {
    let after_source = csr.offsets().partition_point(|&offset| offset <= edge);
    [after_source as u32 - 1, csr.indices()[edge as usize]]
}
