//! Searches of graphs of many shapes by every strategy that the device has, each result verified.

use equipoise::{
    LoadedGraph, Result,
    bfs::{BfsOptions, BfsSearch},
    device::OpenDevice,
    graph::{Graph, Weights, io::ReadOptions, load},
    sssp::{SsspOptions, SsspSearch},
    traversal::Strategy,
};

use super::{Check, Target};

/// A shape that strategies get wrong, and the graphs that have it: a small one and a large one.
pub(super) type Shape = (&'static str, &'static str, &'static str);

pub(super) const SHAPES: &[Shape] = &[
    ("one-vertex", "isolated:n=1", "isolated:n=1"),
    ("path", "path:n=5,weights=1..9", "path:n=300,weights=1..9"),
    ("two-parts", "components:n=20,weights=1..9", "components:n=5000,weights=1..9"),
    ("star", "star:n=2000,weights=1..9", "star:n=1000000,weights=1..9"),
    ("power-law", "rmat:scale=8,weights=1..99", "rmat:scale=16,weights=1..99"),
    ("grid", "grid:width=20,height=30,weights=1..9", "grid:width=120,height=100,weights=1..9"),
    (
        "directed",
        "er:n=300,m=900,directed=true,weights=1..9",
        "er:n=90000,m=400000,directed=true,weights=1..9",
    ),
    ("no-weight", "er:n=200,m=500,weights=0..1", "er:n=20000,m=80000,weights=0..1"),
];

/// Breadth-first search.
pub fn bfs(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    let on_cpu = [Strategy::Auto, Strategy::DirectionOptimising, Strategy::Node];
    let all = match target.device {
        OpenDevice::Cpu => &on_cpu[..],
        OpenDevice::Gpu(_) => Strategy::BFS,
    };
    for &(input, small, large) in SHAPES {
        let graph = made(target, small, large)?;
        let there = LoadedGraph::new(&target.device, &graph)?;
        for &strategy in all.iter().filter(|strategy| target.wants(strategy.name())) {
            let options = BfsOptions { strategy, ..BfsOptions::default() };
            let search = there.bfs(0, &options).and_then(BfsSearch::download);
            let verdict = search.and_then(|search| search.verify(&graph, &options));
            let verdict = verdict.map_err(|error| error.to_string());
            report(Check { subject: strategy.name(), input, verdict });
        }
    }
    Ok(())
}

/// Shortest paths, with whole weights and with floating-point ones; the latter with small inputs,
/// which are for those who wait, by the strategies that are no way of spreading work. Those of 64 bits where the device
/// adds them up.
pub fn sssp(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    use Strategy::{Auto, Delta, Dijkstra, NearFar};
    let of_cpu = [Auto, Delta, Dijkstra];
    let is_there = |strategy: Strategy| match target.device {
        OpenDevice::Cpu => of_cpu.contains(&strategy),
        OpenDevice::Gpu(_) => strategy != Dijkstra,
    };
    let all = Strategy::SSSP.iter().copied().filter(|&strategy| is_there(strategy));
    let all: Vec<Strategy> = all.filter(|strategy| target.wants(strategy.name())).collect();
    for &(input, small, large) in SHAPES {
        let whole = made(target, small, large)?;
        let (real, wide) = (in_floating_point(&whole)?, in_64_bits(&whole)?);
        for (graph, kind) in [(&whole, "u32"), (&real, "f32"), (&wide, "f64")] {
            let there = LoadedGraph::new(&target.device, graph)?;
            let wanted = |strategy| match (kind, &target.device) {
                ("u32", _) => true,
                ("f64", OpenDevice::Gpu(gpu)) => {
                    gpu.is_cuda() && matches!(strategy, Auto | NearFar)
                }
                _ => target.large || matches!(strategy, Auto | Delta | Dijkstra | NearFar),
            };
            for &strategy in all.iter().filter(|&&strategy| wanted(strategy)) {
                let options = SsspOptions { strategy, ..SsspOptions::default() };
                let search = there.sssp(0, &options).and_then(SsspSearch::download);
                let verdict = search.and_then(|search| search.verify(graph, &options));
                let verdict = verdict.map_err(|error| format!("{kind}: {error}"));
                report(Check { subject: strategy.name(), input, verdict });
            }
        }
    }
    Ok(())
}

pub(super) fn made(target: &Target, small: &str, large: &str) -> Result<Graph> {
    let spec = if target.large { large } else { small };
    Ok(load(spec, &ReadOptions::default())?)
}

/// The same graph with weights a tenth as large, in 64 bits.
fn in_64_bits(graph: &Graph) -> Result<Graph> {
    let weights = graph.weights().map(|weights| {
        let tenths = (0..weights.len()).map(|edge| weights.get(edge) / 10.0);
        Weights::from(tenths.collect::<Vec<f64>>())
    });
    Ok(graph.clone().with_weights(weights)?)
}

/// The same graph with weights a third as large.
pub(super) fn in_floating_point(graph: &Graph) -> Result<Graph> {
    let weights = graph.weights().map(|weights| {
        let thirds = (0..weights.len()).map(|edge| weights.get(edge) as f32 / 3.0);
        Weights::from(thirds.collect::<Vec<f32>>())
    });
    Ok(graph.clone().with_weights(weights)?)
}
