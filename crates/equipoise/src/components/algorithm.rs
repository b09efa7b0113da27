//! [`Algorithm`] for components.

use equipoise_graph::{Graph, numbers};

use super::{Components, ComponentsOptions, ComponentsStrategy};
use crate::{
    LoadedGraph, Result, Times, Trace,
    algorithm::{Algorithm, Column, Cost, Report, StepNames, Values, Verdict},
};

/// What is proved of weak components, and of those of undirected graphs.
const WEAK_RULES: &str = "no edge joins two components, and trees join each vertex to its label";

impl Algorithm for Components {
    const NAME: &'static str = "components";
    const SUMMARY: &'static str =
        "Find the connected components, over edges of either direction or strongly connected";
    const EXAMPLES: &'static [&'static str] = &[
        "rmat:scale=16",
        "friends.csv -o components.csv",
        "links.csv --strong",
        "links.mtx --device cuda --strategy hooking --repeat 5",
    ];

    type Options = ComponentsOptions;

    fn find(graph: &LoadedGraph<'_>, options: &ComponentsOptions) -> Result<Self> {
        graph.components(options)
    }

    fn check(&self, graph: &Graph, _options: &ComponentsOptions) -> Result<Verdict> {
        self.verify(graph)?;
        Ok(Verdict::proved(if self.are_strong_of(graph) {
            "each vertex and its label reach each other, and the components have an order"
        } else {
            WEAK_RULES
        }))
    }

    fn check_in_place(
        &self,
        graph: &LoadedGraph<'_>,
        options: &ComponentsOptions,
    ) -> Result<Verdict> {
        let on_gpu = |gpu_graph: &_| self.pass_on(gpu_graph);
        graph.check_in_place(WEAK_RULES, on_gpu, || self.check(graph.graph(), options))
    }

    /// Strong components need the transpose, and at least two passes over the edges.
    fn cost(graph: &Graph, options: &ComponentsOptions) -> Cost {
        if options.strong && !graph.is_undirected() {
            Cost::per_edge(graph, 20.0, 8.0)
        } else {
            Cost::per_edge(graph, 4.0, 4.0)
        }
    }

    fn runs_anywhere(options: &ComponentsOptions) -> bool {
        options.strategy == ComponentsStrategy::Auto
    }

    fn times(&self) -> Times {
        self.times
    }

    fn trace(&self) -> &Trace {
        &self.trace
    }

    fn step_names(options: &ComponentsOptions) -> StepNames {
        let [strategy, frontier, found] = if options.strong {
            ["by", "left", "found"]
        } else {
            ["edges of each", "vertices", "joined"]
        };
        StepNames { index: "step", strategy, frontier, found }
    }

    fn report(&self, _graph: &Graph, _options: &ComponentsOptions) -> Report<'_> {
        let count = numbers::counted(self.count.into(), "component", "components");
        let strong = if self.strong { "strongly connected, " } else { "" };
        Report::default()
            .line("found", format_args!("{count} ({strong}{})", self.strategy))
            .line("largest", numbers::counted(self.largest.into(), "vertex", "vertices"))
            .fact("strategy", self.strategy.name())
            .fact("strong", self.strong)
            .fact("count", self.count)
            .fact("largest", self.largest)
            .per_vertex([Column::new("component", "labels", Values::Groups(&self.labels))])
    }

    fn tests(_on_gpu: bool) -> Vec<(&'static str, ComponentsOptions)> {
        let test = |&strategy: &ComponentsStrategy| {
            let strong = strategy == ComponentsStrategy::ForwardBackward;
            (strategy.name(), ComponentsOptions { strategy, strong })
        };
        ComponentsStrategy::ALL.iter().map(test).collect()
    }

    fn reference(&self, options: &ComponentsOptions) -> ComponentsOptions {
        ComponentsOptions { strong: options.strong, ..ComponentsOptions::default() }
    }

    fn difference(&self, reference: &Self, _options: &ComponentsOptions) -> Option<String> {
        (self.labels != reference.labels).then(|| "other labels than on the cpu".into())
    }
}
