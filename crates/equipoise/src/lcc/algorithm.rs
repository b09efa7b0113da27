//! [`Algorithm`] for local clustering coefficients.

use equipoise_graph::Graph;

use super::{Lcc, LccOptions};
use crate::{
    LoadedGraph, Result, Times, Trace,
    algorithm::{Algorithm, Column, Cost, Report, StepNames, Values, Verdict},
};

const RULES: &str = "each number is that of the directed edges between a vertex's neighbours";

impl Algorithm for Lcc {
    const NAME: &'static str = "lcc";
    const SUMMARY: &'static str =
        "Find local clustering coefficients as LDBC Graphalytics defines them";
    const EXAMPLES: &'static [&'static str] =
        &["rmat:scale=14", "links.csv -o clustering.csv", "graph500-22.e --device cuda --repeat 5"];

    type Options = LccOptions;

    fn find(graph: &LoadedGraph<'_>, _options: &LccOptions) -> Result<Self> {
        graph.lcc()
    }

    fn check(&self, graph: &Graph, _options: &LccOptions) -> Result<Verdict> {
        self.verify(graph)?;
        Ok(Verdict::proved(RULES))
    }

    /// Over an undirected graph the numbers are those of triangles, which a GPU can check.
    fn check_in_place(&self, graph: &LoadedGraph<'_>, options: &LccOptions) -> Result<Verdict> {
        let triangles = if graph.graph().is_undirected() { self.triangles() } else { None };
        let on_gpu = |gpu_graph: &_| match triangles {
            Some(triangles) => triangles.pass_on(gpu_graph),
            None => Ok(None),
        };
        graph.check_in_place(RULES, on_gpu, || self.check(graph.graph(), options))
    }

    fn cost(graph: &Graph, _options: &LccOptions) -> Cost {
        Cost::per_edge(graph, 150.0, 4.0)
    }

    fn times(&self) -> Times {
        self.times
    }

    fn trace(&self) -> &Trace {
        &self.trace
    }

    fn step_names(_options: &LccOptions) -> StepNames {
        StepNames { index: "step", strategy: "by", frontier: "vertices", found: "closed" }
    }

    fn report(&self, _graph: &Graph, _options: &LccOptions) -> Report<'_> {
        let (coefficients, average) = (self.coefficients(), self.average());
        Report::default()
            .line("clustering", format_args!("{average:.6} on average"))
            .fact("average", average)
            .per_vertex([
                Column::new("lcc", "coefficients", Values::F64(coefficients.into())),
                Column::new("closed", "closed", Values::U64(&self.closed)),
            ])
    }

    fn tests(_on_gpu: bool) -> Vec<(&'static str, LccOptions)> {
        vec![("triangles", LccOptions::default())]
    }

    fn difference(&self, reference: &Self, _options: &LccOptions) -> Option<String> {
        (self.closed != reference.closed).then(|| "other numbers than on the cpu".into())
    }
}
