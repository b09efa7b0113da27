//! A kernel of one's own, with its own launch: it loops over the tiles and atoms that a schedule
//! gives each unit, and computes two things at once, the sum and the largest weight of each row.
//!
//! A row can be in the shares of several units, so that their results are put together by atomics.
//!
//!     cargo run -p equipoise-schedule --example custom_kernel -- wgpu

use std::{error::Error, time::Duration};

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Device, Gpu, GpuRuntime, OpenDevice},
    ranges::infinite_range,
    schedules::*,
    tiles::*,
};

// The kernel, from here
#[cube(launch)]
fn sums_and_largest<S: Sharing, T: TileSet>(
    set: &T,
    prepared: &mut S::Prepared,
    weights: &Array<u32>,
    sums: &mut Array<Atomic<u32>>,
    largest: &mut Array<Atomic<u32>>,
    #[comptime] shape: Shape,
) {
    for turn in infinite_range(0) {
        let share = S::share::<T>(set, prepared, turn, shape);
        if share.is_over() {
            break;
        }
        for tile in share.tiles() {
            let row = set.tile(tile) as usize;
            let mut sum = 0u32;
            let mut most = 0u32;
            for atom in share.atoms_in::<T>(set, tile) {
                let weight = weights[set.atom(tile, atom) as usize];
                sum += weight;
                most = max(most, weight);
            }
            sums[row].fetch_add(sum);
            largest[row].fetch_max(most);
        }
    }
}
// to here

/// Four rows of a graph's adjacency matrix with the weights of their edges; one row is empty.
const OFFSETS: [u32; 5] = [0, 3, 3, 503, 505];

fn example(gpu: &Gpu) -> Result<(), Box<dyn Error>> {
    let weights: Vec<u32> = (0..OFFSETS[4]).map(|edge| edge * 7 % 101 + 1).collect();
    let rows: Vec<&[u32]> =
        OFFSETS.windows(2).map(|ends| &weights[ends[0] as usize..ends[1] as usize]).collect();
    let sums: Vec<u32> = rows.iter().map(|row| row.iter().sum()).collect();
    let largest: Vec<u32> = rows.iter().map(|row| row.iter().copied().max().unwrap_or(0)).collect();
    println!("    on the host: sums {sums:?}, largest {largest:?}");
    let expected = (sums, largest);

    let computed = [
        ("thread-mapped", compute::<ThreadMapped>(gpu, &weights)?),
        ("plane-mapped", compute::<TileByTile>(gpu, &weights)?),
        ("group-mapped", compute::<GroupMapped>(gpu, &weights)?),
        ("merge-path", compute::<MergePath>(gpu, &weights)?),
        ("nonzero-split", compute::<NonzeroSplit>(gpu, &weights)?),
        ("binned", compute::<Binned>(gpu, &weights)?),
        ("persistent", compute::<Persistent>(gpu, &weights)?),
        ("work-stealing", compute::<WorkStealing>(gpu, &weights)?),
    ];
    for (schedule, (found, time)) in computed {
        println!("{schedule:>15}: sums {:?}, largest {:?}, in {time:?}", found.0, found.1);
        if found != expected {
            return Err(format!("{schedule}: {expected:?} was expected").into());
        }
    }
    Ok(())
}

/// The sum of each row's weights, and the largest of them.
type Found = (Vec<u32>, Vec<u32>);

/// Launches the kernel; gives what it found, and how long it took with copying that back.
fn compute<S: Sharing>(gpu: &Gpu, weights: &[u32]) -> Result<(Found, Duration), Box<dyn Error>> {
    let offsets = gpu.upload(&OFFSETS)?;
    let set = CsrRows::from_offsets(&offsets, weights.len() as u32)?;
    let weights = gpu.upload(weights)?;
    let sums = gpu.filled(set.tiles() as usize, 0u32)?;
    let largest = gpu.filled(set.tiles() as usize, 0u32)?;
    let (cubes, plane) = (2, gpu.plane_size());
    let shape = Shape { units: 64, plane, group: plane, items: 1 };
    let prepared = S::prepare(gpu, &set, shape, cubes)?;
    let stopwatch = gpu.stopwatch();
    sums_and_largest::launch::<S, CsrRows, GpuRuntime>(
        gpu.client(),
        CubeCount::Static(cubes, 1, 1),
        CubeDim::new_1d(shape.units),
        set.arg(),
        prepared.arg()?,
        weights.arg(),
        sums.arg(),
        largest.arg(),
        shape,
    );
    let found = (gpu.download(&sums)?, gpu.download(&largest)?);
    Ok((found, stopwatch.elapsed()))
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
