//! Persistent and work-stealing: cubes take blocks of tiles as they run, until none is left.
//!
//! Both launch no more cubes than run at the same time. A persistent cube takes the next block from
//! a queue that all share (Osama et al., 5.1: the infinite range). A stealing one has a queue of its
//! own, with its equal part of the tiles, and takes from the others when that is empty (Tzeng et al.,
//! Che et al.). Taking a block is one atomic addition to the head of a queue, so that each is taken
//! exactly once and nobody waits for anybody.

use cubecl::prelude::*;

use super::{PreparedShares, Shape, Sharing, SharingKind, tile_by_tile::one_tile};
use crate::{
    Result,
    device::Gpu,
    plan::Tiles,
    queues::Queues,
    ranges::*,
    share::{Share, share_of_tile},
    tiles::*,
    work::*,
};

/// Tiles of a block for each group of a cube: taking one by one would cost more than many tiles do.
const TILES_A_GROUP: u32 = 4;

/// No queue, and no block.
const NONE: u32 = u32::MAX;

/// How many tiles a cube takes at a time.
pub(crate) fn block_size(shape: Shape) -> u32 {
    shape.units / shape.group * TILES_A_GROUP
}

/// Cubes take blocks of tiles from one queue.
///
/// By name it is a [`Plan`](crate::plan::Plan); in a kernel of one's own its shares are looped over:
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     ranges::infinite_range,
///     schedules::{Persistent, Shape, Sharing, TileQueues},
///     tiles::*,
/// };
///
/// /// How many atoms each unit has: it depends on who comes first.
/// #[cube(launch)]
/// fn atoms_of_units(
///     rows: &CsrRows,
///     queues: &mut TileQueues,
///     counts: &mut Array<u32>,
///     #[comptime] shape: Shape,
/// ) {
///     let mut count = 0u32;
///     for turn in infinite_range(0) {
///         let share = Persistent::share::<CsrRows>(rows, queues, turn, shape);
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
pub struct Persistent;

/// Cubes take blocks of tiles from queues of their own, and then from those of others.
///
/// By name it is a [`Plan`](crate::plan::Plan); in a kernel of one's own its shares are looped over,
/// as those of [`Persistent`] are:
///
/// ```no_run
/// use equipoise_schedule::{
///     Result,
///     device::Gpu,
///     plan::Tiles,
///     schedules::{PreparedShares, Shape, SharingKind, TileQueues, WorkStealing},
///     tiles::CsrRows,
/// };
///
/// fn prepare(gpu: &Gpu, rows: &Tiles<CsrRows>) -> Result<PreparedShares<TileQueues>> {
///     let shape = Shape { units: 256, plane: gpu.plane_size(), group: 256, items: 1 };
///     WorkStealing::prepare(gpu, rows, shape, gpu.properties().cubes_at_work())
/// }
/// ```
pub struct WorkStealing;

/// Queues of blocks of tiles in a kernel; made by [`prepare`](SharingKind::prepare) of
/// [`Persistent`] or [`WorkStealing`].
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     schedules::{Shape, Sharing, TileQueues, WorkStealing},
///     tiles::*,
/// };
///
/// /// The first tile of each unit.
/// #[cube(launch)]
/// fn first_tiles(
///     rows: &CsrRows,
///     queues: &mut TileQueues,
///     first: &mut Array<u32>,
///     #[comptime] shape: Shape,
/// ) {
///     first[ABSOLUTE_POS] = WorkStealing::share::<CsrRows>(rows, queues, 0, shape).tiles().begin;
/// }
/// # fn main() {}
/// ```
#[derive(CubeType, CubeLaunch)]
pub struct TileQueues {
    /// The next block of each that nobody has taken.
    heads: Array<Atomic<u32>>,
    /// How many there are.
    queues: u32,
    /// Blocks a queue: those of queue `q` are from `q * blocks` on.
    blocks: u32,
}

#[cube]
impl TileQueues {
    /// Takes the next block of a queue: its number, or `NONE`.
    fn take(&self, queue: u32) -> u32 {
        let end = (queue + 1) * self.blocks;
        let mut block = self.heads[queue as usize].fetch_add(1);
        if block >= end {
            block = NONE.runtime();
        }
        block
    }

    /// Whether a queue has a block left.
    fn has_any(&self, queue: u32) -> bool {
        self.heads[queue as usize].load() < (queue + 1) * self.blocks
    }
}

/// Puts all blocks back into their queues.
#[cube(launch_unchecked)]
pub(crate) fn refill_queues(heads: &mut Array<u32>, blocks: u32) {
    for queue in grid_stride_range(0, heads.len() as u32) {
        heads[queue as usize] = queue * blocks;
    }
}

/// Where a cube takes its blocks from.
#[cube]
pub(crate) trait Taking: 'static + Send + Sync {
    /// The next block of the calling cube, or `NONE`. All its units call it together and get the
    /// same; `room` is a number in shared memory.
    fn take(queues: &TileQueues, room: &mut SharedMemory<u32>) -> u32;
}

#[cube]
impl Taking for Persistent {
    fn take(queues: &TileQueues, room: &mut SharedMemory<u32>) -> u32 {
        take_from(queues, 0u32.runtime(), room)
    }
}

