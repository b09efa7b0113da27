//! What a schedule hands a unit.

use cubecl::prelude::*;

use crate::{ranges::*, tiles::*};

/// The tiles and atoms of one unit: loop over [`tiles`](Share::tiles), and in each over
/// [`atoms`](Share::atoms).
///
/// A tile can be in the share of several units, each with some of its atoms: then what they
/// compute has to be put together, by atomics for instance. Whether that happens depends on the
/// schedule: with [`ThreadMapped`](crate::schedules::ThreadMapped) it does not.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     schedules::{Shape, Sharing},
///     tiles::*,
/// };
///
/// /// Sums and counts the entries of each row, in one go.
/// #[cube(launch)]
/// fn sums_and_counts<S: Sharing, T: TileSet>(
///     rows: &T,
///     entries: &Array<u32>,
///     sums: &mut Array<Atomic<u32>>,
///     counts: &mut Array<Atomic<u32>>,
///     #[comptime] shape: Shape,
/// ) {
///     let share = S::share::<T>(rows, shape);
///     for tile in share.tiles() {
///         let mut sum = 0u32;
///         let mut count = 0u32;
///         for atom in share.atoms::<T>(rows, tile) {
///             sum += entries[rows.atom(tile, atom) as usize];
///             count += 1;
///         }
///         sums[rows.tile(tile) as usize].fetch_add(sum);
///         counts[rows.tile(tile) as usize].fetch_add(count);
///     }
/// }
/// # fn main() {}
/// ```
#[derive(CubeType, Clone, Copy)]
pub struct Share {
    pub(crate) tiles: StepRange,
    pub(crate) first_atom: u32,
    pub(crate) last_atom: u32,
    pub(crate) rank: u32,
    pub(crate) step: u32,
}

#[cube]
impl Share {
    /// The tiles of the unit, as the set counts them.
    pub fn tiles(&self) -> StepRange {
        self.tiles
    }

    /// The atoms of the unit in one of its tiles, as the set counts them. There can be none.
    pub fn atoms<T: TileSet>(&self, set: &T, tile: u32) -> StepRange {
        let begin = max(set.start(tile), self.first_atom);
        let end = min(set.start(tile + 1), self.last_atom);
        step_range(begin + self.rank, end, self.step)
    }
}
