//! The papers' experiments on the graphs of a suite, one file per experiment.

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

use equipoise_cli::{progress::StepBar, suite::Entry};

use self::{left_out::over, subject::Subject};
use crate::experiments;

pub use runner::Bench;

/// Beyond this, strategies unsuited to a graph take minutes together.
const MOST_EDGES: u64 = 40_000_000;
/// Beyond this, strategies that synchronise with the host every level take a minute together.
const MOST_LEVELS: u64 = 5000;
/// Beyond this, the slowest strategy for all pairs takes seconds.
const MOST_VERTICES: u64 = 4096;

equipoise::graph::named_enum! {
    /// An experiment.
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
    /// Whether the cpu does not support it.
    pub fn needs_gpu(self) -> bool {
        match self {
            Self::Chunking | Self::ThreeBfs | Self::SsspOverCpu | Self::Coarsening => true,
            Self::Searches | Self::Splitting | Self::Spmv => false,
            Self::Levels | Self::Coloring | Self::Apsp | Self::WholeGraphs => false,
        }
    }

    /// The reason if a graph is too large for it. Edges are counted as stored on a device.
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

impl Bench<'_> {
    /// Measures the sections on each graph. The bar advances once per section and graph.
    pub fn run(&mut self, suite: &[Entry], sections: &[Section], bar: &StepBar) {
        for entry in suite {
            bar.say(&format!("loading {}", entry.name));
            if let Err(error) = self.run_entry(entry, sections, bar) {
                self.failed.push(error.to_string());
            }
        }
    }

    fn run_entry(
        &mut self,
        entry: &Entry,
        sections: &[Section],
        bar: &StepBar,
    ) -> experiments::Result<()> {
        // SpMV alone needs no graph, and takes matrices of any shape.
        if let [Section::Spmv] = sections {
            spmv::run(self, &entry.name, &entry.load_matrix()?);
            bar.advance();
        } else {
            self.run_on(&Subject::load(entry)?, sections, bar);
        }
        Ok(())
    }

    fn run_on(&mut self, subject: &Subject, sections: &[Section], bar: &StepBar) {
        for section in sections {
            bar.say(&format!("{} on {}", section.name(), subject.name));
            match section.too_large(subject, self.on_gpu()) {
                Some(why) => self.leave_out(subject, section.name().to_owned(), why),
                None => section.run(self, subject),
            }
            bar.advance();
        }
    }
}
