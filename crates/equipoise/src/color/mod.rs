//! Vertex coloring: no two neighbours of one color, with few colors.
//!
//! Three parallel strategies differ in which of two neighbours is colored first; a vertex always
//! takes the smallest color that no neighbour has (first fit). The hybrid one is that of Che,
//! Rodgers, Beckmann and Reinhardt, "Graph Coloring on the GPU and Some Techniques to Improve Load
//! Imbalance" (2015), which gives each round a color of its own where we use first fit.

mod greedy;
mod neighbors;
mod palette;
mod parallel;
mod rounds;
mod verify;

use std::time::Duration;

use equipoise_graph::{Csr, Graph};

use crate::{Result, Times, Trace, times::timed};

equipoise_graph::named_enum! {
    /// The order in which vertices are colored.
    ///
    /// ```
    /// use equipoise::ColorStrategy;
    ///
    /// assert_eq!("hybrid".parse(), Ok(ColorStrategy::Hybrid));
    /// ```
    #[derive(Default)]
    pub enum ColorStrategy("coloring strategy") {
        /// Greedy for a small graph, largest-degree-first for others.
        #[default]
        Auto = "auto",
        /// In parallel, in the order of random numbers.
        JonesPlassmann = "jones-plassmann",
        /// In parallel, vertices with many neighbours first, then by random numbers.
        LargestDegreeFirst = "largest-degree-first",
        /// In parallel, by degree until that stalls, then by random numbers.
        Hybrid = "hybrid",
        /// One after the other, in smallest-last order: few colors.
        Greedy = "greedy",
    }
}

/// How to color.
///
/// ```
/// use equipoise::{ColorOptions, ColorStrategy};
///
/// let options = ColorOptions { strategy: ColorStrategy::Greedy, ..ColorOptions::default() };
/// assert_eq!(options.seed, 0);
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct ColorOptions {
    /// The order in which vertices are colored.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub strategy: ColorStrategy,
    /// The seed of the random numbers that order vertices.
    #[cfg_attr(feature = "clap", arg(long, default_value_t))]
    pub seed: u64,
    /// Hybrid: the most rounds by degree before the switch to random numbers. As many as color
    /// something without it, as in the paper.
    #[cfg_attr(feature = "clap", arg(long, value_name = "ROUNDS"))]
    pub switch_after: Option<u32>,
    /// Hybrid: switch to random numbers as soon as a round by degree would color fewer vertices
    /// than this. Where it would color none the switch comes in any case, as in the paper.
    #[cfg_attr(feature = "clap", arg(long, value_name = "VERTICES", default_value_t))]
    pub switch_below: u64,
}

/// A color for each vertex.
///
/// ```
/// use equipoise::{ColorOptions, color};
/// use equipoise::graph::{Edges, GraphBuilder};
///
/// let triangle = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 0)]))?;
/// let coloring = color(&triangle, &ColorOptions::default())?;
/// assert_eq!(coloring.count, 3);
/// coloring.verify(&triangle)?;
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Coloring {
    /// The color of each vertex, one of `0..count`.
    pub colors: Vec<u32>,
    /// How many colors there are.
    pub count: u32,
    /// The strategy used; never `auto`.
    pub strategy: ColorStrategy,
    /// One step a round: the vertices still uncolored at its start, the edges looked at, the
    /// vertices colored, and whether it went by `degree` or by `random` numbers. The first step
    /// of an order includes making it.
    pub trace: Trace,
    /// Where the time went; `prepare` is reversing edges and dropping duplicates where needed.
    pub times: Times,
}

/// The most vertices and directed edges, taken together, that `auto` colors sequentially.
const GREEDY_UP_TO: u64 = 1 << 20;

/// Colors the vertices so that no edge joins two of one color.
///
/// The direction and number of edges between two vertices do not matter, nor do self-loops. The
/// coloring depends on the graph, the strategy and its options, but never on the number of
/// threads. There is at most one color more than the largest degree.
///
/// Takes time linear in the vertices and edges. Beside the graph, needs about 16 bytes a vertex, and
/// 8 to 16 bytes an edge where it is directed or has self-loops or parallel edges.
///
/// ```
/// use equipoise::{ColorOptions, color};
/// use equipoise::graph::{Edges, GraphBuilder};
///
/// let star = GraphBuilder::new().build(Edges::from(vec![(0, 1), (0, 2), (0, 3)]))?;
/// let coloring = color(&star, &ColorOptions::default())?;
/// assert_eq!(coloring.count, 2);
/// assert_eq!(coloring.colors[1], coloring.colors[3]);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn color(graph: &Graph, options: &ColorOptions) -> Result<Coloring> {
    graph.check()?;
    let (neighbors, prepare) = timed(|| neighbors::neighbors(graph));
    let neighbors = neighbors?;
    let strategy = options.strategy.resolve(&neighbors);
    let ((colors, trace), run) = timed(|| match strategy {
        ColorStrategy::Greedy => greedy::greedy(&neighbors),
        ColorStrategy::JonesPlassmann => parallel::jones_plassmann(&neighbors, options.seed),
        ColorStrategy::Hybrid => parallel::hybrid(&neighbors, options),
        ColorStrategy::LargestDegreeFirst | ColorStrategy::Auto => {
            parallel::largest_degree_first(&neighbors, options.seed)
        }
    });
    let count = colors.iter().max().map_or(0, |largest| largest + 1);
    let kernel: Duration = trace.steps.iter().map(|step| step.time).sum();
    let overhead = run.saturating_sub(kernel);
    let times = Times { prepare, kernel, overhead, ..Times::default() };
    Ok(Coloring { colors, count, strategy, trace, times })
}

impl ColorStrategy {
    /// What `auto` stands for. Sequential greedy takes about as long as two threads take for
    /// largest-degree-first at two million vertices and edges, and less below: rounds cost more
    /// than their few vertices. Above, largest-degree-first needs the fewest colors of the parallel
    /// strategies (121, against 157 for hybrid and 166 for Jones-Plassmann, on an RMAT graph of
    /// scale 18; 14 against 16 and 16 on a uniform one) in 1 to 1.5 times the time of the fastest.
    fn resolve(self, neighbors: &Csr) -> Self {
        let size = u64::from(neighbors.rows()) + neighbors.entries();
        match self {
            ColorStrategy::Auto if size <= GREEDY_UP_TO => ColorStrategy::Greedy,
            ColorStrategy::Auto => ColorStrategy::LargestDegreeFirst,
            given => given,
        }
    }
}
