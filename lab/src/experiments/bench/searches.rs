//! BFS and SSSP by every strategy of the device: time, preparation and memory (Raval et al.).

use equipoise::{
    Times,
    bfs::BfsOptions,
    sssp::SsspOptions,
    traversal::{Strategy, TraversalSettings},
};

use super::{
    lines,
    runner::{Bench, Trial},
    subject::Subject,
};
use crate::report::data::SearchTime;

pub(super) fn run(bench: &mut Bench, subject: &Subject) {
    let settings = TraversalSettings::default();
    let Some(device_graph) = bench.upload(subject, "searches") else { return };
    for &strategy in bfs_strategies(bench.on_gpu()) {
        let trial = Trial { algorithm: "bfs", strategy: strategy.name() };
        let options = BfsOptions { strategy, ..BfsOptions::default() };
        if let Some(measured) = bench.bfs(subject, trial, &device_graph, &options) {
            let bytes = strategy.bfs_bytes(&subject.graph, &settings);
            add(bench, subject, trial, measured.runs.median, bytes);
        }
    }
    for &strategy in sssp_strategies(bench.on_gpu()) {
        let trial = Trial { algorithm: "sssp", strategy: strategy.name() };
        let options = SsspOptions { strategy, ..SsspOptions::default() };
        if let Some(measured) = bench.sssp(subject, trial, &device_graph, &options) {
            let bytes = strategy.sssp_bytes(&subject.graph, &settings);
            add(bench, subject, trial, measured.runs.median, bytes);
        }
    }
}

/// The BFS strategies of a device, except `auto`, which is one of them.
pub(super) fn bfs_strategies(on_gpu: bool) -> &'static [Strategy] {
    if on_gpu {
        Strategy::BFS.strip_prefix(&[Strategy::Auto]).unwrap_or(Strategy::BFS)
    } else {
        &[Strategy::DirectionOptimising, Strategy::Node]
    }
}

fn sssp_strategies(on_gpu: bool) -> &'static [Strategy] {
    use Strategy::{
        Binned, Cube, Decompose, Delta, Dijkstra, Edge, EdgeReverse, EdgeTopology, Group,
        Hierarchy, MergePath, NearFar, Node, Plane, Scan, Split, Topology, TwoPhase, VirtualWarp,
    };
    if on_gpu {
        &[
            Delta,
            NearFar,
            Node,
            Topology,
            Edge,
            EdgeTopology,
            EdgeReverse,
            VirtualWarp,
            Decompose,
            Split,
            Hierarchy,
            Scan,
            Group,
            Plane,
            Cube,
            MergePath,
            Binned,
            TwoPhase,
        ]
    } else {
        &[Delta, Dijkstra]
    }
}

fn add(bench: &mut Bench, subject: &Subject, trial: Trial, times: Times, bytes: Option<u64>) {
    let on_gpu = bench.on_gpu();
    bench.results.searches.push(SearchTime {
        algorithm: trial.algorithm.into(),
        graph: subject.name.clone(),
        strategy: trial.strategy.into(),
        kernel_seconds: times.kernel.as_secs_f64(),
        overhead_seconds: times.overhead.as_secs_f64(),
        prepare_seconds: times.prepare.as_secs_f64(),
        device_bytes: bytes.filter(|_| on_gpu),
        lines_of_code: lines::lines_of(trial.strategy).filter(|_| on_gpu),
    });
}
