//! The launches of a schedule, for tiles and works of any type.

use cubecl::prelude::*;

use crate::{
    Result, ScheduleName,
    bins::Bins,
    cuts::Cuts,
    device::{Buffer, Gpu, GpuRuntime},
    erase::ErasedArg,
    plan::{ScheduleOptions, Tiles, launch_with_bounds},
    queues::Queues,
    schedules::{self, Shape, Split, Taking, do_bins, do_blocks, do_pieces, fix_up},
    shape::{Launches, ValueShape, launches},
    tiles::AnyTiles,
    work::{WorkObject, WorkValue},
};

/// A plan for tiles and works of any type.
pub(crate) struct AnyPlan {
    gpu: Gpu,
    schedule: ScheduleName,
    shape: Shape,
    cubes: u32,
    values: ValueShape,
    prepared: Prepared,
}

/// What a schedule has made beforehand.
enum Prepared {
    Nothing,
    Cuts(Cuts),
    Bins(Bins),
    Queues(Queues),
}

/// Makes the argument of a work for a launch.
type WorkArg<'a, V> = &'a dyn Fn() -> ErasedArg<dyn WorkObject<V>, GpuRuntime>;

impl AnyPlan {
    /// Prepares a schedule.
    pub(crate) fn new(
        gpu: &Gpu,
        options: ScheduleOptions,
        set: &Tiles<AnyTiles>,
        values: ValueShape,
    ) -> Result<Self> {
        let Launches { shape, cubes, most } =
            launches(gpu, &options, values, set.tiles(), set.atoms())?;
        let positions = u64::from(set.tiles()) + u64::from(set.atoms());
        let prepared = match options.schedule {
            ScheduleName::MergePath => {
                let cuts = Cuts::new::<schedules::MergePath>(gpu, set, positions, values, shape)?;
                Prepared::Cuts(cuts)
            }
            ScheduleName::NonzeroSplit => {
                let atoms = u64::from(set.atoms());
                Prepared::Cuts(Cuts::new::<schedules::NonzeroSplit>(
                    gpu, set, atoms, values, shape,
                )?)
            }
            ScheduleName::Binned => {
                Prepared::Bins(Bins::new(gpu, set, shape, values.lanes, options.cubes, most)?)
            }
            ScheduleName::Persistent => Prepared::Queues(Queues::new(gpu, set, shape, 1)?),
            ScheduleName::WorkStealing => Prepared::Queues(Queues::new(gpu, set, shape, cubes)?),
            _ => Prepared::Nothing,
        };
        let cubes = match (&prepared, options.cubes) {
            (Prepared::Cuts(cuts), None) => cuts.pieces.clamp(1, most),
            (Prepared::Bins(bins), None) => bins.cubes.clamp(1, most),
            _ => cubes,
        };
        let (gpu, schedule) = (gpu.clone(), options.schedule);
        Ok(Self { gpu, schedule, shape, cubes, values, prepared })
    }

    /// Does the work on the tiles that the plan was made for.
    ///
    /// # Safety
    ///
    /// As of [`Plan::run`](crate::plan::Plan::run), unless bounds are checked.
    pub(crate) unsafe fn run<V: WorkValue>(
        &self,
        checked: bool,
        set: &Tiles<AnyTiles>,
        work: WorkArg<V>,
    ) {
        use ScheduleName::*;
        match (&self.prepared, self.schedule) {
            (Prepared::Cuts(cuts), NonzeroSplit) => {
                self.split::<schedules::NonzeroSplit, V>(checked, cuts, set, work);
            }
            (Prepared::Cuts(cuts), _) => {
                self.split::<schedules::MergePath, V>(checked, cuts, set, work);
            }
            (Prepared::Bins(bins), _) => self.bins(checked, bins, set, work),
            (Prepared::Queues(queues), WorkStealing) => {
                self.queues::<schedules::WorkStealing, V>(checked, queues, set, work);
            }
            (Prepared::Queues(queues), _) => {
                self.queues::<schedules::Persistent, V>(checked, queues, set, work);
            }
            (Prepared::Nothing, ThreadMapped) => {
                self.launch::<schedules::ThreadMapped, V>(checked, set, work);
            }
            (Prepared::Nothing, GroupMapped) => {
                self.launch::<schedules::GroupMapped, V>(checked, set, work);
            }
            // Plane-mapped and cube-mapped.
            (Prepared::Nothing, _) => self.launch::<schedules::TileByTile, V>(checked, set, work),
        }
    }

