//! What is put to the test.

use std::{fmt, marker::PhantomData};

use cubecl::prelude::*;

use super::expected::Ends;
use crate::{
    Result, ScheduleName,
    device::{Gpu, GpuRuntime},
    plan::{self, Plan, ScheduleOptions, Tiles},
    schedules::{MergePath, NonzeroSplit, Schedule, Shape, Sharing, ThreadMapped, TileByTile},
    tiles::*,
    work::*,
};

/// A schedule with its settings, and the name of both.
pub(super) trait Subject: fmt::Display {
    /// Readies it for a tile set and a work.
    fn ready<'a, T: TileSet, W: Work>(
        &self,
        gpu: &'a Gpu,
        set: &'a Tiles<T>,
    ) -> Result<Launch<'a, W>>;

    /// How often it is to be launched once it is ready.
    fn launches(&self) -> usize {
        1
    }

    /// How often it ends a tile.
    fn ends(&self, _any_atoms: bool) -> Ends {
        Ends::Once
    }
}

/// Launches a work, given its argument.
pub(super) type Launch<'a, W> =
    Box<dyn Fn(&dyn Fn() -> <W as LaunchArg>::RuntimeArg<GpuRuntime>) + 'a>;

/// A schedule of this crate.
pub(super) struct Named(pub ScheduleOptions);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScheduleOptions { units, group, items, coarsening, cubes, .. } = &self.0;
        write!(f, "units {units}, group {group}, items {items}, coarsening {coarsening}, ")?;
        match cubes {
            Some(cubes) => write!(f, "cubes {cubes}"),
            None => f.write_str("as many cubes as there is work for"),
        }
    }
}

impl Subject for Named {
    fn ready<'a, T: TileSet, W: Work>(
        &self,
        gpu: &'a Gpu,
        set: &'a Tiles<T>,
    ) -> Result<Launch<'a, W>> {
        let plan = Plan::<T, W>::new(gpu, self.0, set)?;
        // SAFETY: the works of the suite have a place for each tile and atom of its sets.
        Ok(Box::new(move |work| unsafe { plan.run(set, work) }))
    }

    /// What was prepared must still be good the second time.
    fn launches(&self) -> usize {
        if self.0.cubes.is_none() { 2 } else { 1 }
    }
}

/// A kernel of one's own that loops over the shares of a schedule of this crate.
pub(super) struct Shares(pub ScheduleOptions);

impl Shares {
    /// Cubes to launch where the settings leave it open.
    const CUBES: u32 = 5;

    fn launch<S: Sharing, T: TileSet, W: Work>(
        &self,
        gpu: &Gpu,
        set: &Tiles<T>,
        work: W::RuntimeArg<GpuRuntime>,
    ) {
        let ScheduleOptions { schedule, units, items, cubes, .. } = self.0;
        let plane = gpu.plane_size().min(units);
        let group = if schedule == ScheduleName::PlaneMapped { plane } else { units };
        // SAFETY: shares give a work the atoms and tiles of its tile set only.
        unsafe {
            over_shares::launch_unchecked::<S, T, W, GpuRuntime>(
                gpu.client(),
                CubeCount::Static(cubes.unwrap_or(Self::CUBES), 1, 1),
                CubeDim::new_1d(units),
                set.arg(),
                work,
                Shape { units, plane, group, items },
            );
        }
    }
}

impl fmt::Display for Shares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScheduleOptions { units, cubes, .. } = &self.0;
        write!(f, "units {units}, cubes {}", cubes.unwrap_or(Self::CUBES))
    }
}

impl Subject for Shares {
    fn ready<'a, T: TileSet, W: Work>(
        &self,
        gpu: &'a Gpu,
        set: &'a Tiles<T>,
    ) -> Result<Launch<'a, W>> {
        let shares = Self(self.0);
        Ok(Box::new(move |work| match shares.0.schedule {
            ScheduleName::ThreadMapped => shares.launch::<ThreadMapped, T, W>(gpu, set, work()),
            ScheduleName::MergePath => shares.launch::<MergePath, T, W>(gpu, set, work()),
            ScheduleName::NonzeroSplit => shares.launch::<NonzeroSplit, T, W>(gpu, set, work()),
            _ => shares.launch::<TileByTile, T, W>(gpu, set, work()),
        }))
    }

    fn ends(&self, any_atoms: bool) -> Ends {
        match self.0.schedule {
            // It divides atoms: where there are none, it does not say who has the tiles.
            ScheduleName::NonzeroSplit if !any_atoms => Ends::Any,
            _ => Ends::OnceOrMore,
        }
    }
}

/// Does all of the calling unit's share.
#[cube(launch_unchecked)]
fn over_shares<S: Sharing, T: TileSet, W: Work>(set: &T, work: &mut W, #[comptime] shape: Shape) {
    let share = S::share::<T>(set, shape);
    for tile in share.tiles() {
        let name = set.tile(tile);
        for atom in share.atoms::<T>(set, tile) {
            work.atom(name, set.atom(tile, atom));
        }
        work.end(name, W::identity());
    }
}

/// A schedule of someone else.
pub(super) struct Own<S> {
    pub shape: Shape,
    pub cubes: u32,
    pub schedule: PhantomData<S>,
}

impl<S> fmt::Display for Own<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, cubes {}", self.shape, self.cubes)
    }
}

impl<S: Schedule> Subject for Own<S> {
    fn ready<'a, T: TileSet, W: Work>(
        &self,
        gpu: &'a Gpu,
        set: &'a Tiles<T>,
    ) -> Result<Launch<'a, W>> {
        let (cubes, shape) = (self.cubes, self.shape);
        Ok(Box::new(move |work| {
            // SAFETY: as above; that the schedule is right is what is found out.
            unsafe { plan::launch::<S, T, W>(gpu, cubes, shape, set.arg(), work()) };
        }))
    }
}
