//! A minimum spanning forest: the lightest edges that hold each component together.
//!
//! By Borůvka's rounds: the lightest edge that leaves each tree is one of the forest, and joins it with another. Where
//! there are many edges, the lighter ones are taken first, and of the others only those are looked at that still join
//! two trees, as in "Filter-Kruskal" by Osipov, Sanders and Singler (2009) and in ECL-MST by Fallin, Gonzalez, Seo and
//! Burtscher (2023).

mod cpu;
mod gpu;
mod light;
mod ranked;
mod verify;

use std::fmt;

use equipoise_graph::{Csr, Graph, Weights, memory};
use rayon::prelude::*;

use self::{light::Keys, ranked::Ranked};
use crate::{Error, LoadedGraph, Result, Times, Trace, gpu_graph::GraphOnGpu};

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
        /// Borůvka's rounds with the lighter edges, about four a vertex; then with those of the others that join two
        /// trees.
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

/// What all edges of a forest weigh together.
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
    /// Of whole weights, exact.
    U64(u64),
    /// Of floating-point weights, added up in the order of the edges.
    F64(f64),
}

impl TotalWeight {
    /// The number, which may be rounded.
    pub fn get(self) -> f64 {
        match self {
            Self::U64(weight) => weight as f64,
            Self::F64(weight) => weight,
        }
    }

    fn of(weights: &Weights) -> Self {
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
/// use equipoise::graph::{Edges, GraphBuilder, Weights};
/// use equipoise::mst::{MstOptions, TotalWeight, mst};
///
/// let edges = Edges::from(vec![(0, 1, 4u32), (1, 2, 5), (2, 0, 3), (3, 4, 7)]);
/// let graph = GraphBuilder::new().undirected(true).build(edges)?;
/// let forest = mst(&graph, &MstOptions::default())?;
/// assert_eq!(forest.edges, [(0, 1), (0, 2), (3, 4)]);
/// assert_eq!(forest.weights, Weights::from(vec![4u32, 3, 7]));
/// assert_eq!((forest.total, forest.trees), (TotalWeight::U64(14), 2));
/// forest.verify(&graph)?;
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SpanningForest {
    /// The two ends of each edge, the smaller first, in ascending order.
    pub edges: Vec<(u32, u32)>,
    /// The weight of each edge, of the graph's own kind; ones for a graph without weights.
    pub weights: Weights,
    /// What all edges weigh together.
    pub total: TotalWeight,
    /// How many trees there are, as many as components: a vertex without edges is one.
    pub trees: u32,
    /// The strategy used; never `auto`.
    pub strategy: MstStrategy,
    /// One step a round: the trees at its start, the edges looked at, and how many of them it took. A GPU tells all
    /// rounds as one.
    pub trace: Trace,
    /// Where the time went.
    pub times: Times,
}

impl SpanningForest {
    /// The forest of edges of a graph by their places, each in the direction from its smaller end.
    fn of(
        graph: &Graph,
        mut places: Vec<u32>,
        strategy: MstStrategy,
        trace: Trace,
        times: Times,
    ) -> Self {
        places.par_sort_unstable();
        let (csr, places) = (graph.csr(), &places);
        let pairs = places.par_iter().map(|&place| ends(csr, place.into()).into());
        let edges: Vec<(u32, u32)> = pairs.collect();
        let weights = match graph.weights() {
            None => Weights::from(vec![1u32; places.len()]),
            Some(Weights::U32(all)) => {
                Weights::from(places.iter().map(|&place| all[place as usize]).collect::<Vec<_>>())
            }
            Some(Weights::F32(all)) => {
                Weights::from(places.iter().map(|&place| all[place as usize]).collect::<Vec<_>>())
            }
            Some(Weights::F64(all)) => {
                Weights::from(places.iter().map(|&place| all[place as usize]).collect::<Vec<_>>())
            }
        };
        let (total, trees) = (TotalWeight::of(&weights), graph.vertices() - edges.len() as u32);
        Self { edges, weights, total, trees, strategy, trace, times }
    }
}

/// Finds a minimum spanning forest of an undirected graph, on the cpu.
///
/// Weights may be negative. Those of a graph without weights are ones. Self-loops are in no forest, and of parallel
/// edges the lightest is. Of edges that weigh the same, the one with the smaller smaller end goes first, then the one
/// with the smaller larger end: that leaves one forest, which is the same on every device, by every strategy and with
/// any number of threads, and so is the total of its weights.
///
/// Needs up to 16 bytes a directed edge and 28 a vertex beside the graph.
///
/// Fails where the graph is directed, unless each edge has a reverse of the same weight; where a weight is not a
/// number; and where there are more directed edges than 32 bits count.
///
/// ```
/// use equipoise::graph::{Edges, GraphBuilder};
/// use equipoise::mst::{MstOptions, TotalWeight, mst};
///
/// let edges = Edges::from(vec![(0, 1, -1.5f32), (1, 2, 2.0), (2, 0, 2.0)]);
/// let graph = GraphBuilder::new().undirected(true).build(edges)?;
/// let forest = mst(&graph, &MstOptions::default())?;
/// assert_eq!((forest.edges, forest.total), (vec![(0, 1), (0, 2)], TotalWeight::F64(0.5)));
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn mst(graph: &Graph, options: &MstOptions) -> Result<SpanningForest> {
    graph.check()?;
    check(graph)?;
    if let Some(ranked) = Ranked::of(graph)? {
        return Ok(ranked.restore(mst(&ranked.graph, options)?));
    }
    let (vertices, edges) = (u64::from(graph.vertices()), graph.csr().entries());
    let bytes = memory::bytes_of::<[u64; 2]>(edges);
    let beside = memory::bytes_of::<[u32; 7]>(vertices);
    let what = format_args!("a spanning forest of {vertices} vertices");
    memory::check(what, bytes.saturating_add(beside))?;
    Ok(cpu::mst(graph, options.strategy.chosen(graph)))
}

impl LoadedGraph<'_> {
    /// Finds a minimum spanning forest, as [`mst`](mst()) does on the cpu, and the same one.
    ///
    /// A GPU needs 24 bytes a vertex and 12 a directed edge beside the graph's rows.
    ///
    /// Fails as that does; on a GPU also where the graph does not fit its memory.
    ///
    /// ```
    /// use equipoise::LoadedGraph;
    /// use equipoise::device::Device;
    /// use equipoise::graph::{Edges, GraphBuilder};
    /// use equipoise::mst::MstOptions;
    ///
    /// let edges = Edges::from(vec![(0, 1, 2u32), (1, 2, 2), (2, 0, 1)]);
    /// let triangle = GraphBuilder::new().undirected(true).build(edges)?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &triangle)?;
    /// assert_eq!(loaded.mst(&MstOptions::default())?.edges, [(0, 1), (0, 2)]);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn mst(&self, options: &MstOptions) -> Result<SpanningForest> {
        match &self.there {
            Some(there) => {
                check(self.graph)?;
                match Ranked::of(self.graph)? {
                    None => gpu::mst(there, options),
                    Some(ranked) => {
                        let by_ranks = GraphOnGpu::new(&there.gpu, &ranked.graph);
                        Ok(ranked.restore(gpu::mst(&by_ranks, options)?))
                    }
                }
            }
            None => mst(self.graph, options),
        }
    }
}

