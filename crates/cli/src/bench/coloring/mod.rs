//! Coloring (Che et al.): by every strategy that the device has, from queues, and how it goes on.

mod progress;
mod queues;
mod switch;

use equipoise::{ColorOptions, ColorStrategy, Coloring, color_on};
use equipoise_report::data::{ColoringTime, Degrees};

use super::{
    degrees,
    runner::{Bench, Trial},
    suite::Subject,
};
use crate::measure::Measured;

pub fn run(bench: &mut Bench, subject: &Subject) {
    bench.results.degrees.push(Degrees {
        graph: subject.name.clone(),
        counts: degrees::counts(degrees::of(&subject.graph)),
    });
    for &strategy in strategies(bench.on_gpu()) {
        let options = ColorOptions { strategy, ..ColorOptions::default() };
        let Some(measured) = color(bench, subject, strategy.name(), &options) else { continue };
        bench.results.coloring.push(ColoringTime {
            graph: subject.name.clone(),
            strategy: strategy.name().into(),
            seconds: measured.runs.time().as_secs_f64(),
            colors: measured.result.count,
        });
        if matches!(strategy, ColorStrategy::JonesPlassmann | ColorStrategy::Hybrid) {
            progress::add(bench, subject, &measured.result);
        }
        if strategy == ColorStrategy::Hybrid {
            switch::run(bench, subject, &measured.result);
        }
    }
    if bench.on_gpu() {
        queues::run(bench, subject);
    }
}

fn color(
    bench: &mut Bench,
    subject: &Subject,
    strategy: &str,
    options: &ColorOptions,
) -> Option<Measured<Coloring>> {
    let (device, graph) = (bench.device, &subject.graph);
    bench.measure(
        subject,
        Trial { algorithm: "color", strategy },
        || color_on(device, graph, options),
        |coloring| (coloring.times, coloring.trace.clone()),
        |coloring| coloring.verify(graph),
    )
}

fn strategies(on_gpu: bool) -> &'static [ColorStrategy] {
    use ColorStrategy::{
        Greedy, Hybrid, JonesPlassmann, LargestDegreeFirst, MultiHash, Speculative, WorkStealing,
    };
    match on_gpu {
        true => &[JonesPlassmann, WorkStealing, Hybrid, MultiHash, Speculative],
        false => &[JonesPlassmann, Hybrid, MultiHash, Speculative, LargestDegreeFirst, Greedy],
    }
}
