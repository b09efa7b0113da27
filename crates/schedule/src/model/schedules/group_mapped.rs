//! Group-mapped: a group takes its equal share of tiles, and its units stride over the atoms of all of them, across
//! tile boundaries (Osama et al., 5.2.3).
//!
//! The running sum of the share's atom counts is staged in shared memory ([`GroupTiles`]), where binary search finds
//! the tile of an atom. If a work has totals, values are staged too, and the unit that owns a tile adds them up.

use cubecl::prelude::*;

use super::{
    Schedule, Shape, Sharing,
    group_tiles::{ByCounts, ByStarts, GroupTiles},
    search::first_above,
};
use crate::{
    ranges::*,
    share::{CountedShare, Share},
    tiles::*,
    work::*,
};

/// A group shares the atoms of as many tiles as it has units.
pub struct GroupMapped;

#[cube]
impl Schedule for GroupMapped {
    fn run(set: &AnyTiles, work: &mut AnyWork, #[comptime] shape: Shape) {
        run_groups::<ByStarts<AnyTiles>>(set, work, shape);
    }
}

/// Group-mapped over tiles with only a number of atoms each.
#[cube(launch, launch_unchecked)]
pub(crate) fn run_counted<C: CountedSet>(set: &C, work: &mut AnyWork, #[comptime] shape: Shape) {
    run_groups::<ByCounts<C>>(set, work, shape);
}

#[cube]
fn run_groups<G: GroupTiles>(set: &G::Set, work: &mut AnyWork, #[comptime] shape: Shape) {
    let groups = comptime!(shape.units / shape.group);
    let workers = comptime!(shape.group / work.lanes());
    let count = G::tiles(set);
    let stride = CUBE_COUNT as u32 * groups * workers;
    // Every group takes the same number of turns, so that barriers are uniform in the cube.
    for turn in 0..count.div_ceil(stride) {
        let group = CUBE_POS as u32 * groups + UNIT_POS / shape.group;
        let first = min(turn * stride + group * workers, count);
        share_of_tiles::<G>(set, work, first, shape);
    }
}

/// Processes the tiles from `first` on, at most one per worker of the group.
#[cube]
fn share_of_tiles<G: GroupTiles>(
    set: &G::Set,
    work: &mut AnyWork,
    first: u32,
    #[comptime] shape: Shape,
) {
    let workers = comptime!(shape.group / work.lanes());
    let rank = UNIT_POS % shape.group / comptime!(work.lanes());
    let base = UNIT_POS / shape.group * comptime!(workers + 1);
    let starts = G::stage(set, first, rank, workers, shape);
    let mut total = work.identity();
    if comptime!(work.reduces()) {
        total = staged_totals::<G>(set, work, &starts, first, shape);
    } else {
        let (begin, end) = (starts[base as usize], starts[(base + workers) as usize]);
        for atom in step_range(begin + rank, end, workers) {
            do_atom::<G>(set, work, &starts, base, workers, first, atom);
        }
    }
    if first + rank < G::tiles(set) {
        work.end(G::tile(set, first + rank), total);
    }
    sync_cube();
}

/// Processes an atom; its tile is searched if the work or the tile set needs it.
#[cube]
fn do_atom<G: GroupTiles>(
    set: &G::Set,
    work: &mut AnyWork,
    starts: &SharedMemory<u32>,
    base: u32,
    #[comptime] workers: u32,
    first: u32,
    atom: u32,
) -> WorkValue {
    let mut position = 0u32;
    if comptime!(work.atom_needs_tile()) {
        position = first_above(starts, base + 1, workers - 1, atom);
    }
    let tile = first + position;
    let start = starts[(base + position) as usize];
    work.atom(G::tile(set, tile), G::atom(set, tile, start, atom))
}

/// The total of the tile that the calling worker owns.
#[cube]
fn staged_totals<G: GroupTiles>(
    set: &G::Set,
    work: &mut AnyWork,
    starts: &SharedMemory<u32>,
    first: u32,
    #[comptime] shape: Shape,
) -> WorkValue {
    let lanes = comptime!(work.lanes());
    let workers = comptime!(shape.group / lanes);
    let chunk = comptime!(workers * shape.items);
    let (lane, rank) = (UNIT_POS % lanes, UNIT_POS % shape.group / lanes);
    let group = UNIT_POS / shape.group;
    let base = group * comptime!(workers + 1);
    let mut values =
        SharedMemory::<WorkValue>::new(comptime!((shape.units * shape.items) as usize));
    let own_values = group * comptime!(chunk * lanes) + lane;

    let (begin, end) = (starts[base as usize], starts[(base + workers) as usize]);
    let (own_begin, own_end) = (starts[(base + rank) as usize], starts[(base + rank + 1) as usize]);
    let mut total = work.identity();
    let mut low = begin;
    for _ in 0..most_chunks(end - begin, chunk, shape) {
        let high = min(low + chunk, end);
        #[unroll]
        for item in 0..shape.items {
            let position = item * workers + rank;
            let atom = low + position;
            if atom < high {
                values[(own_values + position * lanes) as usize] =
                    do_atom::<G>(set, work, starts, base, workers, first, atom);
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

/// The number of chunks of the group with the most atoms in the cube.
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
    /// The share of the calling unit in a turn, for tiles with only a number of atoms each: a group scans these numbers
    /// in shared memory, without preparation. All units of a cube call it together. [`CountedShare`] has an example.
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
    // Other units may still search the tiles of the previous turn.
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
