//! Plans for tiles that only say how many atoms each has.

use cubecl::prelude::*;

use crate::{
    Result, ScheduleName,
    device::{Buffer, Gpu, GpuRuntime},
    plan::{Plan, ScheduleOptions, launch_with_bounds},
    schedules::{Shape, run_counted},
    shape::{Launches, ValueShape, launches},
    tiles::{Counted, CountedSet, Summed},
    work::{Work, erase_work},
};

/// A schedule made ready for counted tiles and a work.
///
/// Group-mapped needs no more than the numbers of atoms. For the other schedules their running sum
/// is made, once: a plan is good for any number of runs, as long as the tiles have the same sizes.
///
/// ```no_run
/// use equipoise_schedule::{
///     Result, ScheduleName,
///     device::{Gpu, GpuRuntime},
///     plan::CountedPlan,
///     tiles::{Counted, CountedSet},
///     work::Work,
/// };
///
/// fn run<C: CountedSet, W: Work>(
///     gpu: &Gpu,
///     set: &Counted<C>,
///     work: impl Fn() -> W::RuntimeArg<GpuRuntime>,
/// ) -> Result<()> {
///     let plan = CountedPlan::<C, W>::new(gpu, ScheduleName::GroupMapped.into(), set)?;
///     plan.run_checked(set, work)?;
///     gpu.finish()
/// }
/// ```
pub struct CountedPlan<C: CountedSet, W: Work> {
    kind: Kind<C, W>,
}

enum Kind<C: CountedSet, W: Work> {
    /// Group-mapped, which scans counts itself.
    Scans { gpu: Gpu, shape: Shape, cubes: u32 },
    /// Any other, with the sums it needs.
    Sums { plan: Box<Plan<Summed<C>, W>>, sums: Buffer<u32> },
}

impl<C: CountedSet, W: Work> CountedPlan<C, W> {
    /// Prepares a schedule.
    ///
    /// Fails where [`Plan::new`] does.
    pub fn new(gpu: &Gpu, options: ScheduleOptions, set: &Counted<C>) -> Result<Self> {
        let kind = if options.schedule == ScheduleName::GroupMapped {
            let values = ValueShape::of::<W>()?;
            let Launches { shape, cubes, .. } =
                launches(gpu, &options, values, set.tiles(), set.atoms())?;
            Kind::Scans { gpu: gpu.clone(), shape, cubes }
        } else {
            let sums = set.sums(gpu)?;
            let plan = Box::new(Plan::new(gpu, options, &set.summed(&sums)?)?);
            Kind::Sums { plan, sums }
        };
        Ok(Self { kind })
    }

    /// Does the work on the tiles that the plan was made for.
    ///
    /// # Safety
    ///
    /// As of [`Plan::run`].
    pub unsafe fn run(
        &self,
        set: &Counted<C>,
        work: impl Fn() -> W::RuntimeArg<GpuRuntime>,
    ) -> Result<()> {
        // SAFETY: the caller keeps the contract.
        unsafe { self.run_with(false, set, work) }
    }

    /// The same, with every access of the set and the work checked, as [`Plan::run_checked`] does.
    pub fn run_checked(
        &self,
        set: &Counted<C>,
        work: impl Fn() -> W::RuntimeArg<GpuRuntime>,
    ) -> Result<()> {
        // SAFETY: no access is beyond an array's end.
        unsafe { self.run_with(true, set, work) }
    }

    /// # Safety
    ///
    /// As of [`run`](Self::run), unless bounds are checked.
    unsafe fn run_with(
        &self,
        checked: bool,
        set: &Counted<C>,
        work: impl Fn() -> W::RuntimeArg<GpuRuntime>,
    ) -> Result<()> {
        match &self.kind {
            Kind::Scans { gpu, shape, cubes } => {
                // SAFETY: group-mapped gives the work no tile or atom that the set does not have;
                // the caller of `run` sees to the rest, unless it is checked.
                launch_with_bounds!(
                    checked,
                    run_counted::<C, W::Value>(
                        gpu.client(),
                        CubeCount::Static(*cubes, 1, 1),
                        CubeDim::new_1d(shape.units),
                        set.arg(),
                        erase_work::<Summed<C>, W>(work()),
                        *shape,
                    )
                );
            }
            Kind::Sums { plan, sums } => {
                let set = set.summed(sums)?;
                if checked {
                    plan.run_checked(&set, work);
                } else {
                    // SAFETY: the caller keeps the contract.
                    unsafe { plan.run(&set, work) };
                }
            }
        }
        Ok(())
    }
}
