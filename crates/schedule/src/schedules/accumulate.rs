//! The atoms of one worker in one tile.

use cubecl::prelude::*;

use crate::{tiles::*, work::*};

/// Does every `stride`-th atom from `begin` on and before `end`, and gives their total.
///
/// Several at a time: the loads of one do not wait for those of the one before.
#[cube]
pub(super) fn accumulate<V: WorkValue>(
    set: &AnyTiles,
    work: &mut AnyWork<V>,
    tile: u32,
    begin: u32,
    end: u32,
    #[comptime] stride: u32,
    #[comptime] at_a_time: u32,
) -> V {
    let name = set.tile(tile);
    let mut total = work.identity();
    let mut first = begin;
    while first < end {
        #[unroll]
        for item in 0..at_a_time {
            let atom = first + item * stride;
            if atom < end {
                total = work.combine(total, work.atom(name, set.atom(tile, atom)));
            }
        }
        first += comptime!(stride * at_a_time);
    }
    total
}
