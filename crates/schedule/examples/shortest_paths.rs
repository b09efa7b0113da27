//! Shortest paths in a kernel of one's own, under every schedule (Osama et al., listing 5): the
//! kernel loops over the edges that a schedule gives each unit, and asks for the vertex of each.
//!
//!     cargo run -p equipoise-schedule --example shortest_paths -- wgpu

use std::{error::Error, time::Duration};

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Device, Gpu, GpuRuntime, OpenDevice},
    ranges::infinite_range,
    schedules::*,
    tiles::*,
};

/// A graph's edges in a kernel, and what is known of its vertices.
#[derive(CubeType, CubeLaunch)]
struct Paths {
    targets: Array<u32>,
    weights: Array<u32>,
    distances: Array<Atomic<u32>>,
    /// The vertices whose distance became smaller in the previous iteration.
    frontier: Array<u32>,
    /// Those whose distance becomes smaller in this one.
    next: Array<u32>,
    /// Whether `next` has a vertex.
    goes_on: Array<u32>,
}

// The kernel, from here
#[cube(launch)]
fn relax<S: Sharing, T: TileSet>(
    set: &T,
    prepared: &mut S::Prepared,
    paths: &mut Paths,
    #[comptime] shape: Shape,
) {
    for turn in infinite_range(0) {
        let share = S::share::<T>(set, prepared, turn, shape);
        if share.is_over() {
            break;
        }
        for edge in share.atoms() {
            let source = share.get_tile::<T>(set, edge);
            if paths.frontier[source as usize] == 1 {
                let neighbor = paths.targets[edge as usize];
                let distance =
                    paths.distances[source as usize].load() + paths.weights[edge as usize];
                let before = paths.distances[neighbor as usize].fetch_min(distance);
                if distance < before {
                    paths.next[neighbor as usize] = 1;
                    paths.goes_on[0] = 1;
                }
            }
        }
    }
}
// to here

/// A graph: where the edges of each vertex start, where they lead, and their weights.
struct Graph {
    offsets: Vec<u32>,
    targets: Vec<u32>,
    weights: Vec<u32>,
}

/// One vertex with many edges, and many with few.
fn graph() -> Graph {
    const VERTICES: u32 = 300;
    let degrees = (0..VERTICES).map(|vertex| if vertex == 7 { 200 } else { vertex * 5 % 4 });
    let mut offsets = vec![0];
    for degree in degrees {
        offsets.push(offsets[offsets.len() - 1] + degree);
    }
    let edges = 0..offsets[VERTICES as usize];
    let targets = edges.clone().map(|edge| (edge * 131 + 7) % VERTICES).collect();
    let weights = edges.map(|edge| edge * 17 % 23 + 1).collect();
    Graph { offsets, targets, weights }
}

/// On the host, until nothing becomes shorter.
fn expected(graph: &Graph) -> Vec<u32> {
    let mut distances = vec![u32::MAX / 2; graph.offsets.len() - 1];
    distances[0] = 0;
    let mut goes_on = true;
    while goes_on {
        goes_on = false;
        for (vertex, ends) in graph.offsets.windows(2).enumerate() {
            for edge in ends[0] as usize..ends[1] as usize {
                let distance = distances[vertex] + graph.weights[edge];
                let known = &mut distances[graph.targets[edge] as usize];
                goes_on |= distance < *known;
                *known = distance.min(*known);
            }
        }
    }
    distances
}

/// The distances of all vertices from the first one, and how long it took to find them.
fn compute<S: Sharing>(gpu: &Gpu, graph: &Graph) -> Result<(Vec<u32>, Duration), Box<dyn Error>> {
    let offsets = gpu.upload(&graph.offsets)?;
    let set = CsrRows::from_offsets(&offsets, graph.targets.len() as u32)?;
    let (targets, weights) = (gpu.upload(&graph.targets)?, gpu.upload(&graph.weights)?);
    let vertices = set.tiles() as usize;
    let first = |at_first: u32, elsewhere: u32| {
        let mut numbers = vec![elsewhere; vertices];
        numbers[0] = at_first;
        gpu.upload(&numbers)
    };
    let distances = first(0, u32::MAX / 2)?;
    let mut frontier = first(1, 0)?;
    let (cubes, plane) = (2, gpu.plane_size());
    let shape = Shape { units: 64, plane, group: plane, items: 1 };
    let prepared = S::prepare(gpu, &set, shape, cubes)?;
    let stopwatch = gpu.stopwatch();
    loop {
        let (next, goes_on) = (gpu.filled(vertices, 0u32)?, gpu.filled(1, 0u32)?);
        relax::launch::<S, CsrRows, GpuRuntime>(
            gpu.client(),
            CubeCount::Static(cubes, 1, 1),
            CubeDim::new_1d(shape.units),
            set.arg(),
            prepared.arg()?,
            PathsLaunch::new(
                targets.arg(),
                weights.arg(),
                distances.arg(),
                frontier.arg(),
                next.arg(),
                goes_on.arg(),
            ),
            shape,
        );
        if gpu.download(&goes_on)? == [0] {
            return Ok((gpu.download(&distances)?, stopwatch.elapsed()));
        }
        frontier = next;
    }
}

fn example(gpu: &Gpu) -> Result<(), Box<dyn Error>> {
    let graph = graph();
    let expected = expected(&graph);
    let computed = [
        ("thread-mapped", compute::<ThreadMapped>(gpu, &graph)?),
        ("plane-mapped", compute::<TileByTile>(gpu, &graph)?),
        ("group-mapped", compute::<GroupMapped>(gpu, &graph)?),
        ("merge-path", compute::<MergePath>(gpu, &graph)?),
        ("nonzero-split", compute::<NonzeroSplit>(gpu, &graph)?),
        ("binned", compute::<Binned>(gpu, &graph)?),
        ("persistent", compute::<Persistent>(gpu, &graph)?),
        ("work-stealing", compute::<WorkStealing>(gpu, &graph)?),
    ];
    for (schedule, (found, time)) in computed {
        if found != expected {
            return Err(format!("{schedule}: {expected:?} was expected, not {found:?}").into());
        }
        let reached = found.iter().filter(|&&distance| distance < u32::MAX / 2);
        let farthest = reached.clone().max().copied().unwrap_or(0);
        let count = reached.count();
        println!("{schedule:>15}: {count} reached, at most {farthest} away, in {time:?}");
    }
    Ok(())
}

/// Runs the example on the device of that name.
pub fn run(device: &str) -> Result<(), Box<dyn Error>> {
    match device.parse::<Device>()?.open()? {
        OpenDevice::Gpu(gpu) => example(&gpu),
        OpenDevice::Cpu => {
            Err("this example needs a GPU: `wgpu` names a software one, if any".into())
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&std::env::args().nth(1).unwrap_or_else(|| "auto".into()))
}