#[cube]
impl Taking for WorkStealing {
    fn take(queues: &TileQueues, room: &mut SharedMemory<u32>) -> u32 {
        let own = CUBE_POS as u32 % queues.queues;
        let mut block = take_from(queues, own, room);
        let mut victim = own;
        // Heads only grow: at some time all queues are empty.
        while block == NONE && victim != NONE {
            victim = next_with_any(queues, own, room);
            if victim != NONE {
                block = take_from(queues, victim, room);
            }
        }
        block
    }
}

/// The next block of a queue, for all units of a cube.
#[cube]
fn take_from(queues: &TileQueues, queue: u32, room: &mut SharedMemory<u32>) -> u32 {
    if UNIT_POS == 0 {
        room[0] = queues.take(queue);
    }
    sync_cube();
    let block = room[0];
    sync_cube();
    block
}

/// The next queue after a cube's own that has a block, or `NONE`: all its units look for it.
#[cube]
fn next_with_any(queues: &TileQueues, own: u32, room: &mut SharedMemory<u32>) -> u32 {
    let nearest = SharedMemory::<Atomic<u32>>::new(1usize);
    if UNIT_POS == 0 {
        nearest[0].store(NONE.runtime());
    }
    sync_cube();
    for distance in step_range(1 + UNIT_POS, queues.queues, CUBE_DIM) {
        if queues.has_any((own + distance) % queues.queues) {
            nearest[0].fetch_min(distance);
        }
    }
    sync_cube();
    if UNIT_POS == 0 {
        room[0] = nearest[0].load();
    }
    sync_cube();
    let mut victim = room[0];
    if victim != NONE {
        victim = (own + victim) % queues.queues;
    }
    sync_cube();
    victim
}

/// Does the tiles of all blocks, a tile at a time a group.
#[cube(launch, launch_unchecked)]
pub(crate) fn do_blocks<Q: Taking, V: WorkValue>(
    set: &AnyTiles,
    work: &mut AnyWork<V>,
    queues: &mut TileQueues,
    #[comptime] shape: Shape,
) {
    let groups = comptime!(shape.units / shape.group);
    let mut room = SharedMemory::<u32>::new(1usize);
    let count = set.tiles();
    let mut is_on = true;
    while is_on {
        let block = Q::take(queues, &mut room);
        is_on = block != NONE;
        if is_on {
            let first = block * comptime!(block_size(shape)) + UNIT_POS / shape.group;
            for turn in 0..TILES_A_GROUP {
                let tile = first + turn * groups;
                one_tile::<V>(set, work, tile, tile < count, shape);
            }
        }
    }
}

/// The share of a unit: a block lasts for as many turns as it has tiles for each group.
#[cube]
fn share_of_block<Q: Taking, T: TileSet>(
    set: &T,
    queues: &TileQueues,
    turn: u32,
    #[comptime] shape: Shape,
) -> Share {
    let groups = comptime!(shape.units / shape.group);
    let mut room = SharedMemory::<u32>::new(1usize);
    let mut current = SharedMemory::<u32>::new(1usize);
    let of_block = turn % TILES_A_GROUP;
    if of_block == 0 {
        let block = Q::take(queues, &mut room);
        if UNIT_POS == 0 {
            current[0] = block;
        }
        sync_cube();
    }
    let block = current[0];
    let is_over = block == NONE;
    let count = set.tiles();
    let mut tile = count;
    if !is_over {
        let first = block * comptime!(block_size(shape)) + UNIT_POS / shape.group;
        tile = min(first + turn % TILES_A_GROUP * groups, count);
    }
    let (rank, step) = (UNIT_POS % shape.group, shape.group.runtime());
    share_of_tile::<T>(set, tile, tile < count, rank, step, is_over)
}

impl SharingKind for Persistent {
    type Prepared = TileQueues;

    fn prepare<T: TileSet>(
        gpu: &Gpu,
        set: &Tiles<T>,
        shape: Shape,
        _: u32,
    ) -> Result<PreparedShares<TileQueues>> {
        prepared(gpu, Queues::new(gpu, set, shape, 1)?)
    }
}

#[cube]
impl Sharing for Persistent {
    fn share<T: TileSet>(
        set: &T,
        prepared: &mut TileQueues,
        turn: u32,
        #[comptime] shape: Shape,
    ) -> Share {
        share_of_block::<Persistent, T>(set, prepared, turn, shape)
    }
}

impl SharingKind for WorkStealing {
    type Prepared = TileQueues;

    fn prepare<T: TileSet>(
        gpu: &Gpu,
        set: &Tiles<T>,
        shape: Shape,
        cubes: u32,
    ) -> Result<PreparedShares<TileQueues>> {
        prepared(gpu, Queues::new(gpu, set, shape, cubes.max(1))?)
    }
}

#[cube]
impl Sharing for WorkStealing {
    fn share<T: TileSet>(
        set: &T,
        prepared: &mut TileQueues,
        turn: u32,
        #[comptime] shape: Shape,
    ) -> Share {
        share_of_block::<WorkStealing, T>(set, prepared, turn, shape)
    }
}

/// Full queues for each launch.
fn prepared(gpu: &Gpu, queues: Queues) -> Result<PreparedShares<TileQueues>> {
    let gpu = gpu.clone();
    Ok(PreparedShares::new(move || {
        queues.refill(&gpu);
        Ok(queues.arg())
    }))
}
