//! What every experiment needs: a device, verified times, and a place for results.

use std::{cell::Cell, time::Duration};

use equipoise::{
    Error, LoadedGraph, Times, Trace,
    bfs::{Bfs, BfsOptions, BfsSearch},
    device::OpenDevice,
    graph::Graph,
    select::Model,
    sssp::{Sssp, SsspOptions, SsspSearch},
};
use equipoise_cli::{
    progress::StepBar,
    runs::{Measured, Plan},
    suite::Entry,
};

use super::{
    Section,
    left_out::{self, LeftOut},
    spmv,
    subject::Subject,
};
use crate::{
    experiments,
    report::{Results, data::Refusal},
};

/// Runs that take longer than this together are not repeated.
const PATIENCE: Duration = Duration::from_secs(1);

/// A run over a suite.
///
/// ```
/// use equipoise::device::Device;
/// use equipoise_cli::{progress::StepBar, suite};
/// use equipoise_lab::{experiments::bench::{Bench, Section}, report::Results};
///
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("suite.txt");
/// std::fs::write(&path, "ring  cycles  cycle:n=9\n").unwrap();
/// let device = Device::Cpu.open().unwrap();
/// let mut bench = Bench::new(&device, None, 1, Results::new("a run", "today"));
/// bench.run(&suite::read(&path, None)?, &[Section::Spmv], &StepBar::new(1, true));
/// assert_eq!(bench.results.spmv.len(), 2);
/// assert!(bench.failed.is_empty() && bench.left_out().is_none());
/// # Ok::<(), suite::SuiteError>(())
/// ```
pub struct Bench<'a> {
    pub(super) device: &'a OpenDevice,
    /// The policy for BFS that is shown beside the strategies, if there is one.
    pub(super) model: Option<&'a Model>,
    /// How often each thing is timed.
    pub(super) repeat: u32,
    plan: Plan,
    /// What was measured so far.
    pub results: Results,
    /// Wrong results, none of which has a time, and graphs that could not be loaded.
    pub failed: Vec<String>,
    left_out: Vec<LeftOut>,
}

/// What is run: an algorithm by a strategy.
#[derive(Clone, Copy)]
pub(super) struct Trial<'a> {
    pub algorithm: &'a str,
    pub strategy: &'a str,
}

impl<'a> Bench<'a> {
    /// Nothing measured yet. Each time is to be the median of `repeat` runs; the way of the model for
    /// BFS, whose candidates are [aligned](equipoise::bfs::Candidate::align), is shown through the levels.
    pub fn new(
        device: &'a OpenDevice,
        model: Option<&'a Model>,
        repeat: u32,
        results: Results,
    ) -> Self {
        let plan = Plan::verified(repeat).on(device).within(PATIENCE);
        Self { device, model, repeat, plan, results, failed: Vec::new(), left_out: Vec::new() }
    }

    /// Measures the sections on each graph in turn. The bar has one step for each section on each graph.
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
        // SpMV alone does not need a graph: it takes a matrix of any shape.
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

    /// What would have taken too long, in a line; nothing where all was measured.
    pub fn left_out(&self) -> Option<String> {
        (!self.left_out.is_empty()).then(|| left_out::told(&self.left_out))
    }

    /// Whether experiments run on a GPU.
    pub(super) fn on_gpu(&self) -> bool {
        matches!(self.device, OpenDevice::Gpu(_))
    }

    /// Notes that something would take too long on a graph.
    pub(super) fn leave_out(&mut self, subject: &Subject, what: String, why: String) {
        left_out::add(&mut self.left_out, subject, what, why);
    }

    /// What one run gives that measures by itself, verified. Where there is nothing, the results say
    /// why.
    pub(super) fn once<R>(
        &mut self,
        graph: &str,
        trial: Trial,
        run: impl FnMut() -> equipoise::Result<R>,
        verify: impl Fn(&R) -> equipoise::Result<()>,
    ) -> Option<R> {
        let plan = Plan::once().on(self.device);
        let no_times = |_: &R| (Times::default(), Trace::default());
        self.measure_by(plan, graph, trial, run, no_times, verify).map(|measured| measured.result)
    }

