//! The share of a unit in a schedule.

use cubecl::prelude::*;

use crate::{
    ranges::*,
    schedules::{first_above, first_tile_ending_after},
    tiles::*,
};

/// The tiles and atoms of one unit in one turn.
///
/// There are two ways through it: over [`tiles`](Share::tiles) and, in each, [`atoms_in`](Share::atoms_in); or over all
/// [`atoms`](Share::atoms), with [`get_tile`](Share::get_tile) if the tile matters. Both visit the same atoms.
///
/// Several units can have parts of one tile, depending on the schedule; then their results must be combined, for
/// instance by atomics. With [`ThreadMapped`](crate::schedules::ThreadMapped) this never happens.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     ranges::infinite_range,
///     schedules::{Shape, Sharing},
///     tiles::*,
/// };
///
/// /// Sums and counts the entries of each row, in one go.
/// #[cube(launch)]
/// fn sums_and_counts<S: Sharing, T: TileSet>(
///     rows: &T,
///     prepared: &mut S::Prepared,
///     entries: &Array<u32>,
///     sums: &mut Array<Atomic<u32>>,
///     counts: &mut Array<Atomic<u32>>,
///     #[comptime] shape: Shape,
/// ) {
///     for turn in infinite_range(0) {
///         let share = S::share::<T>(rows, prepared, turn, shape);
///         if share.is_over() {
///             break;
///         }
///         for tile in share.tiles() {
///             let mut sum = 0u32;
///             let mut count = 0u32;
///             for atom in share.atoms_in::<T>(rows, tile) {
///                 sum += entries[rows.atom(tile, atom) as usize];
///                 count += 1;
///             }
///             sums[rows.tile(tile) as usize].fetch_add(sum);
///             counts[rows.tile(tile) as usize].fetch_add(count);
///         }
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
    pub(crate) is_over: bool,
    /// If staged, the starts of the tiles, from `base` on.
    pub(crate) starts: SharedMemory<u32>,
    pub(crate) base: u32,
    #[cube(comptime)]
    pub(crate) is_staged: bool,
}

#[cube]
impl Share {
    /// Whether nothing is left to do for the cube of the unit, neither in this turn nor later. All
    /// units of a cube are get the same answer.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The tiles of the unit, as the set counts them.
    pub fn tiles(&self) -> StepRange {
        self.tiles
    }

    /// The atoms of the unit in one of its tiles, in the numbering of the set. Possibly none.
    pub fn atoms_in<T: TileSet>(&self, set: &T, tile: u32) -> StepRange {
        if comptime!(self.is_staged) {
            let index = self.base + tile - self.tiles.begin;
            let own = self.first_atom + self.rank;
            let before = self.starts[index as usize].saturating_sub(own);
            let begin = own + before.div_ceil(self.step) * self.step;
            step_range(begin, self.starts[(index + 1) as usize], self.step)
        } else {
            let begin = max(set.start(tile), self.first_atom);
            let end = min(set.start(tile + 1), self.last_atom);
            step_range(begin + self.rank, end, self.step)
        }
    }

    /// All atoms of the unit, as the set counts them.
    pub fn atoms(&self) -> StepRange {
        step_range(self.first_atom + self.rank, self.last_atom, self.step)
    }

    /// The tile of one of the unit's atoms, in the numbering of the set: by binary search, in the tiles
    /// that the schedule staged in shared memory, if it did.
    pub fn get_tile<T: TileSet>(&self, set: &T, atom: u32) -> u32 {
        if comptime!(self.is_staged) {
            self.staged_tile(atom)
        } else {
            first_tile_ending_after::<T>(set, self.tiles.begin, self.tiles.end - 1, atom)
        }
    }

    fn staged_tile(&self, atom: u32) -> u32 {
        let (first, end) = (self.tiles.begin, self.tiles.end);
        first + first_above(&self.starts, self.base + 1, end - first - 1, atom)
    }
}

/// The tiles and atoms of one unit in one turn, for tiles with only a number of atoms each: the result of
/// [`GroupMapped::counted_share`](crate::schedules::GroupMapped::counted_share).
///
/// Atoms are numbered through the tiles of the unit's group.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     ranges::infinite_range,
///     schedules::{GroupMapped, Shape},
///     tiles::*,
/// };
///
/// /// Doubles all entries.
/// #[cube(launch)]
/// fn double<C: CountedSet>(rows: &C, entries: &mut Array<u32>, #[comptime] shape: Shape) {
///     for turn in infinite_range(0) {
///         let share = GroupMapped::counted_share::<C>(rows, turn, shape);
///         if share.is_over() {
///             break;
///         }
///         for atom in share.atoms() {
///             let tile = share.get_tile(atom);
///             entries[rows.atom(tile, share.index_in_tile(tile, atom)) as usize] *= 2;
///         }
///     }
/// }
/// # fn main() {}
/// ```
#[derive(CubeType, Clone, Copy)]
pub struct CountedShare {
    pub(crate) share: Share,
}

#[cube]
impl CountedShare {
    /// Whether nothing is left to do for the cube of the unit, neither in this turn nor later. All
    /// units of a cube are get the same answer.
    pub fn is_over(&self) -> bool {
        self.share.is_over
    }

    /// The tiles of the unit's group, as the set counts them.
    pub fn tiles(&self) -> StepRange {
        self.share.tiles
    }

    /// All atoms of the unit.
    pub fn atoms(&self) -> StepRange {
        self.share.atoms()
    }

    /// The tile of one of the unit's atoms, by binary search in shared memory.
    pub fn get_tile(&self, atom: u32) -> u32 {
        self.share.staged_tile(atom)
    }

    /// The index of an atom in its tile, from 0.
    pub fn index_in_tile(&self, tile: u32, atom: u32) -> u32 {
        atom - self.share.starts[(self.share.base + tile - self.share.tiles.begin) as usize]
    }
}

/// The share of a unit whose group has at most one tile in a turn: every `step`-th atom from the `rank`-th on.
#[cube]
pub(crate) fn share_of_tile<T: TileSet>(
    set: &T,
    tile: u32,
    is_there: bool,
    rank: u32,
    step: u32,
    is_over: bool,
) -> Share {
    let mut first_atom = 0u32;
    let mut last_atom = 0u32;
    if is_there {
        first_atom = set.start(tile);
        last_atom = set.start(tile + 1);
    }
    let end = tile + u32::cast_from(is_there);
    share_of_range(step_range(tile, end, 1), first_atom, last_atom, rank, step, is_over)
}

/// The share of a unit without staged tiles.
#[cube]
pub(crate) fn share_of_range(
    tiles: StepRange,
    first_atom: u32,
    last_atom: u32,
    rank: u32,
    step: u32,
    is_over: bool,
) -> Share {
    Share {
        tiles,
        first_atom,
        last_atom,
        rank,
        step,
        is_over,
        starts: SharedMemory::<u32>::new(1usize),
        base: 0u32.runtime(),
        is_staged: false,
    }
}
