//! Combines the values of a group's units.

use cubecl::prelude::*;

use super::Shape;
use crate::work::*;

/// Combines the values of a group's units, lane by lane; every unit gets the total. All units of the cube call it
/// together.
#[cube]
pub(super) fn group_reduce(
    work: &AnyWork,
    value: WorkValue,
    #[comptime] shape: Shape,
) -> WorkValue {
    let lanes = comptime!(work.lanes());
    let in_plane = comptime!(shape.group.min(shape.plane));
    let mut total = value;
    #[unroll]
    for doubling in 0..comptime!(steps(lanes, in_plane)) {
        total = work.combine(total, plane_shuffle_xor(total, lanes << doubling));
    }
    if comptime!(shape.group > in_plane.max(lanes)) {
        total = across_planes(work, total, shape);
    }
    total
}

/// How often `lanes` doubles until it is `units`.
fn steps(lanes: u32, units: u32) -> u32 {
    (units.max(lanes) / lanes).ilog2()
}

/// Combines one value per plane, or per unit without plane operations.
#[cube]
fn across_planes(work: &AnyWork, value: WorkValue, #[comptime] shape: Shape) -> WorkValue {
    let lanes = comptime!(work.lanes());
    let part = comptime!(shape.plane.max(lanes));
    let parts = comptime!(shape.group / part);
    let mut shared =
        SharedMemory::<WorkValue>::new(comptime!((shape.units / part * lanes) as usize));
    let lane = UNIT_POS % lanes;
    if UNIT_POS % part < lanes {
        shared[(UNIT_POS / part * lanes + lane) as usize] = value;
    }
    sync_cube();
    let first = UNIT_POS / shape.group * parts;
    let mut total = work.identity();
    for i in 0..parts {
        total = work.combine(total, shared[((first + i) * lanes + lane) as usize]);
    }
    sync_cube();
    total
}
