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

/// The most classes of [`sort_by_class`].
pub const MAX_CLASSES: u32 = 32;

/// The result of [`sort_by_class`].
pub struct ByClass {
    /// The indices of the elements, sorted by class; ascending within a class.
    pub order: Buffer<u32>,
    /// Where each class starts in the order, and where the last one ends.
    pub offsets: Buffer<u32>,
}

/// Sorts elements, given by their classes from 0 to below `class_count`, at most [`MAX_CLASSES`]. Elements of other
/// classes are left out.
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
    // SAFETY: the kernel reads `classes` below its length, and `counts` has an element per class and block.
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
    // SAFETY: the kernels read `classes` below its length; `starts` has an element per class and block and one more,
    // and its total is at most the length of `order`; `offsets` has an element per class and one more.
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

/// Counts the elements of each class in each block, with the blocks of a class next to each other.
#[cube(launch_unchecked)]
fn count_classes(classes: &Array<u32>, counts: &mut Array<u32>, class_count: u32, blocks: u32) {
    let start = block_start();
    let in_block = SharedMemory::<Atomic<u32>>::new(comptime!(MAX_CLASSES as usize));
    if UNIT_POS < MAX_CLASSES {
        in_block[UNIT_POS as usize].store(0);
    }
    sync_cube();
    // Runs of one class are counted at once: otherwise, if most elements are of one class, all units of the cube would
    // contend for its counter.
    let mut class = class_count;
    let mut in_a_row = 0u32;
    #[unroll]
    for round in 0..ITEMS {
        let position = (start + striped(round)) as usize;
        let mut next = class_count;
        if position < classes.len() {
            next = min(classes[position], class_count);
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

/// Writes the elements of each block to their places, one class at a time.
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
        // Uniform in the cube, as are the barriers inside.
        if starts[run] < starts[run + 1] {
            let mut mine = 0u32;
            #[unroll]
            for item in 0..ITEMS {
                if staged[slot(first + item)] == class {
                    mine += 1;
                }
            }
            let mut position = starts[run] + sum_before(mine);
            #[unroll]
            for item in 0..ITEMS {
                if staged[slot(first + item)] == class {
                    order[position as usize] = start + first + item;
                    position += 1;
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
