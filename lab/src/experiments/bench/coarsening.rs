//! Two-phase SSSP with several vertices per thread (Pathak et al.).

use equipoise::{
    sssp::SsspOptions,
    traversal::{Strategy, TraversalSettings},
};

use super::{
    runner::{Bench, Trial},
    subject::Subject,
};
use crate::report::data::Coarsening;

const FACTORS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

pub(super) fn run(bench: &mut Bench, subject: &Subject) {
    let Some(device_graph) = bench.upload(subject, "coarsening") else { return };
    for coarsening in FACTORS {
        let strategy = format!("two-phase, {coarsening} vertices a unit");
        let trial = Trial { algorithm: "coarsening", strategy: &strategy };
        let options = SsspOptions {
            strategy: Strategy::TwoPhase,
            gpu: TraversalSettings { coarsening, ..TraversalSettings::default() },
            ..SsspOptions::default()
        };
        if let Some(measured) = bench.sssp(subject, trial, &device_graph, &options) {
            bench.results.coarsening.push(Coarsening {
                graph: subject.name.clone(),
                factor: coarsening,
                seconds: measured.runs.time().as_secs_f64(),
            });
        }
    }
}
