//! Where `--device auto` runs: on whatever has the answer first.
//!
//! A GPU is ten times as fast once it has started and the graph is there, which takes longer than most
//! searches on the cpu. Figures are those of docs/performance.md, where the choice is compared with
//! what both take; what it needs to know is where one is several times as fast as the other.

use equipoise::graph::Graph;

use crate::numbers;

/// Seconds until a GPU has started: its driver, and kernels that were compiled before.
const GPU_START: f64 = 0.4;
/// Bytes a second to the memory of a GPU.
const UPLOAD: f64 = 8e9;
/// The time of a run on a GPU, in that on the cpu.
const GPU_SHARE: f64 = 0.1;
/// More threads do not make the cpu faster.
const MOST_THREADS: usize = 16;

/// An algorithm that both have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    Bfs,
    Sssp,
    Color,
}

impl Algorithm {
    /// The nanoseconds that one thread takes for each edge.
    fn nanoseconds(self) -> f64 {
        match self {
            Self::Bfs => 3.0,
            Self::Sssp => 20.0,
            Self::Color => 90.0,
        }
    }

    /// The bytes that a GPU reads for each edge.
    fn bytes(self) -> f64 {
        match self {
            Self::Bfs | Self::Color => 4.0,
            Self::Sssp => 8.0,
        }
    }
}

/// What an answer takes on either, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    cpu: f64,
    gpu: f64,
}

impl Estimate {
    /// Of so many runs of an algorithm on a graph.
    pub fn new(algorithm: Algorithm, graph: &Graph, runs: u64) -> Self {
        let threads = rayon::current_num_threads();
        Self::of(algorithm, graph.edges() as f64, runs as f64, threads)
    }

    fn of(algorithm: Algorithm, edges: f64, runs: f64, threads: usize) -> Self {
        let threads = threads.clamp(1, MOST_THREADS) as f64;
        let cpu = runs * edges * algorithm.nanoseconds() * 1e-9 / threads;
        let gpu = GPU_START + edges * algorithm.bytes() / UPLOAD + GPU_SHARE * cpu;
        Self { cpu, gpu }
    }

    /// Why the cpu has the answer first, if it has.
    pub fn for_cpu(self) -> Option<String> {
        let time = |seconds: f64| numbers::time(std::time::Duration::from_secs_f64(seconds));
        (self.cpu <= self.gpu).then(|| {
            let (cpu, gpu) = (time(self.cpu), time(self.gpu));
            format!("about {cpu} here, and {gpu} until a GPU has started and has the graph")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_search_is_for_the_cpu_and_many_are_for_a_gpu() {
        let rmat20 = 31e6;
        for (algorithm, runs, threads, is_for_cpu) in [
            (Algorithm::Bfs, 1.0, 16, true),
            (Algorithm::Bfs, 1000.0, 16, false),
            (Algorithm::Sssp, 1.0, 16, true),
            (Algorithm::Sssp, 100.0, 16, false),
            (Algorithm::Sssp, 2.0, 1, false),
            (Algorithm::Color, 1.0, 16, true),
            (Algorithm::Color, 1.0, 2, false),
        ] {
            let estimate = Estimate::of(algorithm, rmat20, runs, threads);
            assert_eq!(estimate.for_cpu().is_some(), is_for_cpu, "{algorithm:?} {runs} {threads}");
        }
    }
}
