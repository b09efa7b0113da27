//! Coloring by every strategy that the device has, each result verified, and compared with the cpu's
//! where it has the strategy, too.

use equipoise::{
    LoadedGraph, Result,
    color::{ColorOptions, ColorStrategy, color},
    device::OpenDevice,
    graph::{Graph, io::ReadOptions, load},
};

use super::{Check, Target};

/// A shape that strategies get wrong, and the graphs that have it: a small one and a large one.
const SHAPES: &[(&str, &str, &str)] = &[
    ("one-vertex", "isolated:n=1", "isolated:n=1"),
    ("isolated", "isolated:n=300", "isolated:n=100000"),
    ("path", "path:n=500", "path:n=100000"),
    ("star", "star:n=2000", "star:n=20000"),
    ("complete", "complete:n=80", "complete:n=600"),
    ("grid", "grid:width=30,height=40", "grid:width=400,height=500"),
    ("power-law", "rmat:scale=8", "rmat:scale=14"),
    ("uniform", "er:n=500,m=6000", "er:n=30000,m=480000"),
    ("directed", "er:n=300,m=900,directed=true", "er:n=50000,m=250000,directed=true"),
];

/// All strategies, those with queues also without stealing.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    let all = ColorStrategy::ALL.iter().copied();
    let all = all.filter(|&strategy| is_there(strategy, &target.device));
    let all: Vec<ColorStrategy> = all.filter(|strategy| target.wants(strategy.name())).collect();
    for &(input, small, large) in SHAPES {
        let graph = load(if target.large { large } else { small }, &ReadOptions::default())?;
        for &strategy in &all {
            let options = ColorOptions { strategy, ..ColorOptions::default() };
            let verdict = checked(target, &graph, &options).map_err(|error| error.to_string());
            let verdict = verdict.and_then(|same| match same {
                true => Ok(()),
                false => Err("other colors than on the cpu".into()),
            });
            report(Check { subject: strategy.name(), input, verdict });
        }
    }
    Ok(())
}

fn is_there(strategy: ColorStrategy, device: &OpenDevice) -> bool {
    let only_cpu = [ColorStrategy::LargestDegreeFirst, ColorStrategy::Greedy];
    match device {
        OpenDevice::Cpu => strategy != ColorStrategy::WorkStealing,
        OpenDevice::Gpu(_) => !only_cpu.contains(&strategy),
    }
}

/// Whether the colors are those of the cpu, once they are verified.
fn checked(target: &Target, graph: &Graph, options: &ColorOptions) -> Result<bool> {
    let coloring = LoadedGraph::new(&target.device, graph)?.color(options)?;
    coloring.verify(graph)?;
    let strategy = match coloring.strategy {
        ColorStrategy::WorkStealing => ColorStrategy::JonesPlassmann,
        same => same,
    };
    let here = color(graph, &ColorOptions { strategy, ..options.clone() })?;
    Ok(here.colors == coloring.colors)
}
