//! Experiments of the papers on the graphs of a suite, a file each.

mod apsp;
mod chunking;
mod coarsening;
mod coloring;
mod degrees;
mod left_out;
mod levels;
mod lines;
mod runner;
mod searches;
mod splitting;
mod spmv;
mod sssp_over_cpu;
mod subject;
mod three_bfs;
mod whole_graphs;

use self::{left_out::over, subject::Subject};
pub use runner::Bench;

/// Above, strategies that do not suit a graph, with the others beside them, take minutes together.
const MOST_EDGES: u64 = 40_000_000;
/// Above, those that have the host look at every level take a minute together.
const MOST_LEVELS: u64 = 5000;
/// Above, the slowest way to all pairs takes seconds.
const MOST_VERTICES: u64 = 4096;

equipoise::graph::named_enum! {
    /// What is measured: an experiment.
    ///
    /// ```
    /// use equipoise_lab::experiments::bench::Section;
    ///
    /// assert_eq!("three-bfs".parse(), Ok(Section::ThreeBfs));
    /// assert!(Section::ThreeBfs.needs_gpu() && !Section::Spmv.needs_gpu());
    /// ```
    pub enum Section("section") {
        /// BFS and SSSP by every strategy
        Searches = "searches",
        /// Degrees before and after splitting
        Splitting = "splitting",
        /// The strategy edge with and without chunks
        Chunking = "chunking",
        /// SpMV by every schedule
        Spmv = "spmv",
        /// Every level of BFS by every strategy
        Levels = "levels",
        /// Coloring by every strategy, stealing, switch points
        Coloring = "coloring",
        /// BFS by topology, node and scan
        ThreeBfs = "three-bfs",
        /// SSSP on the GPU and on the cpu
        SsspOverCpu = "sssp-over-cpu",
        /// SSSP with several vertices a unit
        Coarsening = "coarsening",
        /// All pairs by every strategy, on graphs of up to 4096 vertices
        Apsp = "apsp",
        /// Every algorithm on whole graphs, by what `auto` takes
        WholeGraphs = "whole-graphs",
    }
}

impl Section {
    /// Whether the cpu has nothing of it.
    pub fn needs_gpu(self) -> bool {
        match self {
            Self::Chunking | Self::ThreeBfs | Self::SsspOverCpu | Self::Coarsening => true,
            Self::Searches | Self::Splitting | Self::Spmv => false,
            Self::Levels | Self::Coloring | Self::Apsp | Self::WholeGraphs => false,
        }
    }

    /// Why a graph is too large for it, if it is. Edges are counted as a device stores them.
    fn too_large(self, subject: &Subject, on_gpu: bool) -> Option<String> {
        let edges = || over(subject.graph.edges(), MOST_EDGES, "edges");
        let levels = || over(subject.depth.into(), MOST_LEVELS, "levels").filter(|_| on_gpu);
        match self {
            Self::Apsp => over(subject.graph.vertices().into(), MOST_VERTICES, "vertices"),
            Self::Splitting | Self::Spmv | Self::SsspOverCpu => None,
            Self::Coloring | Self::WholeGraphs => edges(),
            Self::Searches | Self::Chunking | Self::Levels => edges().or_else(levels),
            Self::ThreeBfs | Self::Coarsening => edges().or_else(levels),
        }
    }

    /// Measures it on a graph.
    fn run(self, bench: &mut Bench, subject: &Subject) {
        match self {
            Self::Searches => searches::run(bench, subject),
            Self::Splitting => splitting::run(bench, subject),
            Self::Chunking => chunking::run(bench, subject),
            Self::Spmv => spmv::run_on(bench, &subject.name, &subject.graph),
            Self::Levels => levels::run(bench, subject),
            Self::Coloring => coloring::run(bench, subject),
            Self::ThreeBfs => three_bfs::run(bench, subject),
            Self::SsspOverCpu => sssp_over_cpu::run(bench, subject),
            Self::Coarsening => coarsening::run(bench, subject),
            Self::Apsp => apsp::run(bench, subject),
            Self::WholeGraphs => whole_graphs::run(bench, subject),
        }
    }
}
