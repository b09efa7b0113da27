//! How often shortest paths go wrong where two threads update a cost at the same time.
//!
//! The two-phase algorithm of Harish and Narayanan reads an updating cost, compares, and writes it, without
//! an atomic operation. Two threads that do so at once can leave the larger of two costs: the update of
//! the other is lost. Pathak et al. point it out, and `equipoise sssp --strategy two-phase` has an atomic
//! minimum instead. This program has not, and compares what it finds with the right distances.
//!
//! ```text
//! cargo run --release -p equipoise --example lost_update -- cuda 20 rmat:scale=16,weights=1..255
//! ```

use std::{env, error::Error};

use cubecl::prelude::*;
use equipoise::{
    device::{Device, Gpu, OpenDevice},
    graph::{Graph, Weights, io::ReadOptions, load},
    sssp::{SsspOptions, sssp},
};
use equipoise_schedule::device::GpuRuntime;

const NONE: u32 = u32::MAX;
const UNITS: u32 = 256;

/// Vertices whose cost was lowered offer it, plus a weight, to their neighbours: read, compare, write.
#[cube(launch)]
fn offer(
    offsets: &Array<u32>,
    targets: &Array<u32>,
    weights: &Array<u32>,
    costs: &Array<u32>,
    is_active: &mut Array<u32>,
    updating: &mut Array<u32>,
) {
    let vertex = ABSOLUTE_POS;
    if vertex < costs.len() && is_active[vertex] == 1 {
        is_active[vertex] = 0u32;
        for edge in offsets[vertex]..offsets[vertex + 1] {
            let target = targets[edge as usize] as usize;
            let cost = costs[vertex] + weights[edge as usize];
            if updating[target] > cost {
                updating[target] = cost;
            }
        }
    }
}

/// Every vertex takes over a lower cost, and offers it in the next iteration.
#[cube(launch)]
fn take_over(
    costs: &mut Array<u32>,
    updating: &mut Array<u32>,
    is_active: &mut Array<u32>,
    flag: &mut Array<u32>,
) {
    let vertex = ABSOLUTE_POS;
    if vertex < costs.len() {
        if costs[vertex] > updating[vertex] {
            costs[vertex] = updating[vertex];
            is_active[vertex] = 1u32;
            flag[0] = 1u32;
        }
        updating[vertex] = costs[vertex];
    }
}

/// The costs of all vertices from a source, as that algorithm finds them.
fn two_phase(gpu: &Gpu, graph: &Graph, source: u32) -> Result<Vec<u32>, Box<dyn Error>> {
    let vertices = graph.vertices() as usize;
    let offsets: Vec<u32> = graph.csr().offsets().iter().map(|&offset| offset as u32).collect();
    let weights = match graph.weights() {
        Some(Weights::U32(weights)) => weights.to_vec(),
        _ => vec![1; graph.edges() as usize],
    };
    let (offsets, targets) = (gpu.upload(&offsets)?, gpu.upload(graph.csr().indices())?);
    let weights = gpu.upload(&weights)?;
    let mut costs = vec![NONE; vertices];
    let mut is_active = vec![0u32; vertices];
    (costs[source as usize], is_active[source as usize]) = (0, 1);
    let (costs, updating) = (gpu.upload(&costs)?, gpu.upload(&costs)?);
    let (is_active, flag) = (gpu.upload(&is_active)?, gpu.upload(&[1u32])?);
    let cubes = || gpu.cubes((vertices as u64).div_ceil(UNITS.into()));
    while gpu.download(&flag)? == [1] {
        gpu.fill(&flag, 0)?;
        offer::launch::<GpuRuntime>(
            gpu.client(),
            cubes(),
            CubeDim::new_1d(UNITS),
            offsets.arg(),
            targets.arg(),
            weights.arg(),
            costs.arg(),
            is_active.arg(),
            updating.arg(),
        );
        take_over::launch::<GpuRuntime>(
            gpu.client(),
            cubes(),
            CubeDim::new_1d(UNITS),
            costs.arg(),
            updating.arg(),
            is_active.arg(),
            flag.arg(),
        );
    }
    Ok(gpu.download(&costs)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let device = arguments.next().unwrap_or_else(|| "auto".into()).parse::<Device>()?;
    let runs = arguments.next().unwrap_or_else(|| "20".into()).parse::<u32>()?;
    let mut specs: Vec<String> = arguments.collect();
    if specs.is_empty() {
        specs.push("rmat:scale=12,weights=1..255".into());
    }
    let OpenDevice::Gpu(gpu) = device.open()? else {
        return Err("it needs a GPU: threads of a cpu are not told to race here".into());
    };
    println!("{:<44} {:>9} {:>12} {:>14}", "graph", "runs", "wrong runs", "wrong vertices");
    for spec in specs {
        let graph = load(&spec, &ReadOptions::default())?;
        let source = (0..graph.vertices()).max_by_key(|&vertex| graph.degree(vertex)).unwrap_or(0);
        let right = sssp(&graph, source, &SsspOptions::default())?;
        let right: Vec<u32> = (0..graph.vertices() as usize)
            .map(|vertex| right.distances.get(vertex).map_or(NONE, |distance| distance as u32))
            .collect();
        let (mut wrong_runs, mut most) = (0, 0);
        for _ in 0..runs {
            let found = two_phase(&gpu, &graph, source)?;
            let wrong = found.iter().zip(&right).filter(|(found, right)| found != right).count();
            wrong_runs += u32::from(wrong > 0);
            most = most.max(wrong);
        }
        println!("{spec:<44} {runs:>9} {wrong_runs:>12} {most:>14}");
    }
    Ok(())
}
