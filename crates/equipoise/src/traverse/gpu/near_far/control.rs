//! How a turn is done: decided on the device by what the turn before has found.

use cubecl::prelude::*;

use super::super::{
    frontier::{counts::*, state::*},
    metric::*,
};

/// Vertices from this label on are far.
pub(super) const LIMIT: usize = OWN;
/// Vertices of the half of the far pile that is split.
pub(super) const SPLIT_PILE: usize = OWN + 1;
/// Which half of the far pile is added to.
pub(super) const FAR_HALF: usize = OWN + 2;
/// Vertices of that half, and a label that none of them is nearer than.
pub(super) const FAR: usize = OWN + 3;
pub(super) const NEAREST: usize = OWN + 4;
/// Which of the steps the limit moves on by.
pub(super) const STEP: usize = OWN + 5;

/// The far pile is split.
pub(super) const SPLIT: u32 = OTHER;
/// A far pile of at most so many vertices is split by one cube.
const NARROW_PILE: u32 = 1 << 13;
/// Vertices with more edges are enough to do for all cubes at once.
const ENOUGH_EDGES: u32 = 1 << 18;

/// The state of a turn that is about to be done.
#[cube]
pub(super) fn enter<M: Metric>(words: &Array<u32>, launch: u32, steps: &Array<u32>) -> Array<u32> {
    let mut now = read_state(words, launch);
    if now[PENDING] == 1 {
        let counted = counted_before(words, launch);
        next_turn::<M>(&mut now, &counted, steps);
        now[PENDING] = 0u32;
    }
    now
}

/// What was found becomes the list to work on. Where nobody is near, the limit moves on and the
/// pile is split.
#[cube]
pub(super) fn next_turn<M: Metric>(now: &mut Array<u32>, counted: &Array<u32>, steps: &Array<u32>) {
    next_frontier(now, counted);
    if now[MODE] == SPLIT {
        choose_step(now, steps.len() as u32);
    }
    now[FAR] += counted[OWN_SUM];
    now[NEAREST] = min(now[NEAREST], u32::MAX - counted[OWN_MAX]);
    if now[PARTS] > 0 {
        now[MODE] = WORK;
    } else if now[FAR] == 0 {
        now[MODE] = DONE;
    } else {
        now[MODE] = SPLIT;
        now[SPLIT_PILE] = now[FAR];
        now[FAR_HALF] = 1 - now[FAR_HALF];
        now[LIMIT] = M::beyond(max(now[LIMIT], now[NEAREST]), steps[now[STEP] as usize]);
        now[FAR] = 0u32;
        now[NEAREST] = u32::MAX;
    }
}

/// After a split: the next larger step where so little was near that one cube does it, the next
/// smaller one where it was more than enough for all.
#[cube]
fn choose_step(now: &mut Array<u32>, count: u32) {
    if is_narrow(now) {
        now[STEP] = min(now[STEP] + 1, count - 1);
    } else if now[EDGES] > ENOUGH_EDGES {
        now[STEP] -= min(now[STEP], 1u32);
    }
}

/// Whether one cube does the turn.
#[cube]
pub(super) fn is_for_one(now: &Array<u32>) -> bool {
    (now[MODE] == WORK && is_narrow(now)) || (now[MODE] == SPLIT && now[SPLIT_PILE] <= NARROW_PILE)
}
