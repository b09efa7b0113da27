//! [`Algorithm`] for betweenness.

use std::borrow::Cow;

use equipoise_graph::{Graph, Weights, numbers};

use super::{Betweenness, BetweennessOptions};
use crate::{
    LoadedGraph, Result, Times, Trace,
    algorithm::{
        Algorithm, Column, Cost, Gpus, Report, StepNames, Value, Values, Verdict, largest_of,
        with_test_weights,
    },
};

/// The allowed relative error of sums of 32 bits.
const NEAR: f64 = 1e-3;

impl Algorithm for Betweenness {
    const NAME: &'static str = "betweenness";
    const SUMMARY: &'static str =
        "Find how many shortest paths lead through each vertex, or over each edge";
    const EXAMPLES: &'static [&'static str] = &[
        "friends.csv --undirected -o betweenness.csv",
        "rmat:scale=16 --random-sources 64 --device cuda",
        "roads.gr --weighted --random-sources 100 --seed 7",
        "friends.csv --undirected --edges -o edges.csv",
    ];
    const CAN_SAMPLE: bool = true;

    type Options = BetweennessOptions;

    fn find(graph: &LoadedGraph<'_>, options: &BetweennessOptions) -> Result<Self> {
        graph.betweenness(options)
    }

    fn check(&self, graph: &Graph, options: &BetweennessOptions) -> Result<Verdict> {
        self.verify(graph, options)?;
        Ok(Verdict::proved(if self.edges.is_some() {
            "the value of each vertex and edge is that of sequential searches, within rounding"
        } else {
            "the value of each vertex is that of sequential searches, within rounding"
        }))
    }

    fn check_in_place(
        &self,
        graph: &LoadedGraph<'_>,
        options: &BetweennessOptions,
    ) -> Result<Verdict> {
        let rules = "the value of each vertex is that of other searches, within rounding";
        let on_gpu = |gpu_graph: &_| self.passes_on(gpu_graph, options);
        graph.check_in_place(rules, on_gpu, || self.check(graph.graph(), options))
    }

    // Two passes over the edges per source.
    fn cost(graph: &Graph, options: &BetweennessOptions) -> Cost {
        let weights = graph.weights().filter(|_| options.weighted);
        let nanoseconds = if weights.is_some() { 40.0 } else { 10.0 };
        let gpus = match weights {
            None | Some(Weights::U32(_)) => Gpus::All,
            Some(Weights::F32(_) | Weights::F64(_)) => {
                Gpus::None("betweenness by decimal weights is found on the cpu only")
            }
        };
        let sources = options.sources.as_ref().map_or(graph.vertices() as usize, Vec::len);
        Cost { gpus, ..Cost::per_edge(graph, nanoseconds, 4.0) }.times(sources as u64)
    }

    fn times(&self) -> Times {
        self.times
    }

    fn trace(&self) -> &Trace {
        &self.trace
    }

    fn step_names(_options: &BetweennessOptions) -> StepNames {
        StepNames { index: "step", strategy: "paths by", frontier: "sources", found: "reached" }
    }

    fn report(&self, graph: &Graph, _options: &BetweennessOptions) -> Report<'_> {
        let sources = numbers::counted(self.sources, "source", "sources");
        let how = if self.exact { "exact" } else { "an estimate" };
        let mut report = Report::default().line("found", format_args!("from {sources} ({how})"));
        let values = &self.vertices;
        let largest = largest_of(values);
        if let Some((vertex, value)) = largest {
            let id = graph.ids().id(vertex);
            report = report.line("largest", format_args!("{value:.6} (vertex {id})"));
        }
        let report = report
            .fact("sources", self.sources)
            .fact("exact", self.exact)
            .fact("single_precision", self.single_precision)
            .fact("top", largest.map(|(vertex, _)| Value::id(graph, vertex)))
            .fact("largest", largest.map_or(0.0, |(_, value)| value))
            .per_vertex([Column::new("betweenness", "vertices", Values::F64(values.into()))]);
        match &self.edges {
            None => report,
            Some(edges) => report.rows([
                Column::new("source", "edge_sources", Values::Vertices((&edges.sources).into())),
                Column::new("target", "edge_targets", Values::Vertices((&edges.targets).into())),
                Column::new("betweenness", "edge_values", Values::F64((&edges.values).into())),
            ]),
        }
    }

    fn sources(options: &mut BetweennessOptions) -> Option<&mut Option<Vec<u32>>> {
        Some(&mut options.sources)
    }

    fn tests(_on_gpu: bool) -> Vec<(&'static str, BetweennessOptions)> {
        let plain = BetweennessOptions::default();
        let edges = BetweennessOptions { edges: true, endpoints: true, ..plain.clone() };
        let weights = BetweennessOptions { weighted: true, ..plain.clone() };
        vec![("vertices", plain), ("edges", edges), ("weights", weights)]
    }

    fn test_graph<'a>(
        graph: &'a Graph,
        options: &BetweennessOptions,
    ) -> Result<Option<Cow<'a, Graph>>> {
        Ok(Some(if options.weighted { with_test_weights(graph)? } else { Cow::Borrowed(graph) }))
    }

    fn difference(&self, reference: &Self, _options: &BetweennessOptions) -> Option<String> {
        let values = |result: &Self| {
            let edges = result.edges.iter().flat_map(|edges| edges.values.clone());
            result.vertices.iter().copied().chain(edges).collect::<Vec<f64>>()
        };
        let (ours, theirs) = (values(self), values(reference));
        let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= NEAR * b;
        let are_near = ours.len() == theirs.len() && ours.iter().zip(&theirs).all(is_near);
        (!are_near).then(|| "other numbers than on the cpu".into())
    }
}
