//! Coloring (Che et al.): by every strategy that the device has, from queues, and how it goes on.

mod progress;
mod queues;
mod switch;

use equipoise::{
    LoadedGraph,
    color::{ColorOptions, ColorStrategy, ColorSwitch, Coloring},
    graph::{Graph, stats::DegreeDistributions},
};
use equipoise_cli::runs::Measured;

use super::{
    degrees,
    left_out::over,
    runner::{Bench, Trial},
    subject::Subject,
};
use crate::report::data::{ColoringTime, Degrees};

/// Where a vertex has more neighbours, a strategy with a unit a vertex waits for the one that goes
/// through them, hundreds of times, and takes seconds.
const MOST_NEIGHBOURS: u64 = 20_000;
/// The same where such colorings are repeated with many settings.
const MOST_NEIGHBOURS_OF_MANY: u64 = 8192;

pub(super) fn run(bench: &mut Bench, subject: &Subject) {
    bench.results.degrees.push(Degrees {
        graph: subject.name.clone(),
        counts: degrees::counts(degrees::of(&subject.graph)),
    });
    let bounds = Bounds::of(bench, &subject.graph);
    for (name, options) in variants(bench.on_gpu()) {
        let strategy = options.strategy;
        if let Some(why) = bounds.single.clone().filter(|_| is_a_unit_a_vertex(strategy)) {
            bench.leave_out(subject, format!("coloring by {name}"), why);
            continue;
        }
        let Some(measured) = color(bench, subject, &name, &options) else { continue };
        bench.results.coloring.push(ColoringTime {
            graph: subject.name.clone(),
            strategy: name.clone(),
            seconds: measured.runs.time().as_secs_f64(),
            colors: measured.result.count,
        });
        if name != strategy.name() {
            continue;
        }
        if matches!(strategy, ColorStrategy::JonesPlassmann | ColorStrategy::Hybrid) {
            progress::add(bench, subject, &measured.result);
        }
        if strategy == ColorStrategy::Hybrid && bounds.many.is_none() {
            switch::run(bench, subject, &measured.result);
        }
    }
    match bounds.many {
        Some(why) => bench.leave_out(subject, "queues and switch points".into(), why),
        None if bench.on_gpu() => queues::run(bench, subject),
        None => {}
    }
}

/// Why some colorings are left out, if they are.
struct Bounds {
    /// Those with a unit a vertex.
    single: Option<String>,
    /// Those of one graph with many settings.
    many: Option<String>,
}

impl Bounds {
    /// The cpu has none: it goes through what a vertex has not been through.
    fn of(bench: &Bench, graph: &Graph) -> Self {
        let most = if bench.on_gpu() { most_neighbours(graph) } else { 0 };
        let of = "neighbours of a vertex";
        Self {
            single: over(most, MOST_NEIGHBOURS, of),
            many: over(most, MOST_NEIGHBOURS_OF_MANY, of),
        }
    }
}

/// Both directions of an edge make neighbours.
fn most_neighbours(graph: &Graph) -> u64 {
    DegreeDistributions::of(graph).map_or(0, |degrees| match graph.is_undirected() {
        true => degrees.leaving.max,
        false => degrees.both.max,
    })
}

fn is_a_unit_a_vertex(strategy: ColorStrategy) -> bool {
    use ColorStrategy::{Hybrid, JonesPlassmann, MinMax, WorkStealing};
    matches!(strategy, JonesPlassmann | MinMax | WorkStealing | Hybrid)
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
        || LoadedGraph::new(device, graph)?.color(options),
        |coloring| (coloring.times, coloring.trace.clone()),
        |coloring| coloring.verify(graph),
    )
}

/// Every strategy by its name, and what the paper leaves to the future: hybrid from queues, and
/// stealing within a work group.
fn variants(on_gpu: bool) -> Vec<(String, ColorOptions)> {
    // Hybrid as in the paper: how far it gets by degree is what is swept.
    let by = |strategy| {
        let switch = ColorSwitch::Stall;
        ColorOptions { strategy, switch, ..ColorOptions::default() }
    };
    let named = |&strategy: &ColorStrategy| (strategy.name().to_owned(), by(strategy));
    let mut variants: Vec<_> = strategies(on_gpu).iter().map(named).collect();
    if on_gpu {
        let steal = ColorOptions { steal: true, ..by(ColorStrategy::Hybrid) };
        let within = ColorOptions { steal_within: true, ..by(ColorStrategy::WorkStealing) };
        variants.push(("hybrid, stealing".into(), steal));
        variants.push(("work-stealing, within cubes too".into(), within));
    }
    variants
}

fn strategies(on_gpu: bool) -> &'static [ColorStrategy] {
    use ColorStrategy::{
        Greedy, Hybrid, JonesPlassmann, LargestDegreeFirst, MinMax, MultiHash, Speculative,
        WorkStealing,
    };
    match on_gpu {
        true => &[JonesPlassmann, MinMax, WorkStealing, Hybrid, MultiHash, Speculative],
        false => {
            &[JonesPlassmann, MinMax, Hybrid, MultiHash, Speculative, LargestDegreeFirst, Greedy]
        }
    }
}
