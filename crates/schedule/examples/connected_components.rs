//! Connected components on the engine: every vertex takes the smallest label in its reach.
//!
//! Label propagation: each vertex starts with its own number, and along every edge the smaller label
//! wins, until none changes. Vertices whose label fell are the next frontier.
//!
//!     cargo run -p equipoise-schedule --example connected_components -- wgpu 'rmat:scale=14'

use std::error::Error;

use cubecl::prelude::*;
use equipoise_graph::{Graph, io::ReadOptions, load};
use equipoise_schedule::{
    Result as DeviceResult,
    atomics::*,
    device::{Device, OpenDevice},
    engine::*,
};

#[derive(CubeType, CubeLaunch)]
struct Smallest {
    labels: AtomicArray,
}

impl EdgeOpKind for Smallest {}

#[cube]
impl EdgeOp for Smallest {
    fn label(&self, source: u32) -> u32 {
        self.labels.get(source)
    }

    fn along(&self, label: u32, _edge: u32) -> u32 {
        label
    }

    fn improves(&self, target: u32, label: u32) -> bool {
        label < self.labels.get(target)
    }

    fn relax(&mut self, target: u32, label: u32, _source: u32) -> bool {
        label < self.labels.fetch_min(target, label)
    }
}

/// The smallest vertex of each vertex' component, and the number of iterations.
fn components(graph: &DeviceGraph, spread: Spread) -> DeviceResult<(Vec<u32>, u32)> {
    let gpu = graph.gpu();
    let own: Vec<u32> = (0..graph.vertices()).collect();
    let labels = gpu.upload(&own)?;
    let smallest =
        Operation::<Smallest>::checked(|| SmallestLaunch::new(AtomicArray::bind(gpu, &labels)));
    let iterations = until_empty(&Frontier::all(graph)?, spread, &smallest)?;
    Ok((gpu.download(&labels)?, iterations))
}

/// Compares the labels with those of a search in plain Rust from each vertex that is not yet
/// labelled.
fn verify(graph: &Graph, labels: &[u32]) -> Result<(), String> {
    let mut expected = vec![u32::MAX; labels.len()];
    for start in 0..graph.vertices() {
        let mut stack = vec![start];
        while let Some(vertex) = stack.pop() {
            if expected[vertex as usize] == u32::MAX {
                expected[vertex as usize] = start;
                stack.extend(graph.csr().row(vertex));
            }
        }
    }
    let wrong = (0..labels.len()).find(|&vertex| labels[vertex] != expected[vertex]);
    wrong.map_or(Ok(()), |vertex| {
        Err(format!("vertex {vertex}: {} is not {}", labels[vertex], expected[vertex]))
    })
}

/// Finds the components of a graph on the device of that name, under every schedule.
pub fn run(device: &str, graph: &str) -> Result<(), Box<dyn Error>> {
    let OpenDevice::Gpu(gpu) = device.parse::<Device>()?.open()? else {
        return Err("this example needs a GPU: `wgpu` names a software one, if any".into());
    };
    let graph = load(graph, &ReadOptions { undirected: true, ..ReadOptions::default() })?;
    let there = DeviceGraph::upload(&gpu, &graph)?;
    for spread in Spread::all() {
        let stopwatch = gpu.stopwatch();
        let (labels, iterations) = components(&there, spread)?;
        let time = stopwatch.elapsed();
        verify(&graph, &labels)?;
        let count = (0..).zip(&labels).filter(|(vertex, label)| vertex == *label).count();
        println!("{spread:>13}: {count} components after {iterations} iterations, in {time:?}");
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let device = arguments.next().unwrap_or_else(|| "auto".into());
    run(&device, &arguments.next().unwrap_or_else(|| "rmat:scale=12".into()))
}
