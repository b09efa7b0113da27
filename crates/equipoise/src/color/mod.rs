//! Vertex coloring: no two neighbours of one color, with few colors.
//!
//! `jones-plassmann`, `min-max`, `work-stealing` and `hybrid` are from Che, Rodgers, Beckmann and Reinhardt, "Graph
//! Coloring on the GPU and Some Techniques to Improve Load Imbalance" (2015): each iteration colors an independent set
//! with a new color, `min-max` two sets. The other strategies are not in that paper.

mod algorithm;
mod candidate;
mod counting;
mod degrees;
mod gpu;
mod greedy;
mod learned_switch;
mod multi_hash;
mod options;
mod order;
mod parallel;
mod passes;
mod policy;
mod queues;
mod rounds;
mod speculative;
mod switch;
mod verify;
mod verify_on_gpu;

use std::{sync::OnceLock, time::Duration};

use equipoise_graph::{Csr, Graph, memory, parallel::*};

use self::counting::sums_by_number;
pub use self::{
    candidate::ColorCandidate,
    degrees::{ActiveDegrees, ColorDegrees},
    learned_switch::ColorSwitchModel,
    options::{ColorOptions, ColorPreference, ColorStrategy},
    queues::{QueuePass, QueueUse},
    switch::{ColorProgress, ColorSwitch, ColorSwitchRule},
};
use crate::{
    Error, LoadedGraph, NONE, Result, Times, Trace,
    neighbors::Neighbors,
    times::{timed, times_of_steps},
};

/// A color for each vertex.
///
/// ```
/// use equipoise::{color::color, prelude::*};
///
/// let triangle = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 0)]))?;
/// let coloring = color(&triangle, &ColorOptions::default())?;
/// assert_eq!(coloring.count, 3);
/// coloring.verify(&triangle)?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Coloring {
    /// The color of each vertex, one of `0..count`.
    pub colors: Vec<u32>,
    /// The number of colors.
    pub count: u32,
    /// The iteration that colored each vertex, counted from 0.
    pub iterations: Vec<u32>,
    /// The strategy used; never `auto`.
    pub strategy: ColorStrategy,
    /// One step per iteration: the uncolored vertices at its start, the edges visited, the vertices colored, and its kind:
    /// by `degree`, by `random` numbers, by `first-fit`, or all vertices `again`. The first step of an order includes
    /// computing the order.
    pub trace: Trace,
    /// The use of queues, if the strategy has queues.
    pub queues: Option<QueueUse>,
    /// Where the time went; `prepare` is reversing edges and dropping duplicates where needed.
    pub times: Times,
}

struct Colored {
    /// The color of each vertex. Some colors may be unused.
    colors: Vec<u32>,
    /// The iteration that colored each vertex.
    iterations: Vec<u32>,
    trace: Trace,
}

impl Colored {
    fn none(vertices: u32) -> Self {
        let vertices = vertices as usize;
        Self {
            colors: vec![NONE; vertices],
            iterations: vec![0; vertices],
            trace: Trace::default(),
        }
    }

    fn set(&mut self, vertex: u32, color: u32, iteration: u32) {
        self.colors[vertex as usize] = color;
        self.iterations[vertex as usize] = iteration;
    }

    /// Renumbers the colors without gaps. Returns their count.
    fn close_gaps(&mut self) -> u32 {
        let used = sums_by_number(&self.colors, end_of_colors(&self.colors) as usize, |_| 1);
        let mut count = 0;
        let new: Vec<u32> = used
            .iter()
            .map(|&used| {
                count += u32::from(used > 0);
                count.saturating_sub(1)
            })
            .collect();
        if used.contains(&0) {
            self.colors.par_iter_mut().for_each(|color| *color = new[*color as usize]);
        }
        count
    }
}

/// The largest color plus 1, or 0.
fn end_of_colors(colors: &[u32]) -> u32 {
    colors.par_iter().max().map_or(0, |largest| largest + 1)
}

/// The most vertices plus directed edges that `auto` colors sequentially.
const GREEDY_UP_TO: u64 = 1 << 20;

/// Colors the vertices on the cpu, so that no edge joins two vertices of one color.
///
/// The direction and number of edges between two vertices do not matter, nor do self-loops. The coloring depends on the
/// graph, the strategy and its options, and not on the number of threads or the device. First fit (`speculative`,
/// `largest-degree-first`, `greedy`) needs at most one color more than the largest degree.
///
/// There are at most as many iterations as vertices; for `speculative`, at most twice as many plus 32. In addition to the
/// graph, needs about 24 bytes per vertex, and 8 to 16 bytes per edge if the graph is directed or has self-loops or
/// parallel edges.
///
/// ```
/// use equipoise::{color::color, prelude::*};
///
/// let star = GraphBuilder::new().build(Edges::from(vec![(0, 1), (0, 2), (0, 3)]))?;
/// let coloring = color(&star, &ColorOptions::default())?;
/// assert_eq!(coloring.count, 2);
/// assert_eq!(coloring.colors[1], coloring.colors[3]);
/// # Ok::<(), Error>(())
/// ```
pub fn color(graph: &Graph, options: &ColorOptions) -> Result<Coloring> {
    graph.check()?;
    on_cpu(graph, &Neighbors::default(), options)
}

