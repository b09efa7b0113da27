//! A stable sort by few classes, by counting.

use cubecl::prelude::*;

use super::{
    block::{
        BLOCK, ITEMS, UNITS, block_start, blocks_of, cube_dim, grid, slot, staged_block, striped,
        sum_before,
    },
    offsets,
};
use crate::{
    Error, Result,
    device::{Buffer, Gpu},
};

/// How many classes [`sort_by_class`] takes.
pub const MAX_CLASSES: u32 = 32;

/// Elements in the order of their classes, from [`sort_by_class`].
///
/// ```
/// use equipoise_schedule::{Result, device::Gpu, primitives::ByClass};
///
/// fn first_class(gpu: &Gpu, sorted: &ByClass) -> Result<Vec<u32>> {
///     let end = gpu.download(&sorted.offsets)?[1];
///     Ok(gpu.download(&sorted.order)?[..end as usize].to_vec())
/// }
/// ```
pub struct ByClass {
    /// The indices of the elements, sorted by class. Those of one class are in ascending order.
    pub order: Buffer<u32>,
    /// Where in the order each class starts, and where the last one ends.
    pub offsets: Buffer<u32>,
}

/// Sorts elements, given as the class of each, by their classes: 0 to below `class_count`, which
/// is at most [`MAX_CLASSES`]. Elements of no such class are left out of the order.
///
/// ```
/// use equipoise_schedule::{Result, device::Gpu, primitives};
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let sorted = primitives::sort_by_class(gpu, &gpu.upload(&[2, 0, 2, 1])?, 3)?;
///     assert_eq!(gpu.download(&sorted.order)?, [1, 3, 0, 2]);
///     assert_eq!(gpu.download(&sorted.offsets)?, [0, 1, 2, 4]);
///     Ok(())
/// }
/// ```
pub fn sort_by_class(gpu: &Gpu, classes: &Buffer<u32>, class_count: u32) -> Result<ByClass> {
    if class_count > MAX_CLASSES {
        return Err(Error::Schedule(format!(
            "a sort by class takes up to {MAX_CLASSES} classes: {class_count} were given"
        )));
    }
    let blocks = blocks_of(classes)?;
    let ends = class_count as usize + 1;
    if blocks == 0 || class_count == 0 {
        return Ok(ByClass {
            order: gpu.empty(classes.len())?,
            offsets: gpu.upload(&vec![0; ends])?,
        });
    }
    let counts = gpu.empty(blocks as usize * class_count as usize)?;
    // SAFETY: the kernel reads `classes` below its length only, and `counts` has an element for
    // each class of each block.
    unsafe {
        count_classes::launch_unchecked(
            gpu.client(),
            grid(blocks),
            cube_dim(),
            classes.arg(),
            counts.arg(),
            class_count,
            blocks,
        );
    }
    let starts = offsets(gpu, &counts)?;
    let sorted = ByClass { order: gpu.empty(classes.len())?, offsets: gpu.empty(ends)? };
    // SAFETY: the kernels read `classes` below its length only; `starts` has an element for each
    // class of each block and one more, and counts no more elements than `order` has room for;
    // `offsets` has an element for each class and one more.
    unsafe {
        place_classes::launch_unchecked(
            gpu.client(),
            grid(blocks),
            cube_dim(),
            classes.arg(),
            starts.arg(),
            sorted.order.arg(),
            class_count,
            blocks,
        );
        class_starts::launch_unchecked(
            gpu.client(),
            grid(1),
            cube_dim(),
            starts.arg(),
            sorted.offsets.arg(),
            blocks,
        );
    }
    Ok(sorted)
}

/// Counts the elements of each class in each block, the blocks of one class side by side.
#[cube(launch_unchecked)]
fn count_classes(classes: &Array<u32>, counts: &mut Array<u32>, class_count: u32, blocks: u32) {
    let start = block_start();
    let in_block = SharedMemory::<Atomic<u32>>::new(comptime!(MAX_CLASSES as usize));
    if UNIT_POS < MAX_CLASSES {
        in_block[UNIT_POS as usize].store(0);
    }
    sync_cube();
    // Elements of the same class in a row are counted once: where most are of one class, all units
    // of the cube would otherwise wait for each other at its count.
    let mut class = class_count;
    let mut in_a_row = 0u32;
    #[unroll]
    for round in 0..ITEMS {
        let place = (start + striped(round)) as usize;
        let mut next = class_count;
        if place < classes.len() {
            next = min(classes[place], class_count);
        }
        if next != class {
            if class < class_count {
                in_block[class as usize].fetch_add(in_a_row);
            }
            class = next;
            in_a_row = 0u32;
        }
        in_a_row += 1;
    }
    if class < class_count {
        in_block[class as usize].fetch_add(in_a_row);
    }
    sync_cube();
    if UNIT_POS < class_count && start / BLOCK < blocks {
        let count = in_block[UNIT_POS as usize].load();
        counts[(UNIT_POS * blocks + start / BLOCK) as usize] = count;
    }
}

/// Writes the elements of each block to their places, a class at a time.
#[cube(launch_unchecked)]
fn place_classes(
    classes: &Array<u32>,
    starts: &Array<u32>,
    order: &mut Array<u32>,
    class_count: u32,
    blocks: u32,
) {
    let start = block_start();
    let len = classes.len() as u32;
    if start >= len {
        terminate!();
    }

    let mut staged = staged_block();
    #[unroll]
    for round in 0..ITEMS {
        let item = striped(round);
        let mut class = class_count;
        if start + item < len {
            class = classes[(start + item) as usize];
        }
        staged[slot(item)] = class;
    }
    sync_cube();

    let first = UNIT_POS * ITEMS;
    for class in 0..class_count {
        let run = (class * blocks + start / BLOCK) as usize;
        // The same for all units of the cube, as are the barriers inside.
        if starts[run] < starts[run + 1] {
            let mut mine = 0u32;
            #[unroll]
            for item in 0..ITEMS {
                if staged[slot(first + item)] == class {
                    mine += 1;
                }
            }
            let mut place = starts[run] + sum_before(mine);
            #[unroll]
            for item in 0..ITEMS {
                if staged[slot(first + item)] == class {
                    order[place as usize] = start + first + item;
                    place += 1;
                }
            }
        }
    }
}

#[cube(launch_unchecked)]
fn class_starts(starts: &Array<u32>, offsets: &mut Array<u32>, blocks: u32) {
    for class in range_stepped(UNIT_POS, offsets.len() as u32, UNITS) {
        offsets[class as usize] = starts[(class * blocks) as usize];
    }
}
