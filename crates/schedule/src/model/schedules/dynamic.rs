//! Persistent and work-stealing: cubes take blocks of tiles at run time, until none is left.
//!
//! Both launch no more cubes than run at the same time. A persistent cube takes the next block from a shared queue
//! (Osama et al., 5.1: the infinite range). A stealing one has its own queue with an equal part of the tiles, and takes
//! from others when that is empty (Tzeng et al., Che et al.). One atomic addition to the head of a queue takes a block,
//! so that each is taken exactly once, without waiting.

use cubecl::prelude::*;

use super::{PreparedShares, Shape, Sharing, SharingKind, tile_by_tile::one_tile};
use crate::{
    Result,
    device::{Buffer, Gpu, GpuRuntime},
    ranges::*,
    share::{Share, share_of_tile},
    tiles::*,
    work::*,
};

/// Tiles per block and group of a cube: taking single tiles would cost more than processing many.
const TILES_A_GROUP: u32 = 4;

/// No queue, or no block.
const NONE: u32 = u32::MAX;

/// Tiles that a cube takes at a time.
pub(crate) fn block_size(shape: Shape) -> u32 {
    shape.units / shape.group * TILES_A_GROUP
}

/// Cubes take blocks of tiles from one queue.
pub struct Persistent;

/// Cubes take blocks of tiles from their own queues, then from those of others.
pub struct WorkStealing;

/// Queues of blocks of tiles in a kernel; created by [`prepare`](SharingKind::prepare) of [`Persistent`] or
/// [`WorkStealing`].
#[derive(CubeType, CubeLaunch)]
pub struct TileQueues {
    /// The next block of each queue.
    heads: Array<Atomic<u32>>,
    queues: u32,
    /// Blocks per queue: those of queue `q` start at `q * blocks`.
    blocks: u32,
}

#[cube]
impl TileQueues {
    /// Takes the next block of a queue, or `NONE`.
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

#[cube(launch_unchecked)]
pub(crate) fn refill_queues(heads: &mut Array<u32>, blocks: u32) {
    for queue in grid_stride_range(0, heads.len() as u32) {
        heads[queue as usize] = queue * blocks;
    }
}

/// The queue from which a cube takes its blocks.
#[cube]
pub(crate) trait Taking: 'static + Send + Sync {
    /// The next block of the calling cube, or `NONE`. All its units call it together and get the same result; `room` is
    /// one element of shared memory.
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
        // Heads only grow, so that all queues become empty eventually.
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

/// The next queue after a cube's own that has a block, or `NONE`; all units search.
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

/// Processes the tiles of all blocks, one tile at a time per group.
#[cube(launch, launch_unchecked)]
pub(crate) fn do_blocks<Q: Taking>(
    set: &AnyTiles,
    work: &mut AnyWork,
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
                one_tile(set, work, tile, tile < count, shape);
            }
        }
    }
}

/// The share of a unit: a block lasts for as many turns as it has tiles per group.
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

/// Units per cube of the launch that fills queues.
const UNITS: u32 = 256;

/// Queues with all blocks of a tile set, the same number in each.
#[derive(Clone)]
pub(crate) struct Queues {
    /// The next block of each queue.
    heads: Buffer<u32>,
    /// Blocks per queue.
    blocks: u32,
}

impl Queues {
    pub(crate) fn new<T: TileSet>(
        gpu: &Gpu,
        set: &Tiles<T>,
        shape: Shape,
        queues: u32,
    ) -> Result<Self> {
        let blocks = set.tiles().div_ceil(block_size(shape)).div_ceil(queues);
        Ok(Self { heads: gpu.empty(queues as usize)?, blocks })
    }

    pub(crate) fn refill(&self, gpu: &Gpu) {
        // SAFETY: the kernel writes below the length of `heads` only.
        unsafe {
            refill_queues::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                gpu.cubes((self.heads.len() as u64).div_ceil(u64::from(UNITS))),
                CubeDim::new_1d(UNITS),
                self.heads.arg(),
                self.blocks,
            );
        }
    }

    /// The argument for a kernel, whose launch empties the queues.
    pub(crate) fn arg(&self) -> TileQueuesLaunch<GpuRuntime> {
        TileQueuesLaunch::new(self.heads.arg(), self.heads.len() as u32, self.blocks)
    }
}
