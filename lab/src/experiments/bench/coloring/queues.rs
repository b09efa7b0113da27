//! Coloring from queues, with and without stealing (Figure 3 and Table I).

use equipoise::color::{ColorOptions, ColorStrategy, QueuePass};

use super::{Bench, Subject, measured::color};
use crate::report::data::{QueueUse, Stealing};

/// The numbers of queues, one per cube.
const QUEUES: [u32; 4] = [4, 8, 16, 32];
/// The threads of a cube, and the vertices of an element: the paper's 19,928 vertices are 312
/// elements.
const GROUP: u32 = 64;

pub(super) fn run(bench: &mut Bench, subject: &Subject) {
    for queues in QUEUES {
        for stealing in [true, false] {
            let options = ColorOptions {
                strategy: ColorStrategy::WorkStealing,
                queues: Some(queues),
                no_steal: !stealing,
                cube_size: GROUP,
                ..ColorOptions::default()
            };
            let how = if stealing { "stealing" } else { "not stealing" };
            let strategy = format!("{queues} queues, {how}");
            let Some(measured) = color(bench, subject, &strategy, &options) else { continue };
            let queue_use = |pass: &QueuePass| QueueUse {
                max: pass.max,
                min: pass.min,
                mean: pass.mean,
                sigma: pass.deviation,
            };
            let used = measured.result.queues.as_ref();
            let all = used.map(|used| used.total());
            bench.results.stealing.push(Stealing {
                graph: subject.name.clone(),
                queues,
                stealing,
                seconds: measured.runs.time().as_secs_f64(),
                consumed: all.as_ref().map(queue_use),
                first_pass: used.and_then(|used| used.passes.first()).map(queue_use),
            });
        }
    }
}
