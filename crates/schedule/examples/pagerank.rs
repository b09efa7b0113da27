//! PageRank on the engine: what a vertex is worth is what the vertices that lead to it are worth.
//!
//! Each iteration is a gather over the edges that enter a vertex, with what each neighbour passes on
//! along one of its edges, and a pass over all vertices that divides the new ranks by their degrees.
//! It ends when the ranks change by less than a tolerance altogether.
//!
//!     cargo run -p equipoise-schedule --example pagerank -- wgpu 'rmat:scale=14,directed=true'

use std::error::Error;

use cubecl::prelude::*;
use equipoise_graph::{Graph, io::ReadOptions, load};
use equipoise_schedule::{
    Result as DeviceResult, ScheduleName,
    device::{Device, OpenDevice},
    engine::*,
    input::Input,
    primitives::{Sum, reduce},
};

const DAMPING: f32 = 0.85;
const TOLERANCE: f32 = 1e-5;
const MOST_ITERATIONS: usize = 100;

/// Gathers ranks from those who lead to a vertex.
#[derive(CubeType, CubeLaunch)]
struct Collect {
    /// What each vertex passes on along each of its edges.
    shares: Input<f32>,
    degrees: Input<u32>,
    ranks: Array<f32>,
    changes: Array<f32>,
    /// What each vertex passes on in the next iteration, and loses where it has no edges.
    next: Array<f32>,
    lost: Array<f32>,
    /// What every vertex has whoever leads to it.
    base: f32,
}

impl GatherOpKind for Collect {}

#[cube]
impl GatherOp for Collect {
    type Value = f32;

    fn identity() -> f32 {
        0.0f32.runtime()
    }

    fn gather(&mut self, _vertex: u32, neighbour: u32, _edge: u32) -> f32 {
        self.shares[neighbour as usize]
    }

    fn combine(a: f32, b: f32) -> f32 {
        a + b
    }

    fn apply(&mut self, vertex: u32, total: f32) {
        let place = vertex as usize;
        let rank = self.base + DAMPING * total;
        let degree = self.degrees[place];
        self.changes[place] = f32::abs(rank - self.ranks[place]);
        self.ranks[place] = rank;
        self.next[place] = rank / f32::cast_from(max(degree, 1u32));
        self.lost[place] = select(degree == 0, rank, 0.0f32.runtime());
    }
}

/// The ranks of all vertices of a graph, which is given by its edges the other way round, and the
/// number of iterations.
fn pagerank(
    reversed: &DeviceGraph,
    degrees: &[u32],
    schedule: ScheduleName,
) -> DeviceResult<(Vec<f32>, usize)> {
    let (gpu, vertices) = (reversed.gpu(), degrees.len());
    let start = 1.0 / vertices as f32;
    let first: Vec<f32> = degrees.iter().map(|&degree| start / degree.max(1) as f32).collect();
    let mut lost = degrees.iter().filter(|&&degree| degree == 0).count() as f32 * start;
    let degrees = gpu.upload(degrees)?;
    let (ranks, changes) = (gpu.filled(vertices, start)?, gpu.empty::<f32>(vertices)?);
    let shares = [gpu.upload(&first)?, gpu.empty::<f32>(vertices)?];
    let losses = gpu.empty::<f32>(vertices)?;
    let (mut iterations, mut change) = (0, f32::MAX);
    while change >= TOLERANCE && iterations < MOST_ITERATIONS {
        let (from, to) = (&shares[iterations % 2], &shares[(iterations + 1) % 2]);
        let base = (1.0 - DAMPING + DAMPING * lost) / vertices as f32;
        let collect = Operation::<Collect>::checked(|| {
            let (ranks, changes) = (ranks.arg(), changes.arg());
            let (from, to, losses) = (from.arg(), to.arg(), losses.arg());
            CollectLaunch::new(from, degrees.arg(), ranks, changes, to, losses, base)
        });
        gather(reversed, schedule.into(), &collect)?;
        lost = gpu.download(&reduce::<Sum<f32>>(gpu, &losses)?)?[0];
        change = gpu.download(&reduce::<Sum<f32>>(gpu, &changes)?)?[0];
        iterations += 1;
    }
    Ok((gpu.download(&ranks)?, iterations))
}

/// One more iteration in f64 changes nothing that counts, and all ranks add up to one.
fn verify(graph: &Graph, ranks: &[f32]) -> Result<(), String> {
    let degree = |vertex: u32| graph.csr().row(vertex).len();
    let lost: f64 =
        (0..).zip(ranks).filter(|&(v, _)| degree(v) == 0).map(|(_, &r)| f64::from(r)).sum();
    let damping = f64::from(DAMPING);
    let mut next = vec![(1.0 - damping + damping * lost) / ranks.len() as f64; ranks.len()];
    for (vertex, &rank) in (0..).zip(ranks) {
        for &target in graph.csr().row(vertex) {
            next[target as usize] += damping * f64::from(rank) / degree(vertex) as f64;
        }
    }
    let change: f64 =
        next.iter().zip(ranks).map(|(next, &rank)| (next - f64::from(rank)).abs()).sum();
    let sum: f64 = ranks.iter().map(|&rank| f64::from(rank)).sum();
    match change <= 1e-4 && (sum - 1.0).abs() <= 1e-4 {
        true => Ok(()),
        false => Err(format!("ranks add up to {sum}, and still change by {change}")),
    }
}

/// Ranks the vertices of a graph on the device of that name, under every schedule.
pub fn run(device: &str, graph: &str) -> Result<(), Box<dyn Error>> {
    let OpenDevice::Gpu(gpu) = device.parse::<Device>()?.open()? else {
        return Err("this example needs a GPU: `wgpu` names a software one, if any".into());
    };
    let graph = load(graph, &ReadOptions::default())?;
    let degrees: Vec<u32> =
        (0..graph.vertices()).map(|v| graph.csr().row(v).len() as u32).collect();
    let reversed = DeviceGraph::upload(&gpu, graph.transpose()?)?;
    for &schedule in ScheduleName::ALL {
        let stopwatch = gpu.stopwatch();
        let (ranks, iterations) = pagerank(&reversed, &degrees, schedule)?;
        let time = stopwatch.elapsed();
        verify(&graph, &ranks)?;
        let best = (0..).zip(&ranks).max_by(|a, b| a.1.total_cmp(b.1));
        println!(
            "{schedule:>13}: {iterations} iterations in {time:?}, the best (vertex, rank) is {best:?}"
        );
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let device = arguments.next().unwrap_or_else(|| "auto".into());
    run(&device, &arguments.next().unwrap_or_else(|| "rmat:scale=12,directed=true".into()))
}
