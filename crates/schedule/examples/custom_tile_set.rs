//! A custom tile set: a matrix in ELL format, multiplied under every schedule.
//!
//! ELL pads all rows to the same length and needs no offsets. It is stored by columns, so that
//! neighbouring units read neighbouring entries.
//!
//!     cargo run -p equipoise-schedule --example custom_tile_set -- wgpu

use std::error::Error;

use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    device::{Device, Gpu, OpenDevice},
    input::Input,
    plan::{Plan, Tiles},
    tiles::*,
    work::*,
};

// The tile set, from here
#[derive(CubeType, CubeLaunch)]
struct EllRows {
    rows: u32,
    width: u32,
}

impl TileSetKind for EllRows {
    const ATOM_NEEDS_TILE: bool = true;
}

#[cube]
impl TileSet for EllRows {
    fn tiles(&self) -> u32 {
        self.rows
    }

    fn start(&self, row: u32) -> u32 {
        row * self.width
    }

    fn tile(&self, row: u32) -> u32 {
        row
    }

    fn atom(&self, row: u32, atom: u32) -> u32 {
        (atom - row * self.width) * self.rows + row
    }
}
// to here

/// In a place of the format that no entry takes.
const PADDING: u32 = u32::MAX;

/// The product of a matrix in that format and a vector.
#[derive(CubeType, CubeLaunch)]
struct Spmv {
    columns: Input<u32>,
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
        let column = self.columns[entry as usize];
        let mut product = 0f32;
        if column != PADDING {
            product = self.values[entry as usize] * self.x[column as usize];
        }
        product
    }

    fn combine(a: f32, b: f32) -> f32 {
        a + b
    }

    fn end(&mut self, row: u32, total: f32) {
        self.y[row as usize] = total;
    }
}

fn example(gpu: &Gpu) -> Result<(), Box<dyn Error>> {
    // Row r has the entries 1 to r % 4 in columns of its own choice.
    let (rows, width) = (600u32, 3u32);
    let entries = |row: u32| (1..=row % 4).map(move |value| (row * value % 50, value as f32));
    let x: Vec<f32> = (0..50).map(|column| (column % 7) as f32).collect();
    let expected: Vec<f32> = (0..rows)
        .map(|row| entries(row).map(|(column, value)| value * x[column as usize]).sum())
        .collect();
    let mut columns = vec![PADDING; (rows * width) as usize];
    let mut values = vec![0f32; columns.len()];
    for row in 0..rows {
        for (place, (column, value)) in entries(row).enumerate() {
            let entry = place * rows as usize + row as usize;
            (columns[entry], values[entry]) = (column, value);
        }
    }

    let set = Tiles::<EllRows>::new(rows, rows * width, || EllRowsLaunch::new(rows, width));
    let (columns, values, x) = (gpu.upload(&columns)?, gpu.upload(&values)?, gpu.upload(&x)?);
    for &schedule in ScheduleName::ALL {
        let y = gpu.filled(rows as usize, 0f32)?;
        let plan = Plan::<EllRows, Spmv>::new(gpu, schedule.into(), &set)?;
        let work = || SpmvLaunch::new(columns.arg(), values.arg(), x.arg(), y.arg());
        let timing = gpu.time(1, 20, || {
            // SAFETY: each entry has a value, each row a place in `y`, and each column one in `x`.
            unsafe { plan.run(&set, work) };
            Ok(())
        })?;
        let (y, time) = (gpu.download(&y)?, 1e6 * timing.as_secs_f64());
        println!("{schedule:>13}: the product starts with {:?}, in {time:.1} µs", &y[..8]);
        if y != expected {
            return Err(format!("{schedule}: {:?} was expected", &expected[..8]).into());
        }
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
