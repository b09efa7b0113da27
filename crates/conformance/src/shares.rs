//! Schedules in custom kernels, which loop over shares.

use std::fmt;

use cubecl::prelude::*;
use equipoise_schedule::{
    Result, ScheduleName,
    device::{Gpu, GpuRuntime},
    plan::{ScheduleOptions, Tiles},
    ranges::*,
    schedules::*,
    tiles::*,
    work::*,
};

use crate::{
    check::{Launch, Subject, TrialSet, Trials},
    expected::{Ends, Failure},
    probe::ProbeName,
};

/// A custom kernel that loops over the shares of a schedule.
#[derive(Clone, Copy)]
pub(crate) struct Shares {
    pub options: ScheduleOptions,
    /// Whether the kernel loops over the atoms of a unit, not over its tiles and their atoms.
    pub by_atoms: bool,
}

impl Shares {
    /// The default number of cubes.
    const CUBES: u32 = 5;

    fn cubes(&self) -> u32 {
        self.options.cubes.unwrap_or(Self::CUBES)
    }

    fn shape(&self, gpu: &Gpu) -> Shape {
        let ScheduleOptions { schedule, units, items, group, .. } = self.options;
        let plane = gpu.plane_size().min(units);
        let group = match schedule {
            ScheduleName::PlaneMapped | ScheduleName::Persistent | ScheduleName::WorkStealing => {
                plane
            }
            ScheduleName::GroupMapped => group,
            _ => units,
        };
        Shape { units, plane, group, items }
    }

    fn launch<'a, S: Sharing, T: TileSet, W: Work>(
        self,
        gpu: &'a Gpu,
        set: &'a Tiles<T>,
    ) -> Result<Launch<'a, W>> {
        let shape = self.shape(gpu);
        let prepared = S::prepare(gpu, set, shape, self.cubes())?;
        Ok(Box::new(move |work| {
            let prepared = prepared.arg()?;
            // SAFETY: shares contain only atoms and tiles of the tile set.
            unsafe {
                over_shares::launch_unchecked::<S, T, W, GpuRuntime>(
                    gpu.client(),
                    CubeCount::Static(self.cubes(), 1, 1),
                    CubeDim::new_1d(shape.units),
                    set.arg(),
                    prepared,
                    work(),
                    self.by_atoms,
                    shape,
                );
            }
            Ok(())
        }))
    }

    fn launch_counted<'a, C: CountedSet, W: Work>(
        self,
        gpu: &'a Gpu,
        set: &'a Counted<C>,
    ) -> Result<Launch<'a, W>> {
        let shape = self.shape(gpu);
        Ok(Box::new(move |work| {
            // SAFETY: as above.
            unsafe {
                over_counted_shares::launch_unchecked::<C, W, GpuRuntime>(
                    gpu.client(),
                    CubeCount::Static(self.cubes(), 1, 1),
                    CubeDim::new_1d(shape.units),
                    set.arg(),
                    work(),
                    shape,
                );
            }
            Ok(())
        }))
    }
}

impl fmt::Display for Shares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScheduleOptions { units, group, .. } = &self.options;
        write!(f, "units {units}, group {group}, cubes {}", self.cubes())
    }
}

impl Subject for Shares {
    fn run_work<T: TrialSet>(trials: &Trials<T, Self>, _work: ProbeName) -> Result<usize, Failure> {
        trials.scatter()
    }

    fn prepare<'a, T: TileSet, W: Work>(
        &self,
        gpu: &'a Gpu,
        set: &'a Tiles<T>,
    ) -> Result<Launch<'a, W>> {
        match self.options.schedule {
            ScheduleName::ThreadMapped => self.launch::<ThreadMapped, T, W>(gpu, set),
            ScheduleName::PlaneMapped | ScheduleName::CubeMapped => {
                self.launch::<TileByTile, T, W>(gpu, set)
            }
            ScheduleName::GroupMapped => self.launch::<GroupMapped, T, W>(gpu, set),
            ScheduleName::MergePath => self.launch::<MergePath, T, W>(gpu, set),
            ScheduleName::NonzeroSplit => self.launch::<NonzeroSplit, T, W>(gpu, set),
            ScheduleName::Binned => self.launch::<Binned, T, W>(gpu, set),
            ScheduleName::Persistent => self.launch::<Persistent, T, W>(gpu, set),
            ScheduleName::WorkStealing => self.launch::<WorkStealing, T, W>(gpu, set),
        }
    }

    fn prepare_counted<'a, C: CountedSet, W: Work>(
        &self,
        gpu: &'a Gpu,
        set: &'a Counted<'a, C>,
        summed: &'a Tiles<'a, Summed<C>>,
    ) -> Result<Launch<'a, W>> {
        match self.options.schedule {
            ScheduleName::GroupMapped => self.launch_counted::<C, W>(gpu, set),
            _ => self.prepare::<Summed<C>, W>(gpu, summed),
        }
    }

    /// A second launch must not depend on what the first left.
    fn launches(&self) -> usize {
        2
    }

    fn ends(&self, any_atoms: bool) -> Ends {
        match self.options.schedule {
            // It divides atoms: without any, it assigns no tiles.
            ScheduleName::NonzeroSplit if !any_atoms => Ends::Any,
            _ => Ends::OnceOrMore,
        }
    }
}

/// Does all shares of the calling unit.
#[cube(launch_unchecked)]
fn over_shares<S: Sharing, T: TileSet, W: Work>(
    set: &T,
    prepared: &mut S::Prepared,
    work: &mut W,
    #[comptime] by_atoms: bool,
    #[comptime] shape: Shape,
) {
    for turn in infinite_range(0) {
        let share = S::share::<T>(set, prepared, turn, shape);
        if share.is_over() {
            break;
        }
        if comptime!(by_atoms) {
            for atom in share.atoms() {
                let tile = share.get_tile::<T>(set, atom);
                work.atom(set.tile(tile), set.atom(tile, atom));
            }
        }
        for tile in share.tiles() {
            let name = set.tile(tile);
            if comptime!(!by_atoms) {
                for atom in share.atoms_in::<T>(set, tile) {
                    work.atom(name, set.atom(tile, atom));
                }
            }
            work.end(name, W::identity());
        }
    }
}

/// The kernel for tiles that have counts and no offsets.
#[cube(launch_unchecked)]
fn over_counted_shares<C: CountedSet, W: Work>(set: &C, work: &mut W, #[comptime] shape: Shape) {
    for turn in infinite_range(0) {
        let share = GroupMapped::counted_share::<C>(set, turn, shape);
        if share.is_over() {
            break;
        }
        for atom in share.atoms() {
            let tile = share.get_tile(atom);
            let index = share.index_in_tile(tile, atom);
            work.atom(set.tile(tile), set.atom(tile, index));
        }
        for tile in share.tiles() {
            work.end(set.tile(tile), W::identity());
        }
    }
}