    /// The median of verified runs on the device. Where there is none, the results say why.
    pub(super) fn measure<R>(
        &mut self,
        subject: &Subject,
        trial: Trial,
        run: impl FnMut() -> equipoise::Result<R>,
        times: impl Fn(&R) -> (Times, Trace),
        verify: impl Fn(&R) -> equipoise::Result<()>,
    ) -> Option<Measured<R>> {
        self.measure_by(self.plan, &subject.name, trial, run, times, verify)
    }

    /// The same on the cpu.
    pub(super) fn measure_on_cpu<R>(
        &mut self,
        subject: &Subject,
        trial: Trial,
        run: impl FnMut() -> equipoise::Result<R>,
        times: impl Fn(&R) -> (Times, Trace),
        verify: impl Fn(&R) -> equipoise::Result<()>,
    ) -> Option<Measured<R>> {
        let plan = self.plan.on(&OpenDevice::Cpu);
        self.measure_by(plan, &subject.name, trial, run, times, verify)
    }

    fn measure_by<R>(
        &mut self,
        plan: Plan,
        graph: &str,
        trial: Trial,
        mut run: impl FnMut() -> equipoise::Result<R>,
        times: impl Fn(&R) -> (Times, Trace),
        verify: impl Fn(&R) -> equipoise::Result<()>,
    ) -> Option<Measured<R>> {
        let is_wrong = Cell::new(false);
        let note = |error: &Error| is_wrong.set(is_wrong.get() || matches!(error, Error::Wrong(_)));
        let run = || run().inspect_err(note);
        let verify = |result: &R| verify(result).inspect_err(|_| is_wrong.set(true));
        match plan.measure(run, times, verify) {
            Ok(measured) => Some(measured),
            Err(error) => {
                let problem = error.to_string();
                self.refuse(graph, trial, &problem);
                if is_wrong.get() {
                    let Trial { algorithm, strategy } = trial;
                    self.failed.push(format!("{algorithm} / {graph} / {strategy}: {problem}"));
                }
                None
            }
        }
    }

    /// Notes why something has no time.
    pub(super) fn refuse(&mut self, graph: &str, trial: Trial, reason: &str) {
        self.results.refusals.push(Refusal {
            algorithm: trial.algorithm.into(),
            graph: graph.into(),
            strategy: trial.strategy.into(),
            reason: reason.into(),
        });
    }

    /// The graph on the device, if it fits.
    pub(super) fn upload<'g>(
        &mut self,
        subject: &'g Subject,
        algorithm: &str,
    ) -> Option<LoadedGraph<'g>> {
        match LoadedGraph::new(self.device, &subject.graph) {
            Ok(there) => Some(there),
            Err(error) => {
                let trial = Trial { algorithm, strategy: "any" };
                self.refuse(&subject.name, trial, &error.to_string());
                None
            }
        }
    }

    /// BFS from the source of the subject.
    pub(super) fn bfs(
        &mut self,
        subject: &Subject,
        trial: Trial,
        there: &LoadedGraph,
        options: &BfsOptions,
    ) -> Option<Measured<Bfs>> {
        self.measure(
            subject,
            trial,
            || there.bfs(subject.source, options).and_then(BfsSearch::download),
            |bfs| (bfs.times, bfs.trace.clone()),
            |bfs| bfs.verify(&subject.graph, options),
        )
    }

    /// SSSP from the source of the subject.
    pub(super) fn sssp(
        &mut self,
        subject: &Subject,
        trial: Trial,
        there: &LoadedGraph,
        options: &SsspOptions,
    ) -> Option<Measured<Sssp>> {
        self.measure(
            subject,
            trial,
            || there.sssp(subject.source, options).and_then(SsspSearch::download),
            |sssp| (sssp.times, sssp.trace.clone()),
            |sssp| sssp.verify(&subject.graph, options),
        )
    }
}

/// The vertices and edges of a graph.
pub(super) fn size(graph: &Graph) -> (u64, u64) {
    (graph.vertices().into(), graph.edges())
}
