//! [`Algorithm`] for spanning forests.

use std::borrow::Cow;

use equipoise_graph::{Graph, numbers};

use super::{MstOptions, MstStrategy, SpanningForest, TotalWeight};
use crate::{
    LoadedGraph, Result, Times, Trace,
    algorithm::{
        Algorithm, Column, Cost, Report, StepNames, Value, Values, Verdict, with_test_weights,
    },
};

/// What is proved.
const RULES: &str =
    "the edges close no circle, and no other edge is lighter than those on its path";

impl Algorithm for SpanningForest {
    const NAME: &'static str = "mst";
    const SUMMARY: &'static str = "Find a minimum spanning forest of an undirected graph";
    const EXAMPLES: &'static [&'static str] = &[
        "grid:width=300,height=200,weights=1..1000",
        "roads.csv --undirected -o forest.csv",
        "friends.mtx --device cuda --strategy boruvka --repeat 5",
    ];

    // The rows are edges: two vertices and a weight each.
    const HAS_ARRAY: bool = false;

    type Options = MstOptions;

    fn find(graph: &LoadedGraph<'_>, options: &MstOptions) -> Result<Self> {
        graph.mst(options)
    }

    fn check(&self, graph: &Graph, _options: &MstOptions) -> Result<Verdict> {
        self.verify(graph)?;
        Ok(Verdict::proved(RULES))
    }

    fn check_in_place(&self, graph: &LoadedGraph<'_>, options: &MstOptions) -> Result<Verdict> {
        let on_gpu = |gpu_graph: &_| self.passes_on(gpu_graph);
        graph.check_in_place(RULES, on_gpu, || self.check(graph.graph(), options))
    }

    fn cost(graph: &Graph, _options: &MstOptions) -> Cost {
        Cost::per_edge(graph, 15.0, 12.0)
    }

    fn runs_anywhere(options: &MstOptions) -> bool {
        options.strategy == MstStrategy::Auto
    }

    fn times(&self) -> Times {
        self.times
    }

    fn trace(&self) -> &Trace {
        &self.trace
    }

    fn step_names(_options: &MstOptions) -> StepNames {
        StepNames { index: "round", strategy: "which", frontier: "trees", found: "taken" }
    }

    fn report(&self, _graph: &Graph, _options: &MstOptions) -> Report<'_> {
        let edges = numbers::counted(self.edges.len() as u64, "edge", "edges");
        let (weight, total) = match self.total {
            TotalWeight::U64(weight) => (numbers::count(weight), Value::U64(weight)),
            TotalWeight::F64(weight) => (numbers::short(&weight), Value::F64(weight)),
        };
        let ends = |pick: fn(&(u32, u32)) -> u32| {
            Values::Vertices(self.edges.iter().map(pick).collect::<Vec<u32>>().into())
        };
        Report::default()
            .line("found", format_args!("{edges} ({})", self.strategy))
            .line("weight", weight)
            .line("trees", numbers::count(self.trees.into()))
            .fact("strategy", self.strategy.name())
            .fact("total", total)
            .fact("edges", self.edges.len())
            .fact("trees", self.trees)
            .rows([
                Column::new("source", "sources", ends(|edge| edge.0)),
                Column::new("target", "targets", ends(|edge| edge.1)),
                Column::new("weight", "weights", Values::Weights(&self.weights)),
            ])
    }

    fn tests(_on_gpu: bool) -> Vec<(&'static str, MstOptions)> {
        let test = |&strategy: &MstStrategy| (strategy.name(), MstOptions { strategy });
        MstStrategy::ALL.iter().map(test).collect()
    }

    fn test_graph<'a>(graph: &'a Graph, _options: &MstOptions) -> Result<Option<Cow<'a, Graph>>> {
        graph.is_undirected().then(|| with_test_weights(graph)).transpose()
    }

    fn reference(&self, _options: &MstOptions) -> MstOptions {
        MstOptions::default()
    }

    fn difference(&self, reference: &Self, _options: &MstOptions) -> Option<String> {
        (self.edges != reference.edges).then(|| "another forest than on the cpu".into())
    }
}
