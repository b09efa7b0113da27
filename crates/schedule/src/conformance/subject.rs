//! What is put to the test.

use std::{fmt, marker::PhantomData};

use cubecl::prelude::*;

use super::{
    check::{TrialSet, Trials},
    expected::{Ends, Failure},
    probe::ProbeName,
};
use crate::{
    Result,
    device::{Gpu, GpuRuntime},
    plan::{self, CountedPlan, Plan, ScheduleOptions, Tiles},
    schedules::{Schedule, Shape},
    tiles::*,
    work::*,
};

/// A schedule with its settings, and the name of both.
pub(super) trait Subject: fmt::Display + Sized {
    /// Tries a work on a tile set.
    fn try_work<T: TrialSet>(trials: &Trials<T, Self>, work: ProbeName) -> Result<usize, Failure> {
        trials.any_work(work)
    }

    /// Readies it for a tile set and a work.
    fn ready<'a, T: TileSet, W: Work>(
        &self,
        gpu: &'a Gpu,
        set: &'a Tiles<T>,
    ) -> Result<Launch<'a, W>>;

    /// The same for tiles that only say how many atoms each has, and with their sums.
    fn ready_counted<'a, C: CountedSet, W: Work>(
        &self,
        gpu: &'a Gpu,
        _set: &'a Counted<'a, C>,
        summed: &'a Tiles<'a, Summed<C>>,
    ) -> Result<Launch<'a, W>> {
        self.ready::<Summed<C>, W>(gpu, summed)
    }

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
    Box<dyn Fn(&dyn Fn() -> <W as LaunchArg>::RuntimeArg<GpuRuntime>) -> Result<()> + 'a>;

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
        Ok(Box::new(move |work| {
            // SAFETY: the works of the suite have a place for each tile and atom of its sets.
            unsafe { plan.run(set, work) };
            Ok(())
        }))
    }

    fn ready_counted<'a, C: CountedSet, W: Work>(
        &self,
        gpu: &'a Gpu,
        set: &'a Counted<'a, C>,
        _summed: &'a Tiles<'a, Summed<C>>,
    ) -> Result<Launch<'a, W>> {
        let plan = CountedPlan::<C, W>::new(gpu, self.0, set)?;
        // SAFETY: as above.
        Ok(Box::new(move |work| unsafe { plan.run(set, work) }))
    }

    /// What was prepared must still be good the second time.
    fn launches(&self) -> usize {
        if self.0.cubes.is_none() { 2 } else { 1 }
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
            Ok(())
        }))
    }
}
