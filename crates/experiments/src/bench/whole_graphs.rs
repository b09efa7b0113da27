//! Algorithms on whole graphs, each by what `auto` takes.

use equipoise::{
    LoadedGraph, Result, Times, components::ComponentsOptions, graph::Graph,
    pagerank::PageRankOptions,
};
use equipoise_report::data::MethodTime;

use super::{
    runner::{Bench, Trial, size},
    subject::Subject,
};

/// An algorithm: its name, and a run of it, verified.
type Algorithm = (&'static str, fn(&LoadedGraph, &Graph) -> Result<Times>);

const ALGORITHMS: &[Algorithm] = &[
    ("components", |there, graph| {
        let found = there.components(&ComponentsOptions::default())?;
        found.verify(graph).map(|()| found.times)
    }),
    ("pagerank", |there, graph| {
        let options = PageRankOptions::default();
        let found = there.pagerank(&options)?;
        found.verify(graph, &options).map(|()| found.times)
    }),
];

pub(super) fn run(bench: &mut Bench, subject: &Subject) {
    let graph = &subject.graph;
    let (vertices, edges) = size(graph);
    for &(algorithm, run) in ALGORITHMS {
        let Some(there) = bench.upload(subject, algorithm) else { continue };
        let measured = bench.measure(
            subject,
            Trial { algorithm, strategy: "auto" },
            || run(&there, graph),
            |&times| (times, equipoise::Trace::default()),
            |_| Ok(()),
        );
        if let Some(measured) = measured {
            bench.results.whole_graphs.push(MethodTime {
                graph: subject.name.clone(),
                vertices,
                edges,
                method: algorithm.into(),
                seconds: measured.runs.time().as_secs_f64(),
            });
        }
    }
}
