//! Binned: tiles sorted into bins by the logarithm of their size, each bin with a fitting group.
//!
//! All bins are in one launch: each has its own cubes, those of the largest tiles first, so that
//! the longest work starts earliest.

use cubecl::prelude::*;

use super::{PreparedShares, Shape, Sharing, SharingKind, tile_by_tile::one_tile};
use crate::{
    Result,
    bins::Bins,
    device::Gpu,
    input::Input,
    plan::Tiles,
    ranges::*,
    share::{Share, share_of_tile},
    tiles::*,
    work::*,
};

/// Tiles sorted into bins by their size, a tile a group that fits its bin.
///
/// By name it is a [`Plan`](crate::plan::Plan); in a kernel of one's own its shares are looped
/// over, one bin after the other:
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     ranges::infinite_range,
///     schedules::{Binned, BinnedTiles, Shape, Sharing},
///     tiles::*,
/// };
///
/// /// How many atoms each unit has.
/// #[cube(launch)]
/// fn atoms_of_units(
///     rows: &CsrRows,
///     bins: &mut BinnedTiles,
///     counts: &mut Array<u32>,
///     #[comptime] shape: Shape,
/// ) {
///     let mut count = 0u32;
///     for turn in infinite_range(0) {
///         let share = Binned::share::<CsrRows>(rows, bins, turn, shape);
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
pub struct Binned;

/// The bins of a tile set in a kernel; made by [`prepare`](SharingKind::prepare) of [`Binned`].
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     schedules::{Binned, BinnedTiles, Shape, Sharing},
///     tiles::*,
/// };
///
/// /// The first tile of each unit.
/// #[cube(launch)]
/// fn first_tiles(
///     rows: &CsrRows,
///     bins: &mut BinnedTiles,
///     first: &mut Array<u32>,
///     #[comptime] shape: Shape,
/// ) {
///     first[ABSOLUTE_POS] = Binned::share::<CsrRows>(rows, bins, 0, shape).tiles().begin;
/// }
/// # fn main() {}
/// ```
#[derive(CubeType, CubeLaunch)]
pub struct BinnedTiles {
    /// The tiles, bin by bin.
    order: Input<u32>,
    /// The numbers of each bin.
    table: Input<u32>,
}

/// How many turns a plane takes for a tile before it is worth a whole cube. Smaller groups take
/// one.
const TURNS_OF_A_PLANE: u32 = 4;

/// The workers of each bin's groups, largest first: a cube, a plane, and from there on one in four
/// of the bin before.
///
/// Not one in two: more bins would fit a little better, and scatter neighbouring tiles, which
/// share cache lines, over more places of the order.
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

/// The bin of each tile.
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

/// Numbers of a bin in the table that [`do_bins`] reads.
pub(crate) const BIN_NUMBERS: usize = 4;

/// Does all bins. For each, `table` has where it starts in `order`, how many tiles it has, its
/// first cube, and how many cubes it has.
#[cube(launch, launch_unchecked)]
pub(crate) fn do_bins<V: WorkValue>(
    set: &AnyTiles,
    work: &mut AnyWork<V>,
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
            do_bin::<V>(set, work, order, first, count, cube, cubes, shape);
        }
    }
}

#[cube]
fn do_bin<V: WorkValue>(
    set: &AnyTiles,
    work: &mut AnyWork<V>,
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
        one_tile::<V>(set, work, tile, present, shape);
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
