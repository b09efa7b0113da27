//! Binned: tiles sorted into bins by the logarithm of their size, each bin with a fitting group.
//!
//! All bins are in one launch, each with its own cubes; those of the largest tiles come first, so that the longest work
//! starts earliest.

use cubecl::prelude::*;

use super::{PreparedShares, Shape, Sharing, SharingKind, tile_by_tile::one_tile};
use crate::{
    Result,
    device::{Buffer, Gpu, GpuRuntime},
    input::Input,
    primitives::sort_by_class,
    ranges::*,
    share::{Share, share_of_tile},
    tiles::*,
    work::*,
};

/// Tiles sorted into bins by size; a group that fits the bin processes a tile.
pub struct Binned;

/// The bins of a tile set in a kernel; created by [`prepare`](SharingKind::prepare) of [`Binned`].
#[derive(CubeType, CubeLaunch)]
pub struct BinnedTiles {
    /// The tiles, bin by bin.
    order: Input<u32>,
    /// The numbers of each bin.
    table: Input<u32>,
}

/// Turns of a plane on a tile before a whole cube is worth it. Smaller groups take one.
const TURNS_OF_A_PLANE: u32 = 4;

/// The workers of each bin's groups, largest first: a cube, a plane, then a quarter of the previous one.
///
/// Not half: more bins would fit slightly better, but scatter neighbouring tiles, which share cache lines.
pub(crate) fn group_workers(shape: Shape, lanes: u32) -> Vec<u32> {
    let cube = shape.units / lanes;
    let plane = (shape.plane / lanes).clamp(1, cube);
    let smaller = std::iter::successors(Some(plane / 4), |&workers| Some(workers / 4));
    let mut workers = vec![cube, plane];
    workers.extend(smaller.take_while(|&workers| workers > 0));
    workers.dedup();
    workers
}

/// The largest tile of each bin, in the order of [`group_workers`].
fn limits(shape: Shape, lanes: u32) -> Vec<u32> {
    let workers = group_workers(shape, lanes);
    let plane = (shape.plane / lanes).max(1);
    let limit = |&workers: &u32| match workers {
        _ if workers >= shape.units / lanes => u32::MAX,
        _ if workers == plane => workers * lanes * shape.items * TURNS_OF_A_PLANE,
        _ => workers * lanes * shape.items,
    };
    workers.iter().map(limit).collect()
}

#[cube(launch_unchecked)]
pub(crate) fn find_bins(
    set: &AnyTiles,
    bin_of: &mut Array<u32>,
    #[comptime] shape: Shape,
    #[comptime] lanes: u32,
) {
    let limits = comptime!(limits(shape, lanes));
    for tile in grid_stride_range(0, set.tiles()) {
        let size = set.start(tile + 1) - set.start(tile);
        let mut bin = 0u32;
        #[unroll]
        for smaller in 1..comptime!(limits.len() as u32) {
            if size <= comptime!(limits[smaller as usize]) {
                bin = smaller;
            }
        }
        bin_of[tile as usize] = bin;
    }
}

/// Numbers per bin in the table of [`do_bins`].
pub(crate) const BIN_NUMBERS: usize = 4;

/// Processes all bins. For each, `table` has its start in `order`, its number of tiles, its first cube, and its number
/// of cubes.
#[cube(launch, launch_unchecked)]
pub(crate) fn do_bins(
    set: &AnyTiles,
    work: &mut AnyWork,
    order: &Array<u32>,
    table: &Array<u32>,
    #[comptime] shape: Shape,
) {
    let workers = comptime!(group_workers(shape, work.lanes()));
    #[unroll]
    for bin in 0..comptime!(workers.len() as u32) {
        let numbers = bin as usize * BIN_NUMBERS;
        let (first, count) = (table[numbers], table[numbers + 1]);
        let (first_cube, cubes) = (table[numbers + 2], table[numbers + 3]);
        let cube = CUBE_POS as u32 - first_cube;
        if CUBE_POS as u32 >= first_cube && cube < cubes {
            let shape = comptime!(Shape { group: workers[bin as usize] * work.lanes(), ..shape });
            do_bin(set, work, order, first, count, cube, cubes, shape);
        }
    }
}

