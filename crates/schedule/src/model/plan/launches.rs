//! The shape of a schedule's launches on a device.

use cubecl::prelude::*;
use equipoise_graph::MAX_ON_DEVICE;

use super::options::ScheduleOptions;
use crate::{
    Error, Result, ScheduleName,
    device::Gpu,
    schedules::{Shape, block_size},
    work::Work,
};

/// The properties of a work's values that schedules need before a launch.
#[derive(Clone, Copy)]
pub(crate) struct ValueShape {
    /// See [`WorkKind::LANES`](crate::work::WorkKind::LANES).
    pub(crate) lanes: u32,
    /// See [`WorkKind::REDUCES`](crate::work::WorkKind::REDUCES).
    pub(crate) reduces: bool,
    pub(crate) bytes: usize,
}

impl ValueShape {
    pub(crate) fn new<W: Work>() -> Result<Self> {
        Ok(Self { lanes: W::LANES, reduces: W::REDUCES, ..Self::totals_of::<W::Value>()? })
    }

    /// That of works that reduce, with one unit per atom.
    pub(crate) fn totals_of<V: CubePrimitive>() -> Result<Self> {
        let bytes = V::size().ok_or_else(|| {
            Error::Schedule("a work's value needs a size that is known before it runs".into())
        })?;
        Ok(Self { lanes: 1, reduces: true, bytes })
    }
}

/// The shape of the launches of a schedule.
pub(crate) struct Launches {
    pub(crate) shape: Shape,
    /// Cubes with work to do, unless the preparation counts its own.
    pub(crate) cubes: u32,
    /// The most cubes possible.
    pub(crate) most: u32,
}

/// Checks the settings for a work and upper bounds of tiles and atoms.
pub(crate) fn launches(
    gpu: &Gpu,
    options: &ScheduleOptions,
    values: ValueShape,
    tiles: u32,
    atoms: u32,
) -> Result<Launches> {
    check(gpu, options, values.lanes)?;
    let shape = fitting(shape_of(gpu, options, values.lanes), gpu, values.bytes as u64);
    let positions = u64::from(tiles) + u64::from(atoms);
    if positions >= MAX_ON_DEVICE {
        return Err(Error::TooMany {
            what: "the tile set".into(),
            count: positions,
            limit: MAX_ON_DEVICE,
        });
    }
    let most = most_cubes(gpu, shape, positions);
    if let Some(cubes) = options.cubes.filter(|&cubes| cubes == 0 || cubes > most) {
        let problem = format!("{cubes} cubes: 1 to {most} are possible for this tile set");
        return Err(Error::Schedule(problem));
    }
    let wanted = cubes_with_work(gpu, options, shape, values.lanes, tiles);
    let cubes = options.cubes.map_or(wanted, u64::from).clamp(1, most.into()) as u32;
    Ok(Launches { shape, cubes, most })
}

/// The most cubes of a launch: those that the device allows, and for which a position plus the stride of all units fits
/// 32 bits.
fn most_cubes(gpu: &Gpu, shape: Shape, positions: u64) -> u32 {
    let most = (u64::from(u32::MAX) - positions) / u64::from(shape.units);
    most.clamp(1, gpu.properties().max_cubes.max(1).into()) as u32
}

fn cubes_with_work(
    gpu: &Gpu,
    options: &ScheduleOptions,
    shape: Shape,
    lanes: u32,
    tiles: u32,
) -> u64 {
    let tiles_per_cube = match options.schedule {
        ScheduleName::ThreadMapped => {
            u64::from(shape.units / lanes) * u64::from(options.coarsening)
        }
        ScheduleName::GroupMapped => u64::from(shape.units / lanes),
        ScheduleName::Persistent | ScheduleName::WorkStealing => u64::from(block_size(shape)),
        // Without groups, a cube can be smaller than `group`.
        _ => u64::from(shape.units / shape.group).max(1),
    };
    let cubes = u64::from(tiles).div_ceil(tiles_per_cube);
    match options.schedule {
        // A cube runs until no tile is left: no more cubes than run at the same time.
        ScheduleName::Persistent | ScheduleName::WorkStealing => {
            cubes.min(gpu.properties().cubes_at_work().into())
        }
        _ => cubes,
    }
}

/// The shape of a cube with these settings.
fn shape_of(gpu: &Gpu, options: &ScheduleOptions, lanes: u32) -> Shape {
    let plane = gpu.plane_size().min(options.units);
    let group = match options.schedule {
        ScheduleName::PlaneMapped | ScheduleName::Persistent | ScheduleName::WorkStealing => plane,
        ScheduleName::CubeMapped => options.units,
        _ => options.group,
    };
    Shape { units: options.units, plane, group: group.max(lanes), items: options.items }
}

/// Limits the items per unit to those that fit in shared memory next to other staged data.
fn fitting(shape: Shape, gpu: &Gpu, value: u64) -> Shape {
    const OTHER_BYTES: u64 = 4096;
    let places = gpu.properties().shared_memory.saturating_sub(OTHER_BYTES) / (value + 4);
    let most = (places / u64::from(shape.units)).clamp(1, u64::from(shape.items)) as u32;
    Shape { items: most, ..shape }
}

/// Fails for settings that the device or the work does not support.
fn check(gpu: &Gpu, options: &ScheduleOptions, lanes: u32) -> Result<()> {
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
