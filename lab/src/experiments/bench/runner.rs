//! What all experiments share: a device, verified times, and a collection of results.

use std::{cell::Cell, time::Duration};

use equipoise::{
    Error, LoadedGraph, Times, Trace,
    algorithm::Verdict,
    bfs::{Bfs, BfsOptions, BfsSearch},
    device::OpenDevice,
    graph::Graph,
    select::Model,
    sssp::{Sssp, SsspOptions, SsspSearch},
};
use equipoise_cli::runs::{Measured, Plan};

use super::{
    left_out::{self, LeftOut},
    subject::Subject,
};
use crate::report::{Results, data::Refusal};

/// Runs that take longer than this in total are not repeated.
const PATIENCE: Duration = Duration::from_secs(1);

/// The experiments on a suite.
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
    /// The policy for BFS that is compared with the strategies, if any.
    pub(super) model: Option<&'a Model>,
    /// The number of timed runs per measurement.
    pub(super) repeat: u32,
    plan: Plan,
    /// The results so far.
    pub results: Results,
    /// Wrong results, which have no time, and graphs that could not be loaded.
    pub failed: Vec<String>,
    left_out: Vec<LeftOut>,
}

/// A measured algorithm and strategy.
#[derive(Clone, Copy)]
pub(super) struct Trial<'a> {
    pub algorithm: &'a str,
    pub strategy: &'a str,
}

impl<'a> Bench<'a> {
    /// Creates an empty run, whose times are medians of `repeat` runs. `model` is a policy for BFS,
    /// whose candidates are [aligned](equipoise::bfs::Candidate::align).
    pub fn new(
        device: &'a OpenDevice,
        model: Option<&'a Model>,
        repeat: u32,
        results: Results,
    ) -> Self {
        let plan = Plan::verified(repeat).for_device(device).within(PATIENCE);
        Self { device, model, repeat, plan, results, failed: Vec::new(), left_out: Vec::new() }
    }

    /// A line about the skipped measurements; `None` if everything was measured.
    pub fn left_out(&self) -> Option<String> {
        (!self.left_out.is_empty()).then(|| left_out::summary(&self.left_out))
    }

    /// Whether experiments run on a GPU.
    pub(super) fn on_gpu(&self) -> bool {
        matches!(self.device, OpenDevice::Gpu(_))
    }

    /// Records that a measurement would take too long on a graph.
    pub(super) fn leave_out(&mut self, subject: &Subject, what: String, why: String) {
        left_out::add(&mut self.left_out, subject, what, why);
    }

    /// The verified result of a measurement that times itself. On failure, the results contain the
    /// reason.
    pub(super) fn once<R>(
        &mut self,
        graph: &str,
        trial: Trial,
        run: impl FnMut() -> equipoise::Result<R>,
        verify: impl Fn(&R) -> equipoise::Result<()>,
    ) -> Option<R> {
        let plan = Plan::once().for_device(self.device);
        let no_times = |_: &R| (Times::default(), Trace::default());
        self.measure_by(plan, graph, trial, run, no_times, verify).map(|measured| measured.result)
    }

    /// The median of verified runs on the device. On failure, the results contain the reason.
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

    /// Like [`Bench::measure`], on the cpu.
    pub(super) fn measure_on_cpu<R>(
        &mut self,
        subject: &Subject,
        trial: Trial,
        run: impl FnMut() -> equipoise::Result<R>,
        times: impl Fn(&R) -> (Times, Trace),
        verify: impl Fn(&R) -> equipoise::Result<()>,
    ) -> Option<Measured<R>> {
        let plan = self.plan.for_device(&OpenDevice::Cpu);
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
        let verify = |result: &R| {
            verify(result).inspect_err(|_| is_wrong.set(true))?;
            Ok(Verdict::proved("the result is right"))
        };
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

    /// Records why a measurement has no time.
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
            Ok(device_graph) => Some(device_graph),
            Err(error) => {
                let trial = Trial { algorithm, strategy: "any" };
                self.refuse(&subject.name, trial, &error.to_string());
                None
            }
        }
    }

    pub(super) fn bfs(
        &mut self,
        subject: &Subject,
        trial: Trial,
        device_graph: &LoadedGraph,
        options: &BfsOptions,
    ) -> Option<Measured<Bfs>> {
        self.measure(
            subject,
            trial,
            || device_graph.bfs(subject.source, options).and_then(BfsSearch::download),
            |bfs| (bfs.times, bfs.trace.clone()),
            |bfs| bfs.verify(&subject.graph, options),
        )
    }

    pub(super) fn sssp(
        &mut self,
        subject: &Subject,
        trial: Trial,
        device_graph: &LoadedGraph,
        options: &SsspOptions,
    ) -> Option<Measured<Sssp>> {
        self.measure(
            subject,
            trial,
            || device_graph.sssp(subject.source, options).and_then(SsspSearch::download),
            |sssp| (sssp.times, sssp.trace.clone()),
            |sssp| sssp.verify(&subject.graph, options),
        )
    }
}

pub(super) fn size(graph: &Graph) -> (u64, u64) {
    (graph.vertices().into(), graph.edges())
}
