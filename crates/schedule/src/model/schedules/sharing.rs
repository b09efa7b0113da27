//! Schedules in custom kernels: shares.

use cubecl::prelude::*;

use super::Shape;
use crate::{
    Result,
    device::{Gpu, GpuRuntime},
    share::Share,
    tiles::*,
};

/// The data that a schedule prepares for loops over its shares.
///
/// ```no_run
/// use equipoise_schedule::{
///     Result,
///     device::Gpu,
///     plan::Tiles,
///     schedules::{PreparedShares, Shape, SharingKind},
///     tiles::TileSet,
/// };
///
/// /// A schedule that needs nothing.
/// struct InTurns;
///
/// impl SharingKind for InTurns {
///     type Prepared = ();
///
///     fn prepare<T: TileSet>(
///         _: &Gpu,
///         _: &Tiles<T>,
///         _: Shape,
///         _: u32,
///     ) -> Result<PreparedShares<()>> {
///         Ok(PreparedShares::nothing())
///     }
/// }
/// ```
pub trait SharingKind: 'static + Send + Sync {
    /// The data in a kernel; `()` for none.
    type Prepared: LaunchArg;

    /// Prepares the data for the current tile set and launches of `cubes` cubes of a shape.
    fn prepare<T: TileSet>(
        gpu: &Gpu,
        set: &Tiles<T>,
        shape: Shape,
        cubes: u32,
    ) -> Result<PreparedShares<Self::Prepared>>;
}

/// The prepared data of kernels that loop over shares. It can be used for any number of launches, as long as the tiles
/// keep their sizes. `examples/custom_kernel.rs` uses it.
pub struct PreparedShares<P: LaunchArg> {
    arg: Box<dyn Fn() -> Result<P::RuntimeArg<GpuRuntime>>>,
}

impl PreparedShares<()> {
    /// No data.
    pub fn nothing() -> Self {
        Self::new(|| Ok(()))
    }
}

impl<P: LaunchArg> PreparedShares<P> {
    /// Data whose argument `arg` creates before each launch. It also restores what the previous launch changed.
    pub fn new(arg: impl Fn() -> Result<P::RuntimeArg<GpuRuntime>> + 'static) -> Self {
        Self { arg: Box::new(arg) }
    }

    /// The argument for the next launch of a kernel, for one launch.
    pub fn arg(&self) -> Result<P::RuntimeArg<GpuRuntime>> {
        (self.arg)()
    }
}

/// Implements [`SharingKind`] for schedules without prepared data.
macro_rules! prepare_nothing {
    ($($schedule:ident),+) => {
        $(impl $crate::schedules::SharingKind for $schedule {
            type Prepared = ();

            fn prepare<T: TileSet>(
                _: &$crate::device::Gpu,
                _: &Tiles<T>,
                _: Shape,
                _: u32,
            ) -> $crate::Result<PreparedShares<()>> {
                Ok(PreparedShares::nothing())
            }
        })+
    };
}
pub(super) use prepare_nothing;

/// A schedule with shares that a custom kernel loops over. Every schedule of this crate is one.
///
/// A unit has one share after the other, in turns, until its cube has none left. Tiles and the units of the launch
/// together must be fewer than 2³².
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     ranges::infinite_range,
///     schedules::{Shape, Sharing},
///     tiles::*,
/// };
///
/// /// Counts the atoms of each unit.
/// #[cube(launch)]
/// fn atoms_of_units<S: Sharing, T: TileSet>(
///     set: &T,
///     prepared: &mut S::Prepared,
///     counts: &mut Array<u32>,
///     #[comptime] shape: Shape,
/// ) {
///     let mut count = 0u32;
///     for turn in infinite_range(0) {
///         let share = S::share::<T>(set, prepared, turn, shape);
///         if share.is_over() {
///             break;
///         }
///         for _ in share.atoms() {
///             count += 1;
///         }
///     }
///     counts[ABSOLUTE_POS] = count;
/// }
/// # fn main() {}
/// ```
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait Sharing: SharingKind {
    /// The share of the calling unit in a turn, from 0. All units of a cube call it together, since some schedules
    /// synchronize here.
    fn share<T: TileSet>(
        set: &T,
        prepared: &mut Self::Prepared,
        turn: u32,
        #[comptime] shape: Shape,
    ) -> Share;
}
