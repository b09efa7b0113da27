//! The work of a run, from which `--device auto` chooses.

use equipoise_graph::{Graph, Weights};

/// The estimated work of a run: the time of a single CPU thread, and the bytes copied to and from a GPU.
///
/// ```
/// use equipoise::algorithm::{Cost, Gpus};
/// use equipoise::graph::{io::ReadOptions, load};
///
/// let graph = load("path:n=101", &ReadOptions::default())?;
/// let cost = Cost::per_edge(&graph, 5.0, 4.0).times(3);
/// assert_eq!((cost.nanoseconds, cost.bytes, cost.gpus), (3000.0, 800.0, Gpus::All));
/// # Ok::<(), equipoise::graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// The time of a single CPU thread.
    pub nanoseconds: f64,
    /// Bytes copied to a GPU and back, once for all runs.
    pub bytes: f64,
    /// The GPUs that support the run.
    pub gpus: Gpus,
}

/// The GPUs that support a run.
///
/// ```
/// use equipoise::algorithm::Gpus;
///
/// assert_ne!(Gpus::All, Gpus::None("it needs more memory than any has"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gpus {
    /// All.
    All,
    /// GPUs with sums of 64 bits.
    WithWideSums,
    /// All, but the cpu is faster, for this reason.
    Slower(&'static str),
    /// None, with the reason.
    None(&'static str),
}

impl Cost {
    /// A cost on all GPUs.
    pub fn new(nanoseconds: f64, bytes: f64) -> Self {
        Self { nanoseconds, bytes, gpus: Gpus::All }
    }

    /// The cost of a run with time and bytes linear in the edges.
    pub fn per_edge(graph: &Graph, nanoseconds: f64, bytes: f64) -> Self {
        let edges = graph.edges() as f64;
        Self::new(nanoseconds * edges, bytes * edges)
    }

    /// The cost of one breadth-first search.
    pub fn bfs(graph: &Graph) -> Self {
        Self::per_edge(graph, 3.0, 4.0)
    }

    /// The cost of one search by weights.
    pub fn sssp(graph: &Graph) -> Self {
        let is_wide = matches!(graph.weights(), Some(Weights::F64(_)));
        let gpus = if is_wide { Gpus::WithWideSums } else { Gpus::All };
        Self { gpus, ..Self::per_edge(graph, 20.0, 8.0) }
    }

    /// The same cost, for work in which no GPU strategy adds 64-bit weights.
    pub(crate) fn without_wide_sums(self) -> Self {
        match self.gpus {
            Gpus::WithWideSums => {
                Self { gpus: Gpus::None("weights of 64 bits are added up on the cpu"), ..self }
            }
            Gpus::All | Gpus::Slower(_) | Gpus::None(_) => self,
        }
    }

    /// The cost of several runs. The graph is copied once.
    pub fn times(self, runs: u64) -> Self {
        Self { nanoseconds: self.nanoseconds * runs as f64, ..self }
    }
}
