//! The strategy `edge` with and without work chunking (Raval et al., Figure 11).

use equipoise::{
    LoadedGraph,
    bfs::BfsOptions,
    sssp::SsspOptions,
    traversal::{Strategy, TraversalSettings},
};

use super::{
    runner::{Bench, Trial},
    subject::Subject,
};
use crate::report::data::Chunking;

pub(super) fn run(bench: &mut Bench, subject: &Subject) {
    let Some(device_graph) = bench.upload(subject, "chunking") else { return };
    for (algorithm, time) in [("bfs", bfs as Time), ("sssp", sssp as Time)] {
        let times =
            (time(bench, subject, &device_graph, true), time(bench, subject, &device_graph, false));
        if let (Some(plain_seconds), Some(chunked_seconds)) = times {
            bench.results.chunking.push(Chunking {
                algorithm: algorithm.into(),
                graph: subject.name.clone(),
                plain_seconds,
                chunked_seconds,
            });
        }
    }
}

type Time = fn(&mut Bench, &Subject, &LoadedGraph, bool) -> Option<f64>;

fn bfs(
    bench: &mut Bench,
    subject: &Subject,
    device_graph: &LoadedGraph,
    no_chunking: bool,
) -> Option<f64> {
    let options = BfsOptions {
        strategy: Strategy::Edge,
        gpu: settings(no_chunking),
        ..BfsOptions::default()
    };
    let measured =
        bench.bfs(subject, trial("bfs chunking", no_chunking), device_graph, &options)?;
    Some(measured.runs.time().as_secs_f64())
}

fn sssp(
    bench: &mut Bench,
    subject: &Subject,
    device_graph: &LoadedGraph,
    no_chunking: bool,
) -> Option<f64> {
    let options = SsspOptions {
        strategy: Strategy::Edge,
        gpu: settings(no_chunking),
        ..SsspOptions::default()
    };
    let measured =
        bench.sssp(subject, trial("sssp chunking", no_chunking), device_graph, &options)?;
    Some(measured.runs.time().as_secs_f64())
}

fn settings(no_chunking: bool) -> TraversalSettings {
    TraversalSettings { no_chunking, ..TraversalSettings::default() }
}

fn trial(algorithm: &str, no_chunking: bool) -> Trial<'_> {
    Trial { algorithm, strategy: if no_chunking { "edge, one by one" } else { "edge, in chunks" } }
}
