//! [`Algorithm`] for CDLP.

use equipoise_graph::{Graph, numbers};

use super::{Cdlp, CdlpOptions};
use crate::{
    LoadedGraph, Result, Times, Trace,
    algorithm::{Algorithm, Column, Cost, Report, StepNames, Values, Verdict},
};

const RULES: &str = "every iteration was repeated, by sorting the labels around each vertex";

impl Algorithm for Cdlp {
    const NAME: &'static str = "cdlp";
    const SUMMARY: &'static str =
        "Propagate labels as LDBC Graphalytics does: the most frequent, all vertices at once";
    const EXAMPLES: &'static [&'static str] = &[
        "friends.csv -o labels.csv",
        "graph500-22.e --max-iterations 10 --device cuda",
        "rmat:scale=16,directed=true --repeat 5",
    ];

    type Options = CdlpOptions;

    fn find(graph: &LoadedGraph<'_>, options: &CdlpOptions) -> Result<Self> {
        graph.cdlp(options)
    }

    fn check(&self, graph: &Graph, options: &CdlpOptions) -> Result<Verdict> {
        self.verify(graph, options)?;
        Ok(Verdict::proved(RULES))
    }

    fn cost(graph: &Graph, options: &CdlpOptions) -> Cost {
        // Labels mostly settle within ten iterations.
        let iterations = f64::from(options.max_iterations.min(10));
        Cost::per_edge(graph, 8.0 * iterations, 4.0)
    }

    fn times(&self) -> Times {
        self.times
    }

    fn trace(&self) -> &Trace {
        &self.trace
    }

    fn step_names(_options: &CdlpOptions) -> StepNames {
        StepNames { index: "iteration", strategy: "by", frontier: "vertices", found: "changed" }
    }

    fn report(&self, _graph: &Graph, _options: &CdlpOptions) -> Report<'_> {
        let count = numbers::counted(self.count.into(), "label", "labels");
        let iterations = numbers::counted(self.trace.steps.len() as u64, "iteration", "iterations");
        let settled =
            if self.converged { "no label changes any more" } else { "labels still change" };
        Report::default()
            .line("found", format_args!("{count} after {iterations}: {settled}"))
            .line("largest", numbers::counted(self.largest.into(), "vertex", "vertices"))
            .fact("count", self.count)
            .fact("largest", self.largest)
            .fact("iterations", self.trace.steps.len() as u64)
            .fact("converged", self.converged)
            .per_vertex([Column::new("label", "labels", Values::Vertices((&self.labels).into()))])
    }

    fn tests(_on_gpu: bool) -> Vec<(&'static str, CdlpOptions)> {
        let once = CdlpOptions { max_iterations: 1 };
        vec![("once", once), ("ten iterations", CdlpOptions::default())]
    }

    fn difference(&self, reference: &Self, _options: &CdlpOptions) -> Option<String> {
        (self.labels != reference.labels).then(|| "other labels than on the cpu".into())
    }
}
