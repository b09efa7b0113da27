//! Group-mapped: a group takes its equal share of tiles, and its units stride over the atoms of
//! all of them, across tile boundaries (Osama et al., 5.2.3).
//!
//! The running sum of the share's atom counts is staged in shared memory ([`GroupTiles`]); the tile
//! of an atom is found in it by binary search. A work with totals has its values staged too, and the
//! unit that owns a tile adds them up.

use cubecl::prelude::*;

use super::{
    PreparedShares, Schedule, Shape, Sharing, SharingKind,
    group_tiles::{ByCounts, ByStarts, GroupTiles},
    search::first_above,
};
use crate::{
    Result,
    device::Gpu,
    plan::Tiles,
    ranges::*,
    share::{CountedShare, Share},
    tiles::*,
    work::*,
};

/// A group shares the atoms of as many tiles as it has units.
///
/// ```no_run
/// use equipoise_schedule::{
///     device::{Gpu, GpuRuntime},
///     plan::{self, Tiles},
///     schedules::{GroupMapped, Shape},
///     tiles::TileSet,
///     work::Work,
/// };
///
/// unsafe fn launch<T: TileSet, W: Work>(
///     gpu: &Gpu,
///     set: &Tiles<T>,
///     work: W::RuntimeArg<GpuRuntime>,
/// ) {
///     let shape = Shape { units: 256, plane: gpu.plane_size(), group: 16, items: 4 };
///     // SAFETY: it is up to the caller that the work fits the tiles.
///     unsafe { plan::launch::<GroupMapped, T, W>(gpu, 100, shape, set.arg(), work) };
/// }
/// ```
pub struct GroupMapped;

#[cube]
impl Schedule for GroupMapped {
    fn run<V: WorkValue>(set: &AnyTiles, work: &mut AnyWork<V>, #[comptime] shape: Shape) {
        run_groups::<ByStarts<AnyTiles>, V>(set, work, shape);
    }
}

/// Group-mapped over tiles that only say how many atoms each has.
#[cube(launch, launch_unchecked)]
pub(crate) fn run_counted<C: CountedSet, V: WorkValue>(
    set: &C,
    work: &mut AnyWork<V>,
    #[comptime] shape: Shape,
) {
    run_groups::<ByCounts<C>, V>(set, work, shape);
}

#[cube]
fn run_groups<G: GroupTiles, V: WorkValue>(
    set: &G::Set,
    work: &mut AnyWork<V>,
    #[comptime] shape: Shape,
) {
    let groups = comptime!(shape.units / shape.group);
    let workers = comptime!(shape.group / work.lanes());
    let count = G::tiles(set);
    let stride = CUBE_COUNT as u32 * groups * workers;
    // Every group takes the same number of turns, so that the cube stays together.
    for turn in 0..count.div_ceil(stride) {
        let group = CUBE_POS as u32 * groups + UNIT_POS / shape.group;
        let first = min(turn * stride + group * workers, count);
        share_of_tiles::<G, V>(set, work, first, shape);
    }
}

/// The tiles from `first` on, one for each worker of the group as far as there are.
#[cube]
fn share_of_tiles<G: GroupTiles, V: WorkValue>(
    set: &G::Set,
    work: &mut AnyWork<V>,
    first: u32,
    #[comptime] shape: Shape,
) {
    let workers = comptime!(shape.group / work.lanes());
    let rank = UNIT_POS % shape.group / comptime!(work.lanes());
    let base = UNIT_POS / shape.group * comptime!(workers + 1);
    let starts = G::stage(set, first, rank, workers, shape);
    let mut total = work.identity();
    if comptime!(work.reduces()) {
        total = staged_totals::<G, V>(set, work, &starts, first, shape);
    } else {
        let (begin, end) = (starts[base as usize], starts[(base + workers) as usize]);
        for atom in step_range(begin + rank, end, workers) {
            do_atom::<G, V>(set, work, &starts, base, workers, first, atom);
        }
    }
    if first + rank < G::tiles(set) {
        work.end(G::tile(set, first + rank), total);
    }
    sync_cube();
}

/// Does an atom; its tile is looked for where the work or the tile set asks for it.
#[cube]
fn do_atom<G: GroupTiles, V: WorkValue>(
    set: &G::Set,
    work: &mut AnyWork<V>,
    starts: &SharedMemory<u32>,
    base: u32,
    #[comptime] workers: u32,
    first: u32,
    atom: u32,
) -> V {
    let mut place = 0u32;
    if comptime!(work.atom_needs_tile()) {
        place = first_above(starts, base + 1, workers - 1, atom);
    }
    let tile = first + place;
    let start = starts[(base + place) as usize];
    work.atom(G::tile(set, tile), G::atom(set, tile, start, atom))
}

