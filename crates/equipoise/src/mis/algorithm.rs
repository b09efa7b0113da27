//! [`Algorithm`] for independent sets.

use equipoise_graph::{Graph, numbers};

use super::{Mis, MisOptions, MisPriority};
use crate::{
    LoadedGraph, Result, Times, Trace,
    algorithm::{Algorithm, Column, Cost, Report, StepNames, Values, Verdict},
};

/// What is proved.
const RULES: &str =
    "no two of the set are neighbours, and each vertex outside has one in it that goes first";

impl Algorithm for Mis {
    const NAME: &'static str = "mis";
    const SUMMARY: &'static str =
        "Find a maximal independent set: vertices of which no two are neighbours";
    const EXAMPLES: &'static [&'static str] = &[
        "rmat:scale=16",
        "friends.csv -o set.csv",
        "links.mtx --device cuda --priority random --seed 7 --repeat 5",
    ];

    type Options = MisOptions;

    fn find(graph: &LoadedGraph<'_>, options: &MisOptions) -> Result<Self> {
        graph.mis(options)
    }

    fn check(&self, graph: &Graph, options: &MisOptions) -> Result<Verdict> {
        self.verify(graph, options)?;
        Ok(Verdict::proved(RULES))
    }

    fn check_in_place(&self, graph: &LoadedGraph<'_>, options: &MisOptions) -> Result<Verdict> {
        let on_gpu = |gpu_graph: &_| self.passes_on(gpu_graph, options);
        graph.check_in_place(RULES, on_gpu, || self.check(graph.graph(), options))
    }

    fn cost(graph: &Graph, _options: &MisOptions) -> Cost {
        Cost::per_edge(graph, 5.0, 4.0)
    }

    fn times(&self) -> Times {
        self.times
    }

    fn trace(&self) -> &Trace {
        &self.trace
    }

    fn step_names(_options: &MisOptions) -> StepNames {
        StepNames { index: "round", strategy: "vertices", frontier: "undecided", found: "decided" }
    }

    fn report(&self, graph: &Graph, _options: &MisOptions) -> Report<'_> {
        let vertices = numbers::counted(graph.vertices().into(), "vertex", "vertices");
        let (size, rounds) = (numbers::count(self.size.into()), self.trace.steps.len());
        Report::default()
            .line("in the set", format_args!("{size} of {vertices}"))
            .line("rounds", numbers::count(rounds as u64))
            .fact("size", self.size)
            .fact("rounds", rounds)
            .per_vertex([Column::new("in_set", "in_set", Values::Bool(&self.in_set))])
    }

    fn tests(_on_gpu: bool) -> Vec<(&'static str, MisOptions)> {
        let test = |&priority: &MisPriority| (priority.name(), MisOptions { priority, seed: 3 });
        MisPriority::ALL.iter().map(test).collect()
    }

    fn difference(&self, reference: &Self, _options: &MisOptions) -> Option<String> {
        (self.in_set != reference.in_set).then(|| "another set than on the cpu".into())
    }
}
