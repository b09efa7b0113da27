//! The shape of a schedule's launches on a device.

use crate::{Error, Result, ScheduleName, device::Gpu, plan::ScheduleOptions, schedules::Shape};

/// The most cubes of a launch: those that the device allows, and for which a position and the stride
/// of all units add up to 32 bits.
pub(crate) fn most_cubes(gpu: &Gpu, shape: Shape, positions: u64) -> u32 {
    let most = (u64::from(u32::MAX) - positions) / u64::from(shape.units);
    most.clamp(1, gpu.properties().max_cubes.max(1).into()) as u32
}

/// How many cubes have something to do, each with one tile or as many as it takes at once.
pub(crate) fn cubes_with_work(
    options: &ScheduleOptions,
    shape: Shape,
    lanes: u32,
    tiles: u32,
) -> u64 {
    let tiles_a_cube = match options.schedule {
        ScheduleName::ThreadMapped => {
            u64::from(shape.units / lanes) * u64::from(options.coarsening)
        }
        ScheduleName::GroupMapped => u64::from(shape.units / lanes),
        _ => u64::from(shape.units / shape.group),
    };
    u64::from(tiles).div_ceil(tiles_a_cube)
}

/// What a cube of a schedule with these settings is like.
pub(crate) fn shape_of(gpu: &Gpu, options: &ScheduleOptions, lanes: u32) -> Shape {
    let plane = gpu.plane_size().min(options.units);
    let group = match options.schedule {
        ScheduleName::PlaneMapped => plane,
        ScheduleName::CubeMapped => options.units,
        _ => options.group,
    };
    Shape { units: options.units, plane, group: group.max(lanes), items: options.items }
}

/// With no more items than have a place in shared memory, beside what else is staged there.
pub(crate) fn fitting(shape: Shape, gpu: &Gpu, value: u64) -> Shape {
    const ELSE: u64 = 4096;
    let places = gpu.properties().shared_memory.saturating_sub(ELSE) / (value + 4);
    let most = (places / u64::from(shape.units)).clamp(1, u64::from(shape.items)) as u32;
    Shape { items: most, ..shape }
}

/// Refuses settings that the device or the work does not have.
pub(crate) fn check(gpu: &Gpu, options: &ScheduleOptions, lanes: u32) -> Result<()> {
    let most = gpu.client().properties().hardware.max_units_per_cube;
    let ScheduleOptions { units, group, items, coarsening, .. } = *options;
    let problem = if !units.is_power_of_two() || units > most {
        format!("{units} units a cube: a power of two of at most {most} is needed")
    } else if options.schedule == ScheduleName::GroupMapped
        && (!group.is_power_of_two() || group > units)
    {
        format!("a group of {group} units: a power of two of at most {units} is needed")
    } else if items == 0 || items > 64 {
        format!("{items} items a unit: 1 to 64 are possible")
    } else if coarsening == 0 {
        "a coarsening of 0: at least 1 tile a unit is needed".into()
    } else if !lanes.is_power_of_two() || lanes > gpu.plane_size() {
        format!("a work of {lanes} lanes: a power of two of at most {}", gpu.plane_size())
    } else {
        return Ok(());
    };
    Err(Error::Schedule(problem))
}
