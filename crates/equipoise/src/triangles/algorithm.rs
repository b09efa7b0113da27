//! [`Algorithm`] for triangles.

use equipoise_graph::{Graph, numbers};

use super::{Triangles, TrianglesOptions, TrianglesStrategy};
use crate::{
    LoadedGraph, Result, Times, Trace,
    algorithm::{Algorithm, Column, Cost, Report, StepNames, Values, Verdict},
};

const RULES: &str = "each vertex is in as many as its neighbours have edges between them";

impl Algorithm for Triangles {
    const NAME: &'static str = "triangles";
    const SUMMARY: &'static str = "Count triangles, and how clustered vertices are";
    const EXAMPLES: &'static [&'static str] = &[
        "rmat:scale=14",
        "friends.csv -o clustering.csv",
        "links.mtx --device cuda --strategy binary-search --repeat 5",
    ];

    type Options = TrianglesOptions;

    fn find(graph: &LoadedGraph<'_>, options: &TrianglesOptions) -> Result<Self> {
        graph.triangles(options)
    }

    fn check(&self, graph: &Graph, _options: &TrianglesOptions) -> Result<Verdict> {
        self.verify(graph)?;
        Ok(Verdict::proved(RULES))
    }

    fn check_in_place(
        &self,
        graph: &LoadedGraph<'_>,
        options: &TrianglesOptions,
    ) -> Result<Verdict> {
        let on_gpu = |gpu_graph: &_| self.pass_on(gpu_graph);
        graph.check_in_place(RULES, on_gpu, || self.check(graph.graph(), options))
    }

    fn cost(graph: &Graph, _options: &TrianglesOptions) -> Cost {
        Cost::per_edge(graph, 150.0, 4.0)
    }

    fn runs_anywhere(options: &TrianglesOptions) -> bool {
        options.strategy == TrianglesStrategy::Auto
    }

    fn times(&self) -> Times {
        self.times
    }

    fn trace(&self) -> &Trace {
        &self.trace
    }

    fn step_names(_options: &TrianglesOptions) -> StepNames {
        StepNames {
            index: "step",
            strategy: "rows compared by",
            frontier: "vertices",
            found: "triangles",
        }
    }

    fn report(&self, _graph: &Graph, _options: &TrianglesOptions) -> Report<'_> {
        let count = numbers::counted(self.total, "triangle", "triangles");
        let (all, mean) = (self.transitivity(), self.average_clustering());
        Report::default()
            .line("found", format_args!("{count} ({})", self.strategy))
            .line("clustering", format_args!("{all:.6} (transitivity), {mean:.6} on average"))
            .fact("strategy", self.strategy.name())
            .fact("total", self.total)
            .fact("transitivity", all)
            .fact("average_clustering", mean)
            .per_vertex([
                Column::new("triangles", "counts", Values::U64(&self.counts)),
                Column::new("clustering", "clustering", Values::F64(self.clustering().into())),
            ])
    }

    fn tests(on_gpu: bool) -> Vec<(&'static str, TrianglesOptions)> {
        let has =
            |strategy: &&TrianglesStrategy| !on_gpu || **strategy != TrianglesStrategy::Bitmap;
        let test = |&strategy: &TrianglesStrategy| (strategy.name(), TrianglesOptions { strategy });
        TrianglesStrategy::ALL.iter().filter(has).map(test).collect()
    }

    fn reference(&self, _options: &TrianglesOptions) -> TrianglesOptions {
        TrianglesOptions::default()
    }

    fn difference(&self, reference: &Self, _options: &TrianglesOptions) -> Option<String> {
        (self.counts != reference.counts).then(|| "other counts than on the cpu".into())
    }
}
