//! A schedule of one's own: large tiles by a whole cube together, small ones by a unit each.
//!
//! The conformance suite proves it, and SpMV uses it.
//!
//!     cargo run -p equipoise-schedule --example custom_schedule -- wgpu

use std::error::Error;

use cubecl::prelude::*;
use equipoise_conformance::Size;
use equipoise_schedule::{
    device::{Device, Gpu, OpenDevice},
    input::Input,
    plan,
    ranges::step_range,
    schedules::{Schedule, Shape},
    tiles::{AnyTiles, CsrRows, TileSet, TileSetExpand},
    work::*,
};

// The schedule, from here
struct LargeTogether;

#[cube]
impl Schedule for LargeTogether {
    fn run(set: &AnyTiles, work: &mut AnyWork, #[comptime] shape: Shape) {
        let workers = comptime!(shape.units / work.lanes());
        let (worker, count) = (UNIT_POS / comptime!(work.lanes()), set.tiles());
        let stride = CUBE_COUNT as u32 * workers;
        for turn in 0..count.div_ceil(stride) {
            let first = turn * stride + CUBE_POS as u32 * workers;
            let tile = first + worker;
            if tile < count && set.start(tile + 1) - set.start(tile) <= workers {
                let total = atoms(set, work, tile, 0, 1);
                work.end(set.tile(tile), total);
            }
            for tile in first..min(first + workers, count) {
                if set.start(tile + 1) - set.start(tile) > workers {
                    together(set, work, tile, shape.units);
                }
            }
        }
    }
}

#[cube]
fn together(set: &AnyTiles, work: &AnyWork, tile: u32, #[comptime] units: u32) {
    let lanes = comptime!(work.lanes());
    let mut parts = SharedMemory::<WorkValue>::new(comptime!(units as usize));
    let (worker, workers) = (UNIT_POS / lanes, comptime!(units / lanes));
    parts[UNIT_POS as usize] = atoms(set, work, tile, worker, workers);
    sync_cube();
    if UNIT_POS < lanes {
        let mut total = work.identity();
        for part in step_range(UNIT_POS, units, lanes) {
            total = work.combine(total, parts[part as usize]);
        }
        work.end(set.tile(tile), total);
    }
    sync_cube();
}

#[cube]
fn atoms(set: &AnyTiles, work: &AnyWork, tile: u32, rank: u32, step: u32) -> WorkValue {
    let mut total = work.identity();
    for atom in step_range(set.start(tile) + rank, set.start(tile + 1), step) {
        total = work.combine(total, work.atom(set.tile(tile), set.atom(tile, atom)));
    }
    total
}
// to here

/// The product of a sparse matrix and a vector.
#[derive(CubeType, CubeLaunch)]
struct Spmv {
    indices: Input<u32>,
    values: Input<f32>,
    x: Input<f32>,
    y: Array<f32>,
}

impl WorkKind for Spmv {
    const ATOM_NEEDS_TILE: bool = false;
}

#[cube]
impl Work for Spmv {
    type Value = f32;

    fn identity() -> f32 {
        0f32.runtime()
    }

    fn atom(&mut self, _row: u32, entry: u32) -> f32 {
        self.values[entry as usize] * self.x[self.indices[entry as usize] as usize]
    }

    fn combine(a: f32, b: f32) -> f32 {
        a + b
    }

    fn end(&mut self, row: u32, total: f32) {
        self.y[row as usize] = total;
    }
}

fn example(gpu: &Gpu) -> Result<(), Box<dyn Error>> {
    let (units, plane) = (128, gpu.plane_size());
    let shape = Shape { units, plane, group: units, items: 1 };
    let runs = equipoise_conformance::check_schedule::<LargeTogether>(gpu, shape, Size::Small)?;
    println!("large-together: every atom once, every total right, in {runs} runs");

    // A row of ones as long as x, and rows with a single 3.
    let (rows, columns) = (5u32, 1000u32);
    let offsets: Vec<u32> = std::iter::once(0).chain(columns..columns + rows).collect();
    let indices: Vec<u32> = (0..columns).chain(1..rows).collect();
    let values: Vec<f32> =
        indices.iter().zip(0..).map(|(_, i)| if i < columns { 1.0 } else { 3.0 }).collect();
    let x: Vec<f32> = (0..columns).map(|column| (column % 10) as f32).collect();
    let mut expected = vec![x.iter().sum::<f32>()];
    expected.extend(x[1..rows as usize].iter().map(|x| 3.0 * x));

    let (offsets, indices) = (gpu.upload(&offsets)?, gpu.upload(&indices)?);
    let (values, x, y) = (gpu.upload(&values)?, gpu.upload(&x)?, gpu.filled(rows as usize, 0f32)?);
    let set = CsrRows::from_offsets(&offsets, indices.len() as u32)?;
    let work = SpmvLaunch::new(indices.arg(), values.arg(), x.arg(), y.arg());
    let stopwatch = gpu.stopwatch();
    // SAFETY: each entry has a value, each row a place in `y`, and each column one in `x`.
    unsafe { plan::launch::<LargeTogether, CsrRows, Spmv>(gpu, 1, shape, set.arg(), work) };
    let (y, time) = (gpu.download(&y)?, stopwatch.elapsed());
    println!("large-together: the product is {y:?}, in {time:?} with copying it back");
    if y != expected {
        return Err(format!("{expected:?} was expected").into());
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
