//! The atoms of one worker in one tile.

use cubecl::prelude::*;

use crate::{tiles::*, work::*};

/// Processes every `stride`-th atom from `begin` to below `end`, and returns their total.
///
/// Several at a time, so that loads overlap.
#[cube]
pub(super) fn accumulate(
    set: &AnyTiles,
    work: &mut AnyWork,
    tile: u32,
    begin: u32,
    end: u32,
    #[comptime] stride: u32,
    #[comptime] at_a_time: u32,
) -> WorkValue {
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