#[cube]
fn do_bin(
    set: &AnyTiles,
    work: &mut AnyWork,
    order: &Array<u32>,
    first: u32,
    count: u32,
    cube: u32,
    cubes: u32,
    #[comptime] shape: Shape,
) {
    let groups = comptime!(shape.units / shape.group);
    let stride = cubes * groups;
    for turn in 0..count.div_ceil(stride) {
        let index = turn * stride + cube * groups + UNIT_POS / shape.group;
        let present = index < count;
        let mut tile = 0u32;
        if present {
            tile = order[(first + index) as usize];
        }
        one_tile(set, work, tile, present, shape);
    }
}

impl SharingKind for Binned {
    type Prepared = BinnedTiles;

    fn prepare<T: TileSet>(
        gpu: &Gpu,
        set: &Tiles<T>,
        shape: Shape,
        cubes: u32,
    ) -> Result<PreparedShares<BinnedTiles>> {
        let Bins { order, table, .. } =
            Bins::new(gpu, &set.erased(), shape, 1, Some(cubes), cubes)?;
        Ok(PreparedShares::new(move || Ok(BinnedTilesLaunch::new(order.arg(), table.arg()))))
    }
}

#[cube]
impl Sharing for Binned {
    fn share<T: TileSet>(
        set: &T,
        prepared: &mut BinnedTiles,
        turn: u32,
        #[comptime] shape: Shape,
    ) -> Share {
        let workers = comptime!(group_workers(shape, 1));
        let mut turns_left = turn;
        let mut is_over = true;
        let mut is_there = false;
        let mut tile = 0u32;
        let mut rank = 0u32;
        let mut step = 1u32;
        #[unroll]
        for bin in 0..comptime!(workers.len() as u32) {
            let group = comptime!(workers[bin as usize]);
            let groups = comptime!(shape.units / group);
            let numbers = bin as usize * BIN_NUMBERS;
            let (first, count) = (prepared.table[numbers], prepared.table[numbers + 1]);
            let stride = CUBE_COUNT as u32 * groups;
            let turns = count.div_ceil(stride);
            if is_over {
                if turns_left < turns {
                    is_over = false;
                    let own = CUBE_POS as u32 * groups + UNIT_POS / group;
                    let index = turns_left * stride + own;
                    is_there = index < count;
                    if is_there {
                        tile = prepared.order[(first + index) as usize];
                    }
                    rank = UNIT_POS % group;
                    step = group.runtime();
                } else {
                    turns_left -= turns;
                }
            }
        }
        share_of_tile::<T>(set, tile, is_there, rank, step, is_over)
    }
}

/// The tiles in the order of their bins, and the cubes of each bin.
pub(crate) struct Bins {
    pub(crate) order: Buffer<u32>,
    pub(crate) table: Buffer<u32>,
    pub(crate) cubes: u32,
}

impl Bins {
    /// Sorts the current tiles of a set into bins. With `cubes`, each bin has all these cubes; otherwise each has as
    /// many as it can use, up to `most` together.
    pub(crate) fn new(
        gpu: &Gpu,
        set: &Tiles<AnyTiles>,
        shape: Shape,
        lanes: u32,
        cubes: Option<u32>,
        most: u32,
    ) -> Result<Self> {
        let workers = group_workers(shape, lanes);
        let bins = workers.len() as u32;
        // Elements beyond the tiles of the set are in no bin.
        let bin_of = gpu.filled(set.tiles() as usize, u32::MAX)?;
        // SAFETY: the kernel writes at most one number per tile.
        unsafe {
            find_bins::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                gpu.cubes(u64::from(set.tiles()).div_ceil(u64::from(shape.units))),
                CubeDim::new_1d(shape.units),
                set.arg(),
                bin_of.arg(),
                shape,
                lanes,
            );
        }
        let sorted = sort_by_class(gpu, &bin_of, bins)?;
        let offsets = gpu.download(&sorted.offsets)?;
        let most = u64::from(most / bins).max(1);
        let mut table = Vec::with_capacity(bins as usize * BIN_NUMBERS);
        let mut next_cube = 0;
        for (ends, workers) in offsets.windows(2).zip(&workers) {
            let count = ends[1] - ends[0];
            let groups = u64::from(shape.units / (workers * lanes));
            let wanted = u64::from(count).div_ceil(groups).min(most) as u32;
            let (first, own) = match cubes {
                Some(cubes) => (0, cubes),
                None => (next_cube, wanted),
            };
            table.extend([ends[0], count, first, own]);
            next_cube += wanted;
        }
        let cubes = cubes.unwrap_or(next_cube).max(1);
        Ok(Self { order: sorted.order, table: gpu.upload(&table)?, cubes })
    }
}
