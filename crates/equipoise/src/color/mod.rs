//! Vertex coloring: no two neighbours of one color, with few colors.
//!
//! `jones-plassmann`, `min-max`, `work-stealing` and `hybrid` are those of Che, Rodgers, Beckmann and
//! Reinhardt, "Graph Coloring on the GPU and Some Techniques to Improve Load Imbalance" (2015): each
//! iteration colors an independent set with a color of its own, `min-max` two. The others are not in that paper.

mod candidate;
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
mod spread;
mod switch;
mod verify;

use std::time::Duration;

use equipoise_graph::{Csr, Graph, memory};

pub(crate) use self::gpu::color as on_gpu;
pub use self::{
    candidate::ColorCandidate,
    degrees::ActiveDegrees,
    learned_switch::ColorSwitchModel,
    options::{ColorOptions, ColorPreference, ColorStrategy},
    queues::{QueuePass, QueueUse},
    spread::ColorDegrees,
    switch::{ColorProgress, ColorRule, ColorSwitch},
};
use crate::{Error, NONE, Result, Times, Trace, neighbors::Neighbors, times::timed};

/// A color for each vertex.
///
/// ```
/// use equipoise::color::{ColorOptions, color};
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
    /// The iteration that each vertex got its color in, counted from 0.
    pub iterations: Vec<u32>,
    /// The strategy used; never `auto`.
    pub strategy: ColorStrategy,
    /// One step an iteration: the vertices still uncolored at its start, the edges looked at, the
    /// vertices colored, and whether it went by `degree`, by `random` numbers, by `first-fit`, or
    /// colored all `again`. The first step of an order includes making it.
    pub trace: Trace,
    /// What came of the queues, where there were any.
    pub queues: Option<QueueUse>,
    /// Where the time went; `prepare` is reversing edges and dropping duplicates where needed.
    pub times: Times,
}

/// What a strategy gives.
struct Colored {
    /// The color of each vertex; there may be some that no vertex has.
    colors: Vec<u32>,
    /// The iteration that each vertex was colored in.
    iterations: Vec<u32>,
    trace: Trace,
}

impl Colored {
    /// Nothing colored yet.
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

    /// One more than the largest color.
    fn count(&self) -> u32 {
        count(&self.colors)
    }

    /// Numbers the colors anew, so that each has a vertex, and gives their number.
    fn close_gaps(&mut self) -> u32 {
        let mut used = vec![false; self.count() as usize];
        self.colors.iter().for_each(|&color| used[color as usize] = true);
        let mut next = 0;
        let new: Vec<u32> = used
            .iter()
            .map(|&used| {
                next += u32::from(used);
                next.saturating_sub(1)
            })
            .collect();
        self.colors.iter_mut().for_each(|color| *color = new[*color as usize]);
        next
    }
}

/// One more than the largest of colors.
fn count(colors: &[u32]) -> u32 {
    colors.iter().max().map_or(0, |largest| largest + 1)
}

/// The most vertices and directed edges, taken together, that `auto` colors sequentially.
const GREEDY_UP_TO: u64 = 1 << 20;

/// Colors the vertices so that no edge joins two of one color, on the cpu.
///
/// The direction and number of edges between two vertices do not matter, nor do self-loops. The
/// coloring depends on the graph, the strategy and its options, but never on the number of
/// threads, nor on the device. With first fit (`speculative`, `largest-degree-first`, `greedy`)
/// there is at most one color more than the largest degree.
///
/// There are never more iterations than vertices, of `speculative` than twice as many and 32.
/// Beside the graph, needs about 24 bytes a vertex, and 8 to 16 bytes an edge where it is directed
/// or has self-loops or parallel edges.
///
/// ```
/// use equipoise::color::{ColorOptions, color};
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
    on_cpu(graph, &Neighbors::default(), options)
}

/// The same for a sound graph, with the neighbours that were kept of it.
pub(crate) fn on_cpu(graph: &Graph, kept: &Neighbors, options: &ColorOptions) -> Result<Coloring> {
    options.check()?;
    let choose = || options.chosen("cpu", graph, ColorCandidate::of_cpu(), |_| true);
    let (options, choosing) = timed(choose);
    let (neighbors, finding) = kept.of(graph)?;
    color_neighbors(neighbors, &options?, finding + choosing)
}

/// Refuses what there is no memory for: a color and an iteration of each vertex, what strategies
/// know of it, and what they list, all at once by `speculative`.
fn check_memory(vertices: u32, strategy: ColorStrategy) -> Result<()> {
    let numbers = match strategy {
        ColorStrategy::Speculative => 7,
        _ => 5,
    };
    let bytes = memory::bytes_of::<u32>(u64::from(vertices) * numbers);
    Ok(memory::check(format_args!("coloring {vertices} vertices by {strategy}"), bytes)?)
}

/// Colors vertices whose neighbours were found in the time given.
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
        // One random number: those of its largest and those of its smallest.
        ColorStrategy::MinMax => multi_hash::multi_hash(neighbors, options, 1),
        ColorStrategy::Speculative => speculative::speculative(neighbors, options),
        _ => parallel::largest_degree_first(neighbors, options.seed),
    });
    let count = colored.close_gaps();
    let kernel: Duration = colored.trace.steps.iter().map(|step| step.time).sum();
    let overhead = run.saturating_sub(kernel);
    let times = Times { prepare, kernel, overhead, ..Times::default() };
    let Colored { colors, iterations, trace } = colored;
    Ok(Coloring { colors, count, iterations, strategy, trace, queues: None, times })
}

impl ColorStrategy {
    /// What `auto` stands for on the cpu. Sequential greedy takes about as long as two threads take
    /// for largest-degree-first at two million vertices and edges, and less below: rounds cost more
    /// than their few vertices. Above, largest-degree-first needs the fewest colors of the parallel
    /// strategies.
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
            given => Ok(given),
        }
    }
}
