//! Where the tiles of a group start, in shared memory.

use std::marker::PhantomData;

use cubecl::prelude::*;

use super::Shape;
use crate::tiles::*;

/// The operations of group-mapped on tiles, which have starts or numbers of atoms.
#[cube]
pub(super) trait GroupTiles: GroupTilesKind {
    /// The number of tiles.
    fn tiles(set: &Self::Set) -> u32;
    /// Stages where the tiles from `first` on start, one per worker of the group, and where the last one ends, for all
    /// groups of the cube. All units of the cube call it together, and may read the result at once.
    fn stage(
        set: &Self::Set,
        first: u32,
        rank: u32,
        #[comptime] workers: u32,
        #[comptime] shape: Shape,
    ) -> SharedMemory<u32>;
    /// The work's name of a tile.
    fn tile(set: &Self::Set, tile: u32) -> u32;
    /// The work's name of an atom, given the staged start of its tile.
    fn atom(set: &Self::Set, tile: u32, start: u32, atom: u32) -> u32;
}

pub(super) trait GroupTilesKind: 'static + Send + Sync {
    type Set: LaunchArg;
}

/// Tiles with starts, which are staged unchanged.
pub(super) struct ByStarts<T>(PhantomData<fn() -> T>);

impl<T: TileSet> GroupTilesKind for ByStarts<T> {
    type Set = T;
}

#[cube]
impl<T: TileSet> GroupTiles for ByStarts<T> {
    fn tiles(set: &T) -> u32 {
        set.tiles()
    }

    fn stage(
        set: &T,
        first: u32,
        rank: u32,
        #[comptime] workers: u32,
        #[comptime] shape: Shape,
    ) -> SharedMemory<u32> {
        let mut starts = room(workers, shape);
        let base = UNIT_POS / shape.group * comptime!(workers + 1);
        let count = set.tiles();
        starts[(base + rank) as usize] = set.start(min(first + rank, count));
        if rank == 0 {
            starts[(base + workers) as usize] = set.start(min(first + workers, count));
        }
        sync_cube();
        starts
    }

    fn tile(set: &T, tile: u32) -> u32 {
        set.tile(tile)
    }

    fn atom(set: &T, tile: u32, _start: u32, atom: u32) -> u32 {
        set.atom(tile, atom)
    }
}

/// Tiles with numbers of atoms: the group scans them (Osama et al.), and its atoms are numbered from 0.
pub(super) struct ByCounts<C>(PhantomData<fn() -> C>);

impl<C: CountedSet> GroupTilesKind for ByCounts<C> {
    type Set = C;
}

#[cube]
impl<C: CountedSet> GroupTiles for ByCounts<C> {
    fn tiles(set: &C) -> u32 {
        set.tiles()
    }

    fn stage(
        set: &C,
        first: u32,
        rank: u32,
        #[comptime] workers: u32,
        #[comptime] shape: Shape,
    ) -> SharedMemory<u32> {
        let mut sums = room(workers, shape);
        let base = UNIT_POS / shape.group * comptime!(workers + 1);
        let own = (base + rank + 1) as usize;
        let mut sum = 0u32;
        if first + rank < set.tiles() {
            sum = set.count(first + rank);
        }
        sums[own] = sum;
        if rank == 0 {
            sums[base as usize] = 0;
        }
        sync_cube();
        #[unroll]
        for doubling in 0..comptime!(workers.ilog2()) {
            let distance = comptime!(1u32 << doubling);
            if rank >= distance {
                sum += sums[own - distance as usize];
            }
            sync_cube();
            sums[own] = sum;
            sync_cube();
        }
        sums
    }

    fn tile(set: &C, tile: u32) -> u32 {
        set.tile(tile)
    }

    fn atom(set: &C, tile: u32, start: u32, atom: u32) -> u32 {
        set.atom(tile, atom - start)
    }
}

/// Shared memory for one number per worker and one more, for each group.
#[cube]
fn room(#[comptime] workers: u32, #[comptime] shape: Shape) -> SharedMemory<u32> {
    let groups = comptime!(shape.units / shape.group);
    SharedMemory::<u32>::new(comptime!((groups * (workers + 1)) as usize))
}
