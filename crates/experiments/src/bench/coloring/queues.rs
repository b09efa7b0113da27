//! Coloring from queues, with and without stealing (Figure 3 and Table I).

use equipoise::color::{ColorOptions, ColorStrategy};
use equipoise_report::data::{QueueUse, Stealing};

use super::{Bench, Subject, color};

/// The numbers of queues, one a cube.
const QUEUES: [u32; 4] = [4, 8, 16, 32];

pub(super) fn run(bench: &mut Bench, subject: &Subject) {
    for queues in QUEUES {
        for stealing in [true, false] {
            let options = ColorOptions {
                strategy: ColorStrategy::WorkStealing,
                queues: Some(queues),
                no_steal: !stealing,
                ..ColorOptions::default()
            };
            let how = if stealing { "stealing" } else { "not stealing" };
            let strategy = format!("{queues} queues, {how}");
            let Some(measured) = color(bench, subject, &strategy, &options) else { continue };
            let consumed = measured.result.queues.as_ref().map(|used| QueueUse {
                max: used.max(),
                min: used.min(),
                mean: used.mean(),
                sigma: used.deviation(),
            });
            bench.results.stealing.push(Stealing {
                graph: subject.name.clone(),
                queues,
                stealing,
                seconds: measured.runs.time().as_secs_f64(),
                consumed,
            });
        }
    }
}
