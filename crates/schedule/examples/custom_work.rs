//! A custom work: the highest reading of each sensor, under every schedule.
//!
//! Sensors are tiles and their readings are atoms. One sensor has almost all of the readings,
//! which is what schedules differ in; the work does not know.
//!
//!     cargo run -p equipoise-schedule --example custom_work -- wgpu

use std::error::Error;

use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    device::{Device, Gpu, OpenDevice},
    input::Input,
    plan::Plan,
    tiles::CsrRows,
    work::*,
};

// The work, from here
#[derive(CubeType, CubeLaunch)]
struct Highest {
    readings: Input<f32>,
    highest: Array<f32>,
}

impl WorkKind for Highest {}

#[cube]
impl Work for Highest {
    type Value = f32;

    fn identity() -> f32 {
        f32::MIN.runtime()
    }

    fn atom(&mut self, _sensor: u32, reading: u32) -> f32 {
        self.readings[reading as usize]
    }

    fn combine(a: f32, b: f32) -> f32 {
        max(a, b)
    }

    fn end(&mut self, sensor: u32, highest: f32) {
        self.highest[sensor as usize] = highest;
    }
}
// to here

/// How many readings each sensor has.
const READINGS: [usize; 6] = [3, 1, 10_000, 2, 7, 40];

fn example(gpu: &Gpu) -> Result<(), Box<dyn Error>> {
    let mut offsets = vec![0];
    let mut readings: Vec<f32> = Vec::new();
    for (sensor, count) in READINGS.into_iter().enumerate() {
        readings.extend((0..count).map(|i| (i * (sensor + 7) % 251) as f32 / 10.0));
        offsets.push(readings.len() as u32);
    }
    let ends = offsets.windows(2).map(|ends| ends[0] as usize..ends[1] as usize);
    let expected: Vec<f32> =
        ends.map(|of| readings[of].iter().copied().fold(0.0, f32::max)).collect();

    let offsets = gpu.upload(&offsets)?;
    let sensors = CsrRows::from_offsets(&offsets, readings.len() as u32)?;
    let readings = gpu.upload(&readings)?;
    for &schedule in ScheduleName::ALL {
        let highest = gpu.filled(READINGS.len(), 0f32)?;
        let plan = Plan::<_, Highest>::new(gpu, schedule.into(), &sensors)?;
        let timing = gpu.time(1, 20, || {
            // SAFETY: each atom has a reading, and each sensor a place in `highest`.
            unsafe { plan.run(&sensors, || HighestLaunch::new(readings.arg(), highest.arg())) };
            Ok(())
        })?;
        let (highest, time) = (gpu.download(&highest)?, 1e6 * timing.as_secs_f64());
        println!("{schedule:>13}: the highest readings are {highest:?}, in {time:.1} µs");
        if highest != expected {
            return Err(format!("{schedule}: {expected:?} was expected").into());
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
