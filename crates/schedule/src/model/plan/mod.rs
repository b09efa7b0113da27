//! Plans: a schedule prepared for a tile set and a work, and its launches.

mod any;
mod counted;
mod cuts;
mod launches;
mod options;

use std::marker::PhantomData;

use cubecl::prelude::*;

pub use self::{counted::CountedPlan, options::ScheduleOptions};
pub use crate::tiles::Tiles;

pub(crate) use self::{any::AnyPlan, launches::ValueShape};
use crate::{
    Result,
    device::{Gpu, GpuRuntime},
    schedules::{self, Shape},
    tiles::{TileSet, erase_tiles},
    work::{Work, erase_work},
};

/// A schedule prepared for one tile set and one work.
///
/// Some schedules prepare data for the sizes of the tiles. A plan can be run any number of times, as long as the sizes
/// stay the same.
///
/// ```no_run
/// use equipoise_schedule::{
///     Result, ScheduleName,
///     device::{Buffer, Gpu, GpuRuntime},
///     plan::{Plan, Tiles},
///     tiles::TileSet,
///     work::Work,
/// };
///
/// /// Prepares a work once and runs it several times.
/// unsafe fn repeat<T: TileSet, W: Work>(
///     gpu: &Gpu,
///     set: &Tiles<T>,
///     work: impl Fn() -> W::RuntimeArg<GpuRuntime>,
///     times: u32,
/// ) -> Result<()> {
///     let plan = Plan::<T, W>::new(gpu, ScheduleName::MergePath.into(), set)?;
///     for _ in 0..times {
///         // SAFETY: it is up to the caller that the work fits the tiles.
///         unsafe { plan.run(set, &work) };
///     }
///     gpu.finish()
/// }
/// ```
pub struct Plan<T: TileSet, W: Work> {
    plan: AnyPlan,
    set_and_work: PhantomData<fn() -> (T, W)>,
}

impl<T: TileSet, W: Work> Plan<T, W> {
    /// Prepares a schedule.
    ///
    /// Fails if the device or the work does not allow the settings, the tile set is too large, or memory does not
    /// suffice.
    pub fn new(gpu: &Gpu, options: ScheduleOptions, set: &Tiles<T>) -> Result<Self> {
        let plan = AnyPlan::new(gpu, options, &set.erased(), ValueShape::new::<W>()?)?;
        Ok(Self { plan, set_and_work: PhantomData })
    }

    /// Enqueues all launches of the work on the tile set of the plan. The next [`finish`](Gpu::finish) or download
    /// reports failures.
    ///
    /// # Safety
    ///
    /// Kernels are launched without bounds checks. The set must be that of the plan, with tiles of the same sizes; for
    /// all its tiles and atoms, set and work must access only their arrays, and no array that is written may also be
    /// bound as an [`Input`](crate::input::Input).
    pub unsafe fn run(&self, set: &Tiles<T>, work: impl Fn() -> W::RuntimeArg<GpuRuntime>) {
        // SAFETY: the caller keeps the contract.
        unsafe { self.run_with(false, set, work) };
    }

    /// Like [`run`](Self::run), with bounds checks: an access beyond the end of an array does nothing, or reads another
    /// element of it.
    pub fn run_checked(&self, set: &Tiles<T>, work: impl Fn() -> W::RuntimeArg<GpuRuntime>) {
        // SAFETY: accesses are checked.
        unsafe { self.run_with(true, set, work) };
    }

    /// # Safety
    ///
    /// As of [`run`](Self::run), unless accesses are checked.
    pub(crate) unsafe fn run_with(
        &self,
        checked: bool,
        set: &Tiles<T>,
        work: impl Fn() -> W::RuntimeArg<GpuRuntime>,
    ) {
        // SAFETY: the caller keeps the contract.
        unsafe { self.plan.run(checked, &set.erased(), &|| erase_work::<T, W>(work())) };
    }
}

/// Launches a schedule that consists of its kernel, such as a custom one.
///
/// # Safety
///
/// The kernel is launched without bounds checks. The schedule must pass only tiles and atoms of the set to the work,
/// and for these, set and work must access only their arrays.
///
/// ```no_run
/// use equipoise_schedule::{
///     device::{Buffer, Gpu, GpuRuntime},
///     plan::{self, Tiles},
///     schedules::{Schedule, Shape},
///     tiles::TileSet,
///     work::Work,
/// };
///
/// unsafe fn with_small_cubes<S: Schedule, T: TileSet, W: Work>(
///     gpu: &Gpu,
///     set: &Tiles<T>,
///     work: W::RuntimeArg<GpuRuntime>,
/// ) {
///     let shape = Shape { units: 64, plane: gpu.plane_size(), group: 64, items: 1 };
///     let cubes = set.tiles().div_ceil(64).max(1);
///     // SAFETY: it is up to the caller that the work fits the tiles.
///     unsafe { plan::launch::<S, T, W>(gpu, cubes, shape, set.arg(), work) };
/// }
/// ```
pub unsafe fn launch<S: schedules::Schedule, T: TileSet, W: Work>(
    gpu: &Gpu,
    cubes: u32,
    shape: Shape,
    set: T::RuntimeArg<GpuRuntime>,
    work: W::RuntimeArg<GpuRuntime>,
) {
    // SAFETY: the caller keeps the contract.
    unsafe {
        schedules::run::launch_unchecked::<S, GpuRuntime>(
            gpu.client(),
            CubeCount::Static(cubes, 1, 1),
            CubeDim::new_1d(shape.units),
            erase_tiles::<T>(set),
            erase_work::<T, W>(work),
            shape,
        );
    }
}
