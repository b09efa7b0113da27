//! What every experiment needs: a device, verified times, and a place for results.

use std::{cell::Cell, time::Duration};

use equipoise::{
    Bfs, BfsOptions, Error, GraphOn, Sssp, SsspOptions, Times, Trace, device::OpenDevice,
    graph::Graph, select::Model,
};
use equipoise_experiments::suite::Entry;
use equipoise_report::{Results, data::Refusal};

use super::{
    Section,
    left_out::{self, LeftOut},
    spmv,
    subject::Subject,
};
use crate::{
    failure::Failure,
    measure::{Measured, Plan},
    progress::StepBar,
};

/// Runs that take longer than this together are not repeated.
const PATIENCE: Duration = Duration::from_secs(1);

/// A run over a suite.
pub struct Bench<'a> {
    pub device: &'a OpenDevice,
    /// The policy for BFS that is shown beside the strategies, if there is one.
    pub model: Option<&'a Model>,
    /// How often each thing is timed.
    pub repeat: u32,
    plan: Plan,
    /// What was measured so far.
    pub results: Results,
    /// Wrong results, none of which has a time, and graphs that could not be loaded.
    pub failed: Vec<String>,
    /// What would have taken too long.
    pub left_out: Vec<LeftOut>,
}

/// What is run: an algorithm by a strategy.
#[derive(Clone, Copy)]
pub struct Trial<'a> {
    pub algorithm: &'a str,
    pub strategy: &'a str,
}

impl<'a> Bench<'a> {
    /// Nothing measured yet. Each time is to be the median of `repeat` runs.
    pub fn new(
        device: &'a OpenDevice,
        model: Option<&'a Model>,
        repeat: u32,
        results: Results,
    ) -> Self {
        let plan = Plan::verified(repeat).on(device).within(PATIENCE);
        Self { device, model, repeat, plan, results, failed: Vec::new(), left_out: Vec::new() }
    }

    /// Measures the sections on each graph in turn.
    pub fn run(&mut self, suite: &[Entry], sections: &[Section], bar: &StepBar) {
        for entry in suite {
            bar.say(&format!("loading {}", entry.name));
            let done = match sections {
                // Products alone do not need a graph: a matrix of any shape will do.
                [Section::Spmv] => entry.load_matrix().map_err(Failure::from).map(|matrix| {
                    spmv::run(self, &entry.name, &matrix);
                    bar.advance();
                }),
                _ => Subject::load(entry).map(|subject| self.run_on(&subject, sections, bar)),
            };
            if let Err(failure) = done {
                self.failed.push(failure.message().to_owned());
            }
        }
    }

    fn run_on(&mut self, subject: &Subject, sections: &[Section], bar: &StepBar) {
        for section in sections {
            bar.say(&format!("{} on {}", section.name(), subject.name));
            match section.too_large(subject, self.on_gpu()) {
                Some(why) => self.leave_out(subject, section.name(), why),
                None => section.run(self, subject),
            }
            bar.advance();
        }
    }

    /// Whether experiments run on a GPU.
    pub fn on_gpu(&self) -> bool {
        matches!(self.device, OpenDevice::Gpu(_))
    }

    /// Notes that something would take too long on a graph.
    pub fn leave_out(&mut self, subject: &Subject, what: String, why: String) {
        left_out::add(&mut self.left_out, subject, what, why);
    }

    /// What one run gives that measures by itself, verified. Where there is nothing, the results say
    /// why.
    pub fn once<R>(
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
    pub fn measure<R>(
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
    pub fn measure_on_cpu<R>(
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
            Err(failure) => {
                self.refuse(graph, trial, failure.message());
                if is_wrong.get() {
                    let Trial { algorithm, strategy } = trial;
                    let problem = failure.message();
                    self.failed.push(format!("{algorithm} / {graph} / {strategy}: {problem}"));
                }
                None
            }
        }
    }

    /// Notes why something has no time.
    pub fn refuse(&mut self, graph: &str, trial: Trial, reason: &str) {
        self.results.refusals.push(Refusal {
            algorithm: trial.algorithm.into(),
            graph: graph.into(),
            strategy: trial.strategy.into(),
            reason: reason.into(),
        });
    }

    /// The graph on the device, if it fits.
    pub fn upload<'g>(&mut self, subject: &'g Subject, algorithm: &str) -> Option<GraphOn<'g>> {
        match GraphOn::upload(self.device, &subject.graph) {
            Ok(there) => Some(there),
            Err(error) => {
                let trial = Trial { algorithm, strategy: "any" };
                self.refuse(&subject.name, trial, &error.to_string());
                None
            }
        }
    }

    /// BFS from the source of the subject.
    pub fn bfs(
        &mut self,
        subject: &Subject,
        trial: Trial,
        there: &GraphOn,
        options: &BfsOptions,
    ) -> Option<Measured<Bfs>> {
        self.measure(
            subject,
            trial,
            || there.bfs(subject.source, options),
            |bfs| (bfs.times, bfs.trace.clone()),
            |bfs| bfs.verify(&subject.graph, options),
        )
    }

    /// SSSP from the source of the subject.
    pub fn sssp(
        &mut self,
        subject: &Subject,
        trial: Trial,
        there: &GraphOn,
        options: &SsspOptions,
    ) -> Option<Measured<Sssp>> {
        self.measure(
            subject,
            trial,
            || there.sssp(subject.source, options),
            |sssp| (sssp.times, sssp.trace.clone()),
            |sssp| sssp.verify(&subject.graph, options),
        )
    }
}

/// The vertices and edges of a graph.
pub fn size(graph: &Graph) -> (u64, u64) {
    (graph.vertices().into(), graph.edges())
}
