//! Plans for tiles that only have a number of atoms each.

use cubecl::prelude::*;

use super::{
    Plan,
    launches::{Launches, ValueShape, launches},
    options::ScheduleOptions,
};
use crate::{
    Result, ScheduleName,
    device::{Buffer, Gpu, GpuRuntime},
    model::launch::launch_with_bounds,
    schedules::{Shape, run_counted},
    tiles::{Counted, CountedSet, Summed},
    work::{Work, erase_work},
};

/// A schedule prepared for counted tiles and a work.
///
/// Group-mapped needs only the numbers of atoms. For the other schedules their running sum is computed once: a plan can
/// be run any number of times, as long as the tiles keep their sizes.
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
    /// Prepares a schedule. Fails if [`Plan::new`] does.
    pub fn new(gpu: &Gpu, options: ScheduleOptions, set: &Counted<C>) -> Result<Self> {
        let kind = if options.schedule == ScheduleName::GroupMapped {
            let values = ValueShape::new::<W>()?;
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

    /// Runs the work on the tiles of the plan.
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

    /// Like [`run`](Self::run), with bounds checks as in [`Plan::run_checked`].
    pub fn run_checked(
        &self,
        set: &Counted<C>,
        work: impl Fn() -> W::RuntimeArg<GpuRuntime>,
    ) -> Result<()> {
        // SAFETY: accesses are checked.
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
                // SAFETY: group-mapped passes only tiles and atoms of the set to the work; the caller of `run`
                // guarantees the rest, unless bounds are checked.
                launch_with_bounds!(
                    checked,
                    run_counted::<C>(
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
                // SAFETY: the caller keeps the contract.
                unsafe { plan.run_with(checked, &set, work) };
            }
        }
        Ok(())
    }
}