/// The total of the tile that the calling worker owns.
#[cube]
fn staged_totals<G: GroupTiles, V: WorkValue>(
    set: &G::Set,
    work: &mut AnyWork<V>,
    starts: &SharedMemory<u32>,
    first: u32,
    #[comptime] shape: Shape,
) -> V {
    let lanes = comptime!(work.lanes());
    let workers = comptime!(shape.group / lanes);
    let chunk = comptime!(workers * shape.items);
    let (lane, rank) = (UNIT_POS % lanes, UNIT_POS % shape.group / lanes);
    let group = UNIT_POS / shape.group;
    let base = group * comptime!(workers + 1);
    let mut values = SharedMemory::<V>::new(comptime!((shape.units * shape.items) as usize));
    let own_values = group * comptime!(chunk * lanes) + lane;

    let (begin, end) = (starts[base as usize], starts[(base + workers) as usize]);
    let (own_begin, own_end) = (starts[(base + rank) as usize], starts[(base + rank + 1) as usize]);
    let mut total = work.identity();
    let mut low = begin;
    for _ in 0..most_chunks(end - begin, chunk, shape) {
        let high = min(low + chunk, end);
        #[unroll]
        for item in 0..shape.items {
            let place = item * workers + rank;
            let atom = low + place;
            if atom < high {
                values[(own_values + place * lanes) as usize] =
                    do_atom::<G, V>(set, work, starts, base, workers, first, atom);
            }
        }
        sync_cube();
        for atom in max(own_begin, low)..min(own_end, high) {
            total = work.combine(total, values[(own_values + (atom - low) * lanes) as usize]);
        }
        sync_cube();
        low = high;
    }
    total
}

/// How many chunks the group of the cube with the most atoms has.
#[cube]
fn most_chunks(atoms: u32, #[comptime] chunk: u32, #[comptime] shape: Shape) -> u32 {
    if comptime!(shape.group == shape.units) {
        atoms.div_ceil(chunk)
    } else {
        let most = SharedMemory::<Atomic<u32>>::new(1usize);
        if UNIT_POS == 0 {
            most[0].store(0);
        }
        sync_cube();
        most[0].fetch_max(atoms);
        sync_cube();
        most[0].load().div_ceil(chunk)
    }
}

impl SharingKind for GroupMapped {
    type Prepared = ();

    fn prepare<T: TileSet>(_: &Gpu, _: &Tiles<T>, _: Shape, _: u32) -> Result<PreparedShares<()>> {
        Ok(PreparedShares::nothing())
    }
}

#[cube]
impl Sharing for GroupMapped {
    fn share<T: TileSet>(
        set: &T,
        _prepared: &mut (),
        turn: u32,
        #[comptime] shape: Shape,
    ) -> Share {
        group_share::<ByStarts<T>>(set, turn, shape)
    }
}

#[cube]
impl GroupMapped {
    /// The share of the calling unit in a turn, of tiles that only say how many atoms each has: a
    /// group scans these numbers in shared memory, and nothing has to be prepared. All units of a
    /// cube call it together.
    ///
    /// ```
    /// use cubecl::prelude::*;
    /// use equipoise_schedule::{
    ///     ranges::infinite_range,
    ///     schedules::{GroupMapped, Shape},
    ///     tiles::*,
    /// };
    ///
    /// /// The row of each entry.
    /// #[cube(launch)]
    /// fn rows_of_entries<C: CountedSet>(
    ///     rows: &C,
    ///     row_of: &mut Array<u32>,
    ///     #[comptime] shape: Shape,
    /// ) {
    ///     for turn in infinite_range(0) {
    ///         let share = GroupMapped::counted_share::<C>(rows, turn, shape);
    ///         if share.is_over() {
    ///             break;
    ///         }
    ///         for atom in share.atoms() {
    ///             let tile = share.get_tile(atom);
    ///             let entry = rows.atom(tile, share.index_in_tile(tile, atom));
    ///             row_of[entry as usize] = rows.tile(tile);
    ///         }
    ///     }
    /// }
    /// # fn main() {}
    /// ```
    pub fn counted_share<C: CountedSet>(
        set: &C,
        turn: u32,
        #[comptime] shape: Shape,
    ) -> CountedShare {
        CountedShare { share: group_share::<ByCounts<C>>(set, turn, shape) }
    }
}

#[cube]
fn group_share<G: GroupTiles>(set: &G::Set, turn: u32, #[comptime] shape: Shape) -> Share {
    let group = comptime!(shape.group);
    let count = G::tiles(set);
    let first_of_all = turn * CUBE_COUNT as u32 * CUBE_DIM;
    let first = min(first_of_all + ABSOLUTE_POS as u32 / group * group, count);
    let rank = UNIT_POS % group;
    let base = UNIT_POS / group * comptime!(group + 1);
    // Others may still be looking for their tiles of the turn before.
    sync_cube();
    let starts = G::stage(set, first, rank, group, shape);
    Share {
        tiles: step_range(first, min(first + group, count), 1),
        first_atom: starts[base as usize],
        last_atom: starts[(base + group) as usize],
        rank,
        step: group.runtime(),
        is_over: first_of_all >= count,
        starts,
        base,
        is_staged: true,
    }
}
