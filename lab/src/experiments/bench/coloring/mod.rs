//! Coloring (Che et al.): every strategy of the device, work queues, and progress per iteration.

mod measured;
mod progress;
mod queues;
mod switch;

use equipoise::{
    color::{ColorOptions, ColorStrategy, ColorSwitch},
    graph::{Graph, stats::DegreeDistributions},
};

use self::measured::color;
use super::{degrees, left_out::over, runner::Bench, subject::Subject};
use crate::report::data::{ColoringTime, Degrees};

/// Beyond this degree, a strategy with one thread per vertex takes seconds: in hundreds of
/// iterations, all threads wait for the one that scans the neighbours.
const MOST_NEIGHBOURS: u64 = 20_000;
/// The same limit, for such colorings repeated with many settings.
const MOST_NEIGHBOURS_OF_MANY: u64 = 8192;

pub(super) fn run(bench: &mut Bench, subject: &Subject) {
    bench.results.degrees.push(Degrees {
        graph: subject.name.clone(),
        counts: degrees::counts(degrees::all_degrees(&subject.graph)),
    });
    let bounds = Bounds::new(bench, &subject.graph);
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

/// Why some colorings are skipped, if they are.
struct Bounds {
    /// Those with one thread per vertex.
    single: Option<String>,
    /// Those of one graph with many settings.
    many: Option<String>,
}

impl Bounds {
    /// The cpu has no limits: it scans each neighbour once.
    fn new(bench: &Bench, graph: &Graph) -> Self {
        let most = if bench.on_gpu() { most_neighbours(graph) } else { 0 };
        let new = "neighbours of a vertex";
        Self {
            single: over(most, MOST_NEIGHBOURS, new),
            many: over(most, MOST_NEIGHBOURS_OF_MANY, new),
        }
    }
}

/// The maximum number of neighbours; both directions of an edge count.
fn most_neighbours(graph: &Graph) -> u64 {
    DegreeDistributions::new(graph).map_or(0, |degrees| {
        if graph.is_undirected() { degrees.leaving.max } else { degrees.both.max }
    })
}

fn is_a_unit_a_vertex(strategy: ColorStrategy) -> bool {
    use ColorStrategy::{Hybrid, JonesPlassmann, MinMax, WorkStealing};
    matches!(strategy, JonesPlassmann | MinMax | WorkStealing | Hybrid)
}

/// Every strategy by its name, and the future work of the paper: hybrid from queues, and stealing
/// within a work group.
fn variants(on_gpu: bool) -> Vec<(String, ColorOptions)> {
    // Hybrid as in the paper: its number of iterations by degree is swept separately.
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
    if on_gpu {
        &[JonesPlassmann, MinMax, WorkStealing, Hybrid, MultiHash, Speculative]
    } else {
        &[JonesPlassmann, MinMax, Hybrid, MultiHash, Speculative, LargestDegreeFirst, Greedy]
    }
}
