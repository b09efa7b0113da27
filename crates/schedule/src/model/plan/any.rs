//! The launches of a schedule, for tiles and works of any type.

use cubecl::prelude::*;

use super::{
    cuts::Cuts,
    launches::{Launches, ValueShape, launches},
    options::ScheduleOptions,
};
use crate::{
    Result, ScheduleName,
    device::{Buffer, Gpu, GpuRuntime},
    erase::ErasedArg,
    model::launch::launch_with_bounds,
    schedules::{self, Bins, Queues, Shape, Split, Taking, do_bins, do_blocks, do_pieces, fix_up},
    tiles::{AnyTiles, Tiles},
    work::WorkObject,
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

enum Prepared {
    Nothing,
    Cuts(Cuts),
    Bins(Bins),
    Queues(Queues),
}

/// Creates the argument of a work for a launch.
type WorkArg<'a> = &'a dyn Fn() -> ErasedArg<dyn WorkObject, GpuRuntime>;

impl AnyPlan {
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

    /// Runs the work on the tiles of the plan.
    ///
    /// # Safety
    ///
    /// As of [`Plan::run`](crate::plan::Plan::run), unless bounds are checked.
    pub(crate) unsafe fn run(&self, checked: bool, set: &Tiles<AnyTiles>, work: WorkArg) {
        use ScheduleName::*;
        match (&self.prepared, self.schedule) {
            (Prepared::Cuts(cuts), NonzeroSplit) => {
                self.split::<schedules::NonzeroSplit>(checked, cuts, set, work);
            }
            (Prepared::Cuts(cuts), _) => {
                self.split::<schedules::MergePath>(checked, cuts, set, work);
            }
            (Prepared::Bins(bins), _) => self.bins(checked, bins, set, work),
            (Prepared::Queues(queues), WorkStealing) => {
                self.queues::<schedules::WorkStealing>(checked, queues, set, work);
            }
            (Prepared::Queues(queues), _) => {
                self.queues::<schedules::Persistent>(checked, queues, set, work);
            }
            (Prepared::Nothing, ThreadMapped) => {
                self.launch::<schedules::ThreadMapped>(checked, set, work);
            }
            (Prepared::Nothing, GroupMapped) => {
                self.launch::<schedules::GroupMapped>(checked, set, work);
            }
            // Plane-mapped and cube-mapped.
            (Prepared::Nothing, _) => self.launch::<schedules::TileByTile>(checked, set, work),
        }
    }

    fn launch<S: schedules::Schedule>(&self, checked: bool, set: &Tiles<AnyTiles>, work: WorkArg) {
        // SAFETY: schedules of this crate pass only tiles and atoms of the set to the work; the caller of `run`
        // guarantees the rest, unless bounds are checked.
        launch_with_bounds!(
            checked,
            schedules::run::<S>(
                self.gpu.client(),
                CubeCount::Static(self.cubes, 1, 1),
                CubeDim::new_1d(self.shape.units),
                set.arg(),
                work(),
                self.shape,
            )
        );
    }

    fn bins(&self, checked: bool, bins: &Bins, set: &Tiles<AnyTiles>, work: WorkArg) {
        // SAFETY: the table has the numbers of each bin, and each bin is a part of `order`.
        launch_with_bounds!(
            checked,
            do_bins(
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

    fn queues<Q: Taking>(
        &self,
        checked: bool,
        queues: &Queues,
        set: &Tiles<AnyTiles>,
        work: WorkArg,
    ) {
        queues.refill(&self.gpu);
        // SAFETY: each queue has a head, and a block is taken once.
        launch_with_bounds!(
            checked,
            do_blocks::<Q>(
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

    fn split<S: Split>(&self, checked: bool, cuts: &Cuts, set: &Tiles<AnyTiles>, work: WorkArg) {
        let ValueShape { lanes, reduces, .. } = self.values;
        let values = cuts.pieces as usize * lanes as usize;
        // SAFETY: the buffer holds the values of both ends of each piece.
        let ends = |buffer: &Buffer<u32>| unsafe {
            ArrayArg::from_raw_parts(buffer.handle().clone(), values)
        };
        // SAFETY: `starts` has an element per piece and one more, `heads` and `tails` have one per lane of each piece,
        // and the kernels process `pieces` pieces.
        launch_with_bounds!(
            checked,
            do_pieces::<S>(
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
            fix_up(
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
