//! Plans: a schedule made ready for a tile set and a work, and its launches.

use std::marker::PhantomData;

use cubecl::prelude::*;

use crate::{
    Result,
    any_plan::AnyPlan,
    device::{Gpu, GpuRuntime},
    schedules::{self, Shape},
    shape::ValueShape,
    tiles::{AnyTiles, TileSet, erase_tiles},
    work::{Work, erase_work},
};

pub use crate::{counted_plan::CountedPlan, options::ScheduleOptions};

/// Launches a kernel with its accesses checked or not, for which the caller argues that it is sound.
macro_rules! launch_with_bounds {
    ($checked:expr, $($kernel:ident)::+ $(::<$($type:ty),+>)? ($($argument:expr),+ $(,)?)) => {
        if $checked {
            $($kernel)::+::launch::<$($($type,)+)? GpuRuntime>($($argument),+);
        } else {
            // SAFETY: argued where the macro is used.
            unsafe {
                $($kernel)::+::launch_unchecked::<$($($type,)+)? GpuRuntime>($($argument),+);
            }
        }
    };
}
pub(crate) use launch_with_bounds;

/// A tile set as the host has it: how large it is at most, and how it is handed to a kernel.
///
/// The tile sets of this crate make theirs, such as
/// [`CsrRows::of`](crate::tiles::CsrRows::of). For one's own:
///
/// ```no_run
/// use equipoise_schedule::{
///     device::Buffer,
///     plan::Tiles,
///     tiles::{CsrRows, CsrRowsLaunch},
/// };
///
/// fn rows(offsets: &Buffer<u32>, rows: u32, entries: u32) -> Tiles<'_, CsrRows> {
///     Tiles::new(rows, entries, move || CsrRowsLaunch::new(offsets.arg(), rows))
/// }
/// ```
pub struct Tiles<'a, T: TileSet> {
    tiles: u32,
    atoms: u32,
    arg: Box<dyn Fn() -> T::RuntimeArg<GpuRuntime> + 'a>,
}

impl<'a, T: TileSet> Tiles<'a, T> {
    /// A tile set of at most `tiles` tiles with at most `atoms` atoms in all; what there is when a
    /// kernel runs, it reads from the set itself. Atoms beyond that number are not done by all
    /// schedules.
    pub fn new(tiles: u32, atoms: u32, arg: impl Fn() -> T::RuntimeArg<GpuRuntime> + 'a) -> Self {
        Self { tiles, atoms, arg: Box::new(arg) }
    }

    /// The argument for a kernel.
    pub fn arg(&self) -> T::RuntimeArg<GpuRuntime> {
        (self.arg)()
    }

    /// The same set, its type forgotten.
    pub(crate) fn erased(&self) -> Tiles<'_, AnyTiles> {
        Tiles::new(self.tiles, self.atoms, || erase_tiles::<T>(self.arg()))
    }

    /// How many tiles there are at most.
    pub fn tiles(&self) -> u32 {
        self.tiles
    }

    /// How many atoms there are at most.
    pub fn atoms(&self) -> u32 {
        self.atoms
    }
}

/// A schedule made ready for one tile set and one work.
///
/// Some schedules prepare something for the tiles as they are: it can be used for any number of
/// runs, as long as the tiles have the same sizes.
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
/// /// Does a work several times, prepared once.
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
    /// Fails where the device or the work does not allow the settings, the tile set is too large,
    /// or there is no memory for what is prepared.
    pub fn new(gpu: &Gpu, options: ScheduleOptions, set: &Tiles<T>) -> Result<Self> {
        let plan = AnyPlan::new(gpu, options, &set.erased(), ValueShape::of::<W>()?)?;
        Ok(Self { plan, set_and_work: PhantomData })
    }

    /// Does the work on the tile set that the plan was made for, with all launches that takes.
    ///
    /// Returns at once; what fails is reported by the device's next
    /// [`finish`](Gpu::finish) or download.
    ///
    /// # Safety
    ///
    /// Kernels are launched without checks. The set is the one that the plan was made for, with tiles
    /// of the same sizes; for each of its tiles and atoms, and the names that it gives them, set and
    /// work read and write within their arrays only, and no array is written to that is bound a
    /// second time as an [`Input`](crate::input::Input).
    pub unsafe fn run(&self, set: &Tiles<T>, work: impl Fn() -> W::RuntimeArg<GpuRuntime>) {
        // SAFETY: the caller keeps the contract.
        unsafe { self.plan.run(false, &set.erased(), &|| erase_work::<T, W>(work())) };
    }

    /// The same, with every access of the set and the work checked: one beyond the end of an array
    /// does nothing, or reads something else of the same array.
    pub fn run_checked(&self, set: &Tiles<T>, work: impl Fn() -> W::RuntimeArg<GpuRuntime>) {
        // SAFETY: no access is beyond an array's end.
        unsafe { self.plan.run(true, &set.erased(), &|| erase_work::<T, W>(work())) };
    }
}

/// Launches a schedule that needs no more than its kernel, such as one's own.
///
/// # Safety
///
/// The kernel is launched without checks. The schedule gives the work no tile and no atom that the
/// set does not have, and for each of those, set and work read and write within their arrays only.
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
        schedules::run::launch_unchecked::<S, W::Value, GpuRuntime>(
            gpu.client(),
            CubeCount::Static(cubes, 1, 1),
            CubeDim::new_1d(shape.units),
            erase_tiles::<T>(set),
            erase_work::<T, W>(work),
            shape,
        );
    }
}
