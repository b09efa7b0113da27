//! Experiments of the papers on the graphs of a suite, a file each.

mod apsp;
mod chunking;
mod coarsening;
mod coloring;
mod degrees;
mod levels;
mod runner;
mod searches;
mod splitting;
mod spmv;
mod sssp_over_cpu;
mod suite;
mod summary;
mod three_bfs;

use clap::ValueEnum;

use self::suite::Subject;
pub use self::{
    runner::Bench,
    suite::{Entry, read as read_suite},
    summary::table as summary,
};

/// What is measured: an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Section {
    /// BFS and SSSP by every strategy
    Searches,
    /// Degrees before and after splitting
    Splitting,
    /// The strategy edge with and without chunks
    Chunking,
    /// SpMV by every schedule
    Spmv,
    /// Every level of BFS by every strategy
    Levels,
    /// Coloring by every strategy, stealing, switch points
    Coloring,
    /// BFS by topology, node and scan
    ThreeBfs,
    /// SSSP on the GPU and on the cpu
    SsspOverCpu,
    /// SSSP with several vertices a unit
    Coarsening,
    /// All pairs by every strategy, on graphs of up to 4096 vertices
    Apsp,
}

impl Section {
    /// The name that users write.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether the cpu has nothing of it.
    pub fn needs_gpu(self) -> bool {
        match self {
            Self::Chunking | Self::ThreeBfs | Self::SsspOverCpu | Self::Coarsening => true,
            Self::Searches | Self::Splitting | Self::Spmv => false,
            Self::Levels | Self::Coloring | Self::Apsp => false,
        }
    }

    /// Measures it on a graph.
    fn run(self, bench: &mut Bench, subject: &Subject) {
        match self {
            Self::Searches => searches::run(bench, subject),
            Self::Splitting => splitting::run(bench, subject),
            Self::Chunking => chunking::run(bench, subject),
            Self::Spmv => spmv::run(bench, subject),
            Self::Levels => levels::run(bench, subject),
            Self::Coloring => coloring::run(bench, subject),
            Self::ThreeBfs => three_bfs::run(bench, subject),
            Self::SsspOverCpu => sssp_over_cpu::run(bench, subject),
            Self::Coarsening => coarsening::run(bench, subject),
            Self::Apsp => apsp::run(bench, subject),
        }
    }
}
