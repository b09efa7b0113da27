//! A maximal independent set: vertices of which no two are neighbours, and to which no vertex could be added.
//!
//! In each round, a vertex whose priority exceeds that of all its undecided neighbours joins the set, and its neighbours
//! are excluded, until every vertex is decided. Deciding vertices asynchronously and giving low degrees priority follows
//! Burtscher, Devale, Azimi, Jaiganesh and Powers, "A High-Quality and Fast Maximal Independent Set Implementation for
//! GPUs" (2018).

mod algorithm;
mod cpu;
mod gpu;
mod order;
mod verify;
mod verify_on_gpu;

use equipoise_graph::{Csr, Graph, memory};

use self::order::Order;
use crate::{
    LoadedGraph, Result, Times, Trace,
    neighbors::Neighbors,
    times::{timed, times_of_steps},
};

equipoise_graph::named_enum! {
    /// The vertices that have priority to join the set.
    ///
    /// ```
    /// use equipoise::mis::MisPriority;
    ///
    /// assert_eq!("random".parse(), Ok(MisPriority::Random));
    /// ```
    #[derive(Default)]
    pub enum MisPriority("priority") {
        /// Vertices of smaller degree, for a larger set; of equal degrees, the larger random number.
        ///
        /// Random numbers have 16 bits, and degrees above 65,534 count as equal.
        #[default]
        Degree = "degree",
        /// Vertices with larger random numbers.
        Random = "random",
    }
}

/// The choice of a maximal independent set.
///
/// ```
/// use equipoise::mis::{MisOptions, MisPriority};
///
/// let options = MisOptions::default();
/// assert_eq!((options.priority, options.seed), (MisPriority::Degree, 1));
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct MisOptions {
    /// The vertices that have priority to join the set.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub priority: MisPriority,
    /// The seed of the random numbers.
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", default_value_t = 1))]
    pub seed: u64,
}

impl Default for MisOptions {
    fn default() -> Self {
        Self { priority: MisPriority::default(), seed: 1 }
    }
}

/// A maximal independent set.
///
/// ```
/// use equipoise::{mis::mis, prelude::*};
///
/// let star = GraphBuilder::new().build(Edges::from(vec![(0, 1), (0, 2), (3, 0)]))?;
/// let found = mis(&star, &MisOptions::default())?;
/// assert_eq!(found.in_set, [false, true, true, true]);
/// assert_eq!(found.members().collect::<Vec<_>>(), [1, 2, 3]);
/// assert_eq!(found.size, 3);
/// found.verify(&star, &MisOptions::default())?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Mis {
    /// For each vertex, whether it is in the set.
    pub in_set: Vec<bool>,
    /// The number of vertices in the set.
    pub size: u32,
    /// One step per round: the undecided vertices at its start, their edges, and the number of vertices decided. The
    /// number of rounds depends on the timing of threads; the set does not.
    pub trace: Trace,
    /// Where the time went; `prepare` is reversing edges and dropping duplicates where needed.
    pub times: Times,
}

impl Mis {
    fn new(in_set: Vec<bool>, trace: Trace, times: Times) -> Self {
        let size = in_set.iter().filter(|&&is_in| is_in).count() as u32;
        Self { in_set, size, trace, times }
    }

    /// The vertices of the set, in ascending order.
    pub fn members(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.in_set).filter(|(_, is_in)| **is_in).map(|(vertex, _)| vertex)
    }
}

/// Finds a maximal independent set on the cpu.
///
/// The direction and number of edges between two vertices do not matter, nor do self-loops and weights. The set is the
/// one that a sequential greedy algorithm finds in the order of priorities: it depends on the graph and the options
/// alone, and is the same on every device and with any number of threads.
///
/// There are at most as many rounds as vertices, and usually a dozen. In addition to the graph, needs 20 bytes per
/// vertex, and 8 to 16 bytes per edge if the graph is directed or has self-loops or parallel edges.
///
/// ```
/// use equipoise::{mis::mis, prelude::*};
///
/// let path = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// assert_eq!(mis(&path, &MisOptions::default())?.in_set, [true, false, true]);
/// # Ok::<(), Error>(())
/// ```
pub fn mis(graph: &Graph, options: &MisOptions) -> Result<Mis> {
    graph.check()?;
    on_cpu(graph, &Neighbors::default(), options)
}

impl LoadedGraph<'_> {
    /// Finds the set that [`mis`](mis()) finds. On a GPU, fails also if the graph does not fit its memory.
    ///
    /// ```
    /// use equipoise::prelude::*;
    ///
    /// let triangle = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 0)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &triangle)?;
    /// assert_eq!(loaded.mis(&MisOptions::default())?.size, 1);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn mis(&self, options: &MisOptions) -> Result<Mis> {
        self.run(
            |gpu_graph| gpu::mis(gpu_graph, options),
            || on_cpu(self.graph, &self.neighbors, options),
        )
    }
}

/// Runs on a sound graph whose neighbours may be cached.
fn on_cpu(graph: &Graph, cached: &Neighbors, options: &MisOptions) -> Result<Mis> {
    let (neighbors, prepare) = cached.csr(graph)?;
    check_memory(neighbors)?;
    let ((in_set, trace), run) = timed(|| cpu::mis(neighbors, Order::new(options)));
    let times = times_of_steps(&trace.steps, run);
    Ok(Mis::new(in_set, trace, Times { prepare, ..times }))
}

fn check_memory(neighbors: &Csr) -> Result<()> {
    let vertices = neighbors.rows();
    // A key and the result per vertex, and lists of undecided vertices.
    let bytes = memory::bytes_of::<[u32; 5]>(vertices.into());
    Ok(memory::check(format_args!("an independent set of {vertices} vertices"), bytes)?)
}