    fn launch<S: schedules::Schedule, V: WorkValue>(
        &self,
        checked: bool,
        set: &Tiles<AnyTiles>,
        work: WorkArg<V>,
    ) {
        // SAFETY: schedules of this crate give the work no tile or atom that the set does not have;
        // the caller of `run` sees to the rest, unless it is checked.
        launch_with_bounds!(
            checked,
            schedules::run::<S, V>(
                self.gpu.client(),
                CubeCount::Static(self.cubes, 1, 1),
                CubeDim::new_1d(self.shape.units),
                set.arg(),
                work(),
                self.shape,
            )
        );
    }

    fn bins<V: WorkValue>(
        &self,
        checked: bool,
        bins: &Bins,
        set: &Tiles<AnyTiles>,
        work: WorkArg<V>,
    ) {
        // SAFETY: the table has the numbers of each bin, and each bin's part of `order` is in it.
        launch_with_bounds!(
            checked,
            do_bins::<V>(
                self.gpu.client(),
                CubeCount::Static(self.cubes, 1, 1),
                CubeDim::new_1d(self.shape.units),
                set.arg(),
                work(),
                bins.order.arg(),
                bins.table.arg(),
                self.shape,
            )
        );
    }

    fn queues<Q: Taking, V: WorkValue>(
        &self,
        checked: bool,
        queues: &Queues,
        set: &Tiles<AnyTiles>,
        work: WorkArg<V>,
    ) {
        queues.refill(&self.gpu);
        // SAFETY: there is a head for each queue, and one block is taken once.
        launch_with_bounds!(
            checked,
            do_blocks::<Q, V>(
                self.gpu.client(),
                CubeCount::Static(self.cubes, 1, 1),
                CubeDim::new_1d(self.shape.units),
                set.arg(),
                work(),
                queues.arg(),
                self.shape,
            )
        );
    }

    fn split<S: Split, V: WorkValue>(
        &self,
        checked: bool,
        cuts: &Cuts,
        set: &Tiles<AnyTiles>,
        work: WorkArg<V>,
    ) {
        let ValueShape { lanes, reduces, .. } = self.values;
        let values = cuts.pieces as usize * lanes as usize;
        // SAFETY: there is as much room for the values of both ends of each piece.
        let ends = |buffer: &Buffer<u32>| unsafe {
            ArrayArg::from_raw_parts(buffer.handle().clone(), values)
        };
        // SAFETY: `starts` has a place for each piece and one more, `heads` and `tails` have one
        // for each lane of each piece, and the kernels go through `pieces` pieces.
        launch_with_bounds!(
            checked,
            do_pieces::<S, V>(
                self.gpu.client(),
                CubeCount::Static(self.cubes, 1, 1),
                CubeDim::new_1d(self.shape.units),
                set.arg(),
                work(),
                cuts.starts.arg(),
                ends(&cuts.heads),
                ends(&cuts.tails),
                cuts.pieces,
                self.shape,
            )
        );
        if !reduces || cuts.pieces == 1 {
            return;
        }
        let shape = Shape { group: self.shape.plane.max(lanes), ..self.shape };
        let groups = (shape.units / shape.group) as u64;
        let cubes = (cuts.pieces as u64).div_ceil(groups).min(self.cubes as u64) as u32;
        // SAFETY: as above.
        launch_with_bounds!(
            checked,
            fix_up::<V>(
                self.gpu.client(),
                CubeCount::Static(cubes, 1, 1),
                CubeDim::new_1d(shape.units),
                set.arg(),
                work(),
                cuts.starts.arg(),
                ends(&cuts.heads),
                ends(&cuts.tails),
                cuts.pieces,
                shape,
            )
        );
    }
}
