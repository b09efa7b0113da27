//! Group-mapped: a group takes its equal share of tiles, and its units stride over the atoms of
//! all of them, across tile boundaries (Osama et al., 5.2.3).
//!
//! The running sum of the share's atom counts is staged in shared memory; the tile of an atom is
//! found in it by binary search. A work with totals has its values staged too, and the unit that
//! owns a tile adds them up.

use cubecl::prelude::*;

use super::{Schedule, Shape, search::first_above};
use crate::{ranges::*, tiles::*, work::*};

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
    fn run<T: TileSet, W: Work>(set: &T, work: &mut W, #[comptime] shape: Shape) {
        let groups = comptime!(shape.units / shape.group);
        let workers = comptime!(shape.group / W::LANES);
        let count = set.tiles();
        let stride = CUBE_COUNT as u32 * groups * workers;
        // Every group takes the same number of turns, so that the cube stays together.
        for turn in 0..count.div_ceil(stride) {
            let group = CUBE_POS as u32 * groups + UNIT_POS / shape.group;
            let first = min(turn * stride + group * workers, count);
            share_of_tiles::<T, W>(set, work, first, shape);
        }
    }
}

/// The tiles from `first` on, one for each worker of the group as far as there are.
#[cube]
fn share_of_tiles<T: TileSet, W: Work>(
    set: &T,
    work: &mut W,
    first: u32,
    #[comptime] shape: Shape,
) {
    let workers = comptime!(shape.group / W::LANES);
    let groups = comptime!(shape.units / shape.group);
    let rank = UNIT_POS % shape.group / comptime!(W::LANES);
    let mut starts = SharedMemory::<u32>::new(comptime!((groups * (workers + 1)) as usize));
    let base = UNIT_POS / shape.group * comptime!(workers + 1);
    let count = set.tiles();
    starts[(base + rank) as usize] = set.start(min(first + rank, count));
    if rank == 0 {
        starts[(base + workers) as usize] = set.start(min(first + workers, count));
    }
    sync_cube();
    let mut total = W::identity();
    if comptime!(W::REDUCES) {
        total = staged_totals::<T, W>(set, work, &starts, first, shape);
    } else {
        let (begin, end) = (starts[base as usize], starts[(base + workers) as usize]);
        for atom in step_range(begin + rank, end, workers) {
            let tile = tile_of::<T, W>(&starts, base, workers, first, atom);
            work.atom(set.tile(tile), set.atom(tile, atom));
        }
    }
    if first + rank < count {
        work.end(set.tile(first + rank), total);
    }
    sync_cube();
}

/// The tile of an atom, where the work or the tile set asks for it.
#[cube]
fn tile_of<T: TileSet, W: Work>(
    starts: &SharedMemory<u32>,
    base: u32,
    #[comptime] workers: u32,
    first: u32,
    atom: u32,
) -> u32 {
    if comptime!(W::ATOM_NEEDS_TILE || T::ATOM_NEEDS_TILE) {
        first + first_above(starts, base + 1, workers - 1, atom)
    } else {
        first
    }
}

/// The total of the tile that the calling worker owns.
#[cube]
fn staged_totals<T: TileSet, W: Work>(
    set: &T,
    work: &mut W,
    starts: &SharedMemory<u32>,
    first: u32,
    #[comptime] shape: Shape,
) -> W::Value {
    let lanes = comptime!(W::LANES);
    let workers = comptime!(shape.group / lanes);
    let chunk = comptime!(workers * shape.items);
    let (lane, rank) = (UNIT_POS % lanes, UNIT_POS % shape.group / lanes);
    let group = UNIT_POS / shape.group;
    let base = group * comptime!(workers + 1);
    let mut values = SharedMemory::<W::Value>::new(comptime!((shape.units * shape.items) as usize));
    let own_values = group * comptime!(chunk * lanes) + lane;

    let (begin, end) = (starts[base as usize], starts[(base + workers) as usize]);
    let (own_begin, own_end) = (starts[(base + rank) as usize], starts[(base + rank + 1) as usize]);
    let mut total = W::identity();
    let mut low = begin;
    for _ in 0..most_chunks(end - begin, chunk, shape) {
        let high = min(low + chunk, end);
        #[unroll]
        for item in 0..shape.items {
            let place = item * workers + rank;
            let atom = low + place;
            if atom < high {
                let tile = tile_of::<T, W>(starts, base, workers, first, atom);
                values[(own_values + place * lanes) as usize] =
                    work.atom(set.tile(tile), set.atom(tile, atom));
            }
        }
        sync_cube();
        for atom in max(own_begin, low)..min(own_end, high) {
            total = W::combine(total, values[(own_values + (atom - low) * lanes) as usize]);
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
