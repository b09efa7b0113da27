//! Shortest paths between all pairs by every strategy that the device has, each result verified.

use equipoise::{
    LoadedGraph, Result,
    apsp::{ApspOptions, ApspStrategy},
    device::OpenDevice,
    graph::{Graph, io::ReadOptions, load},
};

use super::{Check, Target, searches::in_floating_point};

/// Vertices from which on strips of rows take much less memory than the matrix.
const STREAMED: u32 = 700;

/// A shape that strategies get wrong, and the graphs that have it: a small one and a large one.
const SHAPES: &[(&str, &str, &str)] = &[
    ("one-vertex", "isolated:n=1", "isolated:n=1"),
    ("path", "path:n=150,weights=1..9", "path:n=1500,weights=1..9"),
    ("two-parts", "components:n=40,weights=1..9", "components:n=900,weights=1..9"),
    ("dense", "complete:n=70,weights=1..99", "complete:n=700,weights=1..99"),
    ("power-law", "rmat:scale=7,weights=1..99", "rmat:scale=11,weights=1..99"),
    (
        "directed",
        "er:n=130,m=500,directed=true,weights=0..9",
        "er:n=2100,m=9000,directed=true,weights=0..9",
    ),
];

/// By a strategy: distances, next hops too, and both in less memory than the matrix takes, where it
/// is large enough for that.
fn ways(strategy: ApspStrategy, graph: &Graph, target: &Target) -> Vec<ApspOptions> {
    let plain = ApspOptions { strategy, ..ApspOptions::default() };
    let hops = ApspOptions { next_hops: true, ..plain.clone() };
    let mut ways = vec![plain, hops];
    let streams = strategy == ApspStrategy::Blocked && matches!(target.device, OpenDevice::Gpu(_));
    if streams && graph.vertices() >= STREAMED {
        let most = |words| Some(words * u64::from(graph.vertices()).pow(2));
        let limited = |(way, words): (&ApspOptions, u64)| ApspOptions {
            memory_limit: most(words),
            ..way.clone()
        };
        ways.extend(ways.clone().iter().zip([3, 5]).map(limited));
    }
    ways
}

/// With whole weights and with floating-point ones.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    let all = ApspStrategy::ALL.iter().copied();
    let all: Vec<ApspStrategy> = all.filter(|strategy| target.wants(strategy.name())).collect();
    for &(input, small, large) in SHAPES {
        let whole = load(if target.large { large } else { small }, &ReadOptions::default())?;
        let real = in_floating_point(&whole)?;
        for (graph, kind) in [(&whole, "u32"), (&real, "f32")] {
            for options in all.iter().flat_map(|&strategy| ways(strategy, graph, target)) {
                let result =
                    LoadedGraph::new(&target.device, graph).and_then(|it| it.apsp(&options));
                let verdict = result.and_then(|result| result.verify(graph));
                let verdict = verdict.map_err(|error| format!("{kind}: {error}"));
                report(Check { subject: options.strategy.name(), input, verdict });
            }
        }
    }
    Ok(())
}
