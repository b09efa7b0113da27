//! Hybrid coloring with earlier and later switches to random numbers (Figure 8).

use equipoise::color::{ColorOptions, ColorStrategy, ColorSwitch, Coloring};

use super::{Bench, Subject, measured::color};
use crate::report::data::SwitchPoint;

/// The maximum number of switch points.
const MOST_POINTS: usize = 12;

/// Times switch points up to the iteration at which a run that switches on a stall has switched.
pub(super) fn run(bench: &mut Bench, subject: &Subject, stalled: &Coloring) {
    let by_degree = stalled.trace.steps.iter().filter(|step| step.strategy == "degree").count();
    for after in (0..=by_degree as u32).step_by(by_degree / MOST_POINTS + 1) {
        let options = ColorOptions {
            strategy: ColorStrategy::Hybrid,
            switch: ColorSwitch::After(after),
            ..ColorOptions::default()
        };
        let strategy = format!("hybrid, switch after {after}");
        if let Some(measured) = color(bench, subject, &strategy, &options) {
            bench.results.switch_points.push(SwitchPoint {
                graph: subject.name.clone(),
                switch_after: after,
                seconds: measured.runs.time().as_secs_f64(),
                colors: measured.result.count,
            });
        }
    }
}