impl MstStrategy {
    /// What `auto` stands for: taking the lighter edges first saves looking at the others again and again, if there are
    /// several times as many.
    fn chosen(self, graph: &Graph) -> Self {
        let few = 4 * light::EDGES_A_VERTEX * u64::from(graph.vertices());
        match self {
            Self::Auto if graph.weights().is_some() && graph.csr().entries() > few => {
                Self::FilterBoruvka
            }
            Self::Auto => Self::Boruvka,
            given => given,
        }
    }
}

/// Refuses a graph that has no spanning forest, or one whose edges are too many.
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
             weight: have them read as undirected (--undirected)"
                .into(),
        ));
    }
    let bad = match graph.weights() {
        None | Some(Weights::U32(_)) => None,
        Some(Weights::F32(weights)) => weights.par_iter().position_first(|weight| weight.is_nan()),
        Some(Weights::F64(weights)) => weights.par_iter().position_first(|weight| weight.is_nan()),
    };
    match bad {
        None => Ok(()),
        Some(place) => {
            let [a, b] = ends(graph.csr(), place as u64).map(|vertex| graph.ids().id(vertex));
            Err(Error::Option(format!(
                "the weight of the edge from {a} to {b} is not a number: which edges are lighter is not known"
            )))
        }
    }
}

/// Where an edge starts and ends.
fn ends(csr: &Csr, place: u64) -> [u32; 2] {
    // The last of the vertices whose edges start there or before.
    let after = csr.offsets().partition_point(|&offset| offset <= place);
    [after as u32 - 1, csr.indices()[place as usize]]
}
