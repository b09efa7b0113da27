//! Where the tiles of a group start, in shared memory.

use std::marker::PhantomData;

use cubecl::prelude::*;

use super::Shape;
use crate::tiles::*;

/// What a group-mapped schedule asks of tiles, whether they say where they start or how many atoms
/// they have.
#[cube]
pub(super) trait GroupTiles: GroupTilesKind {
    /// How many tiles there are.
    fn tiles(set: &Self::Set) -> u32;
    /// Where the tiles from `first` on start, one for each worker of the calling one's group, and
    /// where the last one ends; those of each group after those of the group before. All units of
    /// the cube call it together, and may read at once.
    fn stage(
        set: &Self::Set,
        first: u32,
        rank: u32,
        #[comptime] workers: u32,
        #[comptime] shape: Shape,
    ) -> SharedMemory<u32>;
    /// What the work calls a tile.
    fn tile(set: &Self::Set, tile: u32) -> u32;
    /// What the work calls an atom, given where its tile was staged to start.
    fn atom(set: &Self::Set, tile: u32, start: u32, atom: u32) -> u32;
}

/// What tiles are, for group-mapped.
pub(super) trait GroupTilesKind: 'static + Send + Sync {
    /// The tiles in a kernel.
    type Set: LaunchArg;
}

/// Tiles that say where they start: that is staged as it is.
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

/// Tiles that say how many atoms they have: the group scans them, as Osama et al. have it, and its
/// atoms are counted from 0.
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

/// Room for one number a worker and one more, for each group.
#[cube]
fn room(#[comptime] workers: u32, #[comptime] shape: Shape) -> SharedMemory<u32> {
    let groups = comptime!(shape.units / shape.group);
    SharedMemory::<u32>::new(comptime!((groups * (workers + 1)) as usize))
}
