//! A segmented scan over the workers of a cube.

use cubecl::prelude::*;

use super::Shape;
use crate::work::*;

/// The combined values before and after a worker, since the last worker that closed.
#[derive(CubeType, Clone, Copy)]
pub(super) struct Carry {
    /// Without the worker's own value.
    pub before: WorkValue,
    /// With the worker's own value.
    pub after: WorkValue,
}

/// Combines the values of all workers from the last one that `closed`. All units of the cube call it together; the
/// units of a worker agree on `closed`.
#[cube]
pub(super) fn segmented_scan(
    work: &AnyWork,
    closed: bool,
    value: WorkValue,
    #[comptime] shape: Shape,
) -> Carry {
    let lanes = comptime!(work.lanes());
    let part = comptime!(shape.plane.max(lanes));
    let rank = UNIT_POS % part;
    let mut own_closed = u32::cast_from(closed);
    let mut own = value;
    #[unroll]
    for doubling in 0..comptime!((part / lanes).ilog2()) {
        let step = lanes << doubling;
        let left_closed = plane_shuffle_up(own_closed, step);
        let left = plane_shuffle_up(own, step);
        if rank >= step {
            if own_closed == 0 {
                own = work.combine(left, own);
            }
            own_closed |= left_closed;
        }
    }
    let mut left_closed = 0u32;
    let mut left = work.identity();
    if comptime!(part > lanes) {
        let shuffled_closed = plane_shuffle_up(own_closed, lanes);
        let shuffled = plane_shuffle_up(own, lanes);
        if rank >= lanes {
            left_closed = shuffled_closed;
            left = shuffled;
        }
    }
    let earlier = earlier_parts(work, own_closed, own, part, shape);
    if left_closed == 0 {
        left = work.combine(earlier, left);
    }
    if own_closed == 0 {
        own = work.combine(earlier, own);
    }
    Carry { before: left, after: own }
}

/// The result of the earlier parts of the cube.
#[cube]
fn earlier_parts(
    work: &AnyWork,
    closed: u32,
    value: WorkValue,
    #[comptime] part: u32,
    #[comptime] shape: Shape,
) -> WorkValue {
    let lanes = comptime!(work.lanes());
    let parts = comptime!(shape.units / part);
    let lane = UNIT_POS % lanes;
    let mut part_closed = SharedMemory::<u32>::new(comptime!(parts as usize));
    let mut part_value = SharedMemory::<WorkValue>::new(comptime!((parts * lanes) as usize));
    let own_part = UNIT_POS / part;
    if UNIT_POS % part >= comptime!(part - lanes) {
        part_closed[own_part as usize] = closed;
        part_value[(own_part * lanes + lane) as usize] = value;
    }
    sync_cube();
    let mut earlier = work.identity();
    for other in 0..own_part {
        let other_value = part_value[(other * lanes + lane) as usize];
        if part_closed[other as usize] == 0 {
            earlier = work.combine(earlier, other_value);
        } else {
            earlier = other_value;
        }
    }
    sync_cube();
    earlier
}
