//! All pairs by every strategy, on sufficiently small graphs (Pathak et al.).

use equipoise::{
    LoadedGraph, Trace,
    apsp::{ApspOptions, ApspStrategy},
};

use super::{
    runner::{Bench, Trial, size},
    subject::Subject,
};
use crate::report::data::MethodTime;

pub(super) fn run(bench: &mut Bench, subject: &Subject) {
    let (graph, device) = (&subject.graph, bench.device);
    let (vertices, edges) = size(graph);
    for strategy in [ApspStrategy::Sssp, ApspStrategy::Naive, ApspStrategy::Blocked] {
        let options = ApspOptions { strategy, ..ApspOptions::default() };
        let measured = bench.measure(
            subject,
            Trial { algorithm: "apsp", strategy: strategy.name() },
            || LoadedGraph::new(device, graph)?.apsp(&options),
            |apsp| (apsp.times, Trace::default()),
            |apsp| apsp.verify(graph),
        );
        if let Some(measured) = measured {
            bench.results.apsp.push(MethodTime {
                graph: subject.name.clone(),
                vertices,
                edges,
                method: strategy.name().into(),
                seconds: measured.runs.time().as_secs_f64(),
            });
        }
    }
}
