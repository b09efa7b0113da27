//! Algorithms on whole graphs, each by what `auto` takes.

use equipoise::{
    LoadedGraph, Result, Times, betweenness::BetweennessOptions, components::ComponentsOptions,
    graph::Graph, mis::MisOptions, mst::MstOptions, pagerank::PageRankOptions,
    triangles::TrianglesOptions,
};
use equipoise_cli::sources::up_to;

use super::{
    runner::{Bench, Trial, size},
    subject::Subject,
};
use crate::report::data::MethodTime;

/// An algorithm: its name, and a run of it, verified.
type Algorithm = (&'static str, fn(&LoadedGraph, &Graph) -> Result<Times>);

const ALGORITHMS: &[Algorithm] = &[
    ("components", |there, graph| {
        let found = there.components(&ComponentsOptions::default())?;
        found.verify(graph).map(|()| found.times)
    }),
    ("kcore", |there, graph| {
        let found = there.kcore()?;
        found.verify(graph).map(|()| found.times)
    }),
    ("mst", |there, graph| {
        let found = there.mst(&MstOptions::default())?;
        found.verify(graph).map(|()| found.times)
    }),
    ("mis", |there, graph| {
        let options = MisOptions::default();
        let found = there.mis(&options)?;
        found.verify(graph, &options).map(|()| found.times)
    }),
    ("pagerank", |there, graph| {
        let options = PageRankOptions::default();
        let found = there.pagerank(&options)?;
        found.verify(graph, &options).map(|()| found.times)
    }),
    ("triangles", |there, graph| {
        let found = there.triangles(&TrianglesOptions::default())?;
        found.verify(graph).map(|_| found.times)
    }),
    ("betweenness", |there, graph| {
        let sources = Some(up_to(graph, SOURCES, 1));
        let options = BetweennessOptions { sources, ..BetweennessOptions::default() };
        let found = there.betweenness(&options)?;
        found.verify(graph, &options).map(|()| found.times)
    }),
];

/// The sources that paths are counted from.
const SOURCES: u32 = 16;

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
