//! Shares: schedules in kernels of one's own.

use cubecl::prelude::*;

use super::Shape;
use crate::{
    Result,
    device::{Gpu, GpuRuntime},
    plan::Tiles,
    share::Share,
    tiles::*,
};

/// What a schedule has to know beside the tile set before its shares can be looped over.
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
    /// What it is in a kernel; `()` where there is nothing to know.
    type Prepared: LaunchArg;

    /// Finds it out for a tile set as it is now, and launches of so many cubes of a shape.
    fn prepare<T: TileSet>(
        gpu: &Gpu,
        set: &Tiles<T>,
        shape: Shape,
        cubes: u32,
    ) -> Result<PreparedShares<Self::Prepared>>;
}

/// What was prepared for kernels that loop over shares. It is good for any number of launches, as
/// long as the tiles have the same sizes.
///
/// ```no_run
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     Result,
///     device::{Buffer, Gpu, GpuRuntime},
///     plan::Tiles,
///     ranges::infinite_range,
///     schedules::{Shape, Sharing},
///     tiles::*,
/// };
///
/// /// How many tiles each unit has a part in.
/// #[cube(launch)]
/// fn count_tiles<S: Sharing, T: TileSet>(
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
///         for _ in share.tiles() {
///             count += 1;
///         }
///     }
///     counts[ABSOLUTE_POS] = count;
/// }
///
/// fn tiles_of_units<S: Sharing, T: TileSet>(gpu: &Gpu, set: &Tiles<T>) -> Result<Vec<u32>> {
///     let (cubes, plane) = (100, gpu.plane_size());
///     let shape = Shape { units: 256, plane, group: plane, items: 1 };
///     let prepared = S::prepare(gpu, set, shape, cubes)?;
///     let counts = gpu.empty(100 * 256)?;
///     let (count, units) = (CubeCount::Static(cubes, 1, 1), CubeDim::new_1d(shape.units));
///     let prepared = prepared.arg()?;
///     count_tiles::launch::<S, T, GpuRuntime>(
///         gpu.client(), count, units, set.arg(), prepared, counts.arg(), shape,
///     );
///     gpu.download(&counts)
/// }
/// # fn main() {}
/// ```
pub struct PreparedShares<P: LaunchArg> {
    arg: Box<dyn Fn() -> Result<P::RuntimeArg<GpuRuntime>>>,
}

impl PreparedShares<()> {
    /// What there is for a schedule that needs nothing.
    pub fn nothing() -> Self {
        Self::new(|| Ok(()))
    }
}

impl<P: LaunchArg> PreparedShares<P> {
    /// What `arg` gives before each launch. It also makes right what the launch before has changed.
    pub fn new(arg: impl Fn() -> Result<P::RuntimeArg<GpuRuntime>> + 'static) -> Self {
        Self { arg: Box::new(arg) }
    }

    /// The argument for a kernel: for its next launch, and only one.
    pub fn arg(&self) -> Result<P::RuntimeArg<GpuRuntime>> {
        (self.arg)()
    }
}

/// A schedule whose shares can be looped over in a kernel of one's own. Every schedule of this crate
/// is one.
///
/// A unit has one share after the other, in turns, until there is nothing left for its cube. Tiles
/// and the units of the launch are together fewer than 2³².
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     ranges::infinite_range,
///     schedules::{Shape, Sharing},
///     tiles::*,
/// };
///
/// /// How many atoms each unit has: how well a schedule balances.
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
    /// The share of the calling unit in a turn. Turns are counted from 0, and all units of a cube
    /// call it together: some schedules have them wait for each other here.
    fn share<T: TileSet>(
        set: &T,
        prepared: &mut Self::Prepared,
        turn: u32,
        #[comptime] shape: Shape,
    ) -> Share;
}
