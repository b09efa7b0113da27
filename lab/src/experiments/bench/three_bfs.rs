//! The three BFS of Pathak et al.: one thread per vertex, a queue, and a queue built by a scan.

use equipoise::{bfs::BfsOptions, traversal::Strategy};

use super::{
    runner::{Bench, Trial, size},
    subject::Subject,
};
use crate::report::data::MethodTime;

/// The paper's names, and the corresponding strategies.
const METHODS: [(&str, Strategy); 3] = [
    ("level by level (level-synchronous)", Strategy::LevelSynchronous),
    ("queue (node)", Strategy::Node),
    ("scan", Strategy::Scan),
];

pub(super) fn run(bench: &mut Bench, subject: &Subject) {
    let Some(device_graph) = bench.upload(subject, "three bfs") else { return };
    let (vertices, edges) = size(&subject.graph);
    for (method, strategy) in METHODS {
        let trial = Trial { algorithm: "three bfs", strategy: strategy.name() };
        let options = BfsOptions { strategy, ..BfsOptions::default() };
        if let Some(measured) = bench.bfs(subject, trial, &device_graph, &options) {
            bench.results.three_bfs.push(MethodTime {
                graph: subject.name.clone(),
                vertices,
                edges,
                method: method.into(),
                seconds: measured.runs.time().as_secs_f64(),
            });
        }
    }
}