impl LoadedGraph<'_> {
    /// Colors the vertices as [`color`](color()) does, with the same colors for each strategy.
    ///
    /// A GPU has all strategies but `largest-degree-first` and `greedy`; its `auto` is `speculative`, unless time is
    /// preferred or a model chooses. On a GPU, fails also if the graph does not fit its memory.
    ///
    /// ```
    /// use equipoise::prelude::*;
    ///
    /// let triangle = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 0)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &triangle)?;
    /// assert_eq!(loaded.color(&ColorOptions::default())?.count, 3);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn color(&self, options: &ColorOptions) -> Result<Coloring> {
        let degrees = self.cache.get::<OnceLock<ColorDegrees>>();
        self.run(
            |gpu_graph| gpu::color(gpu_graph, &degrees, options),
            || on_cpu(self.graph, &self.neighbors, options),
        )
    }

    /// The distribution of degrees over edges of either direction.
    ///
    /// Fails if memory does not suffice to merge the edges of both directions.
    pub fn neighbor_degrees(&self) -> Result<ColorDegrees> {
        self.graph.while_unchanged(|| {
            let (neighbors, _) = self.neighbors.csr(self.graph)?;
            let degrees = self.cache.get::<OnceLock<ColorDegrees>>();
            Ok(*degrees.get_or_init(|| ColorDegrees::new(neighbors)))
        })
    }
}

/// Runs on a sound graph whose neighbours may be cached.
fn on_cpu(graph: &Graph, cached: &Neighbors, options: &ColorOptions) -> Result<Coloring> {
    options.check()?;
    let choose = || options.resolved("cpu", graph, ColorCandidate::of_cpu(), |_| true);
    let (options, choose_time) = timed(choose);
    let (neighbors, merge_time) = cached.csr(graph)?;
    color_neighbors(neighbors, &options?, merge_time + choose_time)
}

/// Fails without memory for colors, iterations, and the state and lists of the strategy.
fn check_memory(vertices: u32, strategy: ColorStrategy) -> Result<()> {
    let words_per_vertex = if strategy == ColorStrategy::Speculative { 7 } else { 5 };
    let bytes = memory::bytes_of::<u32>(u64::from(vertices) * words_per_vertex);
    Ok(memory::check(format_args!("coloring {vertices} vertices by {strategy}"), bytes)?)
}

/// Colors vertices whose neighbours were found in the time `prepare`.
pub(crate) fn color_neighbors(
    neighbors: &Csr,
    options: &ColorOptions,
    prepare: Duration,
) -> Result<Coloring> {
    let strategy = options.strategy.on_cpu(neighbors)?;
    check_memory(neighbors.rows(), strategy)?;
    let (mut colored, run) = timed(|| match strategy {
        ColorStrategy::Greedy => greedy::greedy(neighbors),
        ColorStrategy::JonesPlassmann => parallel::jones_plassmann(neighbors, options.seed),
        ColorStrategy::Hybrid => parallel::hybrid(neighbors, options),
        ColorStrategy::MultiHash => multi_hash::multi_hash(neighbors, options, options.hashes),
        // The local maxima and minima of a single random number.
        ColorStrategy::MinMax => multi_hash::multi_hash(neighbors, options, 1),
        ColorStrategy::Speculative => speculative::speculative(neighbors, options),
        _ => parallel::largest_degree_first(neighbors, options.seed),
    });
    let count = colored.close_gaps();
    let Colored { colors, iterations, trace } = colored;
    let times = Times { prepare, ..times_of_steps(&trace.steps, run) };
    Ok(Coloring { colors, count, iterations, strategy, trace, queues: None, times })
}

impl ColorStrategy {
    /// The strategy on the cpu, with `auto` resolved. On small graphs, sequential greedy is faster than two threads with
    /// largest-degree-first, because rounds have too few vertices; they break even at two million vertices and edges. Of
    /// the parallel strategies, largest-degree-first needs the fewest colors.
    fn on_cpu(self, neighbors: &Csr) -> Result<Self> {
        let size = u64::from(neighbors.rows()) + neighbors.entries();
        match self {
            ColorStrategy::Auto if size <= GREEDY_UP_TO => Ok(ColorStrategy::Greedy),
            ColorStrategy::Auto => Ok(ColorStrategy::LargestDegreeFirst),
            ColorStrategy::WorkStealing => Err(Error::Option(
                "the strategy `work-stealing` is for GPUs: on the cpu the threads of every strategy \
                 steal work from each other"
                    .into(),
            )),
            strategy => Ok(strategy),
        }
    }
}
