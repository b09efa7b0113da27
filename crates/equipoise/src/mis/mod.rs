//! A maximal independent set: vertices of which no two are neighbours, and to which no vertex could be added.
//!
//! Every vertex has a priority. One that goes before all of its neighbours that are not decided yet joins the set, and
//! its neighbours are left out; so it goes on until all are decided. That vertices are decided in no particular order
//! and that those with few neighbours go first are ideas of Burtscher, Devale, Azimi, Jaiganesh and Powers, "A
//! High-Quality and Fast Maximal Independent Set Implementation for GPUs" (2018).

mod cpu;
mod gpu;
mod order;
mod verify;

use std::time::Duration;

use equipoise_graph::{Csr, Graph, memory};

use self::order::Order;
use crate::{LoadedGraph, Result, Times, Trace, neighbors::Neighbors, times::timed};

equipoise_graph::named_enum! {
    /// Which vertices go before others into the set.
    ///
    /// ```
    /// use equipoise::mis::MisPriority;
    ///
    /// assert_eq!("random".parse(), Ok(MisPriority::Random));
    /// ```
    #[derive(Default)]
    pub enum MisPriority("priority") {
        /// Those with fewer neighbours, and of as many those with the larger random number, of 16 bits: the set is
        /// larger. More than 65,534 neighbours count as so many.
        #[default]
        Degree = "degree",
        /// Those with the larger random number.
        Random = "random",
    }
}

/// Which maximal independent set to find.
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
    /// Which vertices go before others into the set.
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
/// use equipoise::graph::{Edges, GraphBuilder};
/// use equipoise::mis::{MisOptions, mis};
///
/// let star = GraphBuilder::new().build(Edges::from(vec![(0, 1), (0, 2), (3, 0)]))?;
/// let found = mis(&star, &MisOptions::default())?;
/// assert_eq!(found.in_set, [false, true, true, true]);
/// assert_eq!(found.members().collect::<Vec<_>>(), [1, 2, 3]);
/// assert_eq!(found.size, 3);
/// found.verify(&star, &MisOptions::default())?;
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Mis {
    /// For each vertex, whether it is in the set.
    pub in_set: Vec<bool>,
    /// How many vertices are in the set.
    pub size: u32,
    /// One step a round: the vertices not decided at its start, all edges that they have, and how many it decided. How
    /// many rounds there are depends on who is faster, as the set does not.
    pub trace: Trace,
    /// Where the time went; `prepare` is reversing edges and dropping duplicates where needed.
    pub times: Times,
}

impl Mis {
    fn of(in_set: Vec<bool>, trace: Trace, times: Times) -> Self {
        let size = in_set.iter().filter(|&&is_in| is_in).count() as u32;
        Self { in_set, size, trace, times }
    }

    /// The vertices of the set, in ascending order.
    pub fn members(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.in_set).filter(|(_, is_in)| **is_in).map(|(vertex, _)| vertex)
    }
}

/// Finds a maximal independent set, on the cpu.
///
/// The direction and number of edges between two vertices do not matter, nor do self-loops and weights. The set is the
/// one that taking one vertex after the other would find, in the order of their priorities: it depends on the graph and
/// the options alone, and is the same on every device and with any number of threads.
///
/// There are never more rounds than vertices, and mostly a dozen. Beside the graph, needs 20 bytes a vertex, and 8 to
/// 16 bytes an edge where it is directed or has self-loops or parallel edges.
///
/// ```
/// use equipoise::graph::{Edges, GraphBuilder};
/// use equipoise::mis::{MisOptions, mis};
///
/// let path = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// assert_eq!(mis(&path, &MisOptions::default())?.in_set, [true, false, true]);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn mis(graph: &Graph, options: &MisOptions) -> Result<Mis> {
    graph.check()?;
    on_cpu(graph, &Neighbors::default(), options)
}

impl LoadedGraph<'_> {
    /// Finds a maximal independent set, as [`mis`](mis()) does on the cpu, and the same one.
    ///
    /// Fails as that does; on a GPU also where the graph does not fit its memory.
    ///
    /// ```
    /// use equipoise::LoadedGraph;
    /// use equipoise::device::Device;
    /// use equipoise::graph::{Edges, GraphBuilder};
    /// use equipoise::mis::MisOptions;
    ///
    /// let triangle = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 0)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &triangle)?;
    /// assert_eq!(loaded.mis(&MisOptions::default())?.size, 1);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn mis(&self, options: &MisOptions) -> Result<Mis> {
        match &self.there {
            Some(there) => gpu::mis(there, &self.neighbors, options),
            None => on_cpu(self.graph, &self.neighbors, options),
        }
    }
}

/// The same for a sound graph, with the neighbours that were kept of it.
fn on_cpu(graph: &Graph, kept: &Neighbors, options: &MisOptions) -> Result<Mis> {
    let (neighbors, prepare) = kept.of(graph)?;
    check_memory(neighbors)?;
    let ((in_set, trace), run) = timed(|| cpu::mis(neighbors, Order::of(options)));
    let kernel: Duration = trace.steps.iter().map(|step| step.time).sum();
    let overhead = run.saturating_sub(kernel);
    Ok(Mis::of(in_set, trace, Times { prepare, kernel, overhead, ..Times::default() }))
}

/// Refuses what there is no memory for: a key and an answer for each vertex, and lists of those that are left.
fn check_memory(neighbors: &Csr) -> Result<()> {
    let vertices = neighbors.rows();
    let bytes = memory::bytes_of::<[u32; 5]>(vertices.into());
    Ok(memory::check(format_args!("an independent set of {vertices} vertices"), bytes)?)
}
