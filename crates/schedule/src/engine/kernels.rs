//! The kernels of a loop.

use cubecl::prelude::*;

use super::{barrier::*, counts::*, deep::*, edge::*, order::*, relax::*, state::*};
use crate::atomics::*;

/// Units of a cube of wide iterations.
pub(super) const WIDE_UNITS: u32 = 256;
/// Narrow iterations of one launch: software devices end loops that go on for long.
pub(super) const MOST_ITERATIONS: u32 = 128;

/// The state of an iteration that is about to be done.
#[cube]
fn enter<Op: EdgeOp, O: Order<Op>>(
    op: &Op,
    order: &O,
    words: &AtomicArray,
    launch: u32,
) -> Array<u32> {
    let mut now = read_state(words, launch);
    if now[PENDING] == 1 {
        let counted = counted_before(words, launch);
        order.next(op, words, &mut now, &counted);
        now[PENDING] = 0u32;
    }
    order.limit(&mut now);
    now
}

/// Does iterations as long as they are narrow.
#[cube(launch, launch_unchecked)]
pub(super) fn narrow_iterations<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    launch: u32,
    #[comptime] units: u32,
    #[comptime] halvings: u32,
) {
    let counts = Counts::new(true, halvings);
    let mut now = enter::<Op, O>(op, order, &lists.words, launch);
    let mut done = 0u32;
    while order.is_for_one(&now) && done < MOST_ITERATIONS {
        let slot = done % SLOTS;
        counts.clear((done + 1) % SLOTS);
        iterate::<Op, O>(op, order, lists, &counts, slot, &now, units);
        sync_storage();
        let counted = counts.counted(slot);
        order.next(op, &lists.words, &mut now, &counted);
        now[NARROW_ITERATIONS] += 1u32;
        done += 1;
    }
    if UNIT_POS == 0 {
        write_state(&mut lists.words, &now, launch);
    }
}

/// Does an iteration, if there is one.
#[cube(launch, launch_unchecked)]
pub(super) fn wide_iteration<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    launch: u32,
    #[comptime] halvings: u32,
) {
    let counts = Counts::new(false, halvings);
    let mut now = enter::<Op, O>(op, order, &lists.words, launch);
    let slot = (launch + 1) % SLOTS;
    if now[MODE] != DONE {
        iterate::<Op, O>(op, order, lists, &counts, slot, &now, WIDE_UNITS);
        counts.share(&mut lists.words, slot);
        now[PENDING] = 1u32;
    }
    if ABSOLUTE_POS == 0 {
        write_state(&mut lists.words, &now, launch);
    }
}

#[cube]
fn iterate<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    counts: &Counts,
    slot: u32,
    now: &Array<u32>,
    #[comptime] units: u32,
) {
    if now[MODE] == OTHER {
        order.other(op, lists, counts, slot, now, units);
    } else {
        relax_frontier::<Op, O>(op, order, lists, counts, slot, now, units);
    }
}

/// Does iterations until nothing is left to do, so many are done, or one is so wide that it takes more
/// units than can wait for each other. All cubes do all of them together, and wait for each other after
/// each. Where an operation allows for it, they go so many rounds [deep](super::deep) in narrow ones.
#[cube(launch, launch_unchecked)]
pub(super) fn all_iterations<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    launch: u32,
    most: u32,
    rounds: u32,
    looks: u32,
    #[comptime] units: u32,
    #[comptime] halvings: u32,
    #[comptime] fences: bool,
) {
    let counts = Counts::new(false, halvings);
    let mut barrier = Barrier::new(&lists.words, BARRIER, fences);
    let mut now = enter::<Op, O>(op, order, &lists.words, launch);
    let mut goes_on = now[MODE] != DONE && !order.is_wide(&now);
    if goes_on {
        goes_on = barrier.start(&mut lists.words, looks);
    }
    let mut number = launch;
    let mut is_complete = false;
    while goes_on {
        // Nobody counts with those of two iterations ago any more, nor reads them.
        if ABSOLUTE_POS == 0 {
            clear_counters(&mut lists.words, number + 2);
        }
        let slot = (number + 1) % SLOTS;
        let kind = lists.kind;
        let follows_at_once = comptime!(O::IS_LOOSE && kind.labels_are_kept);
        if comptime!(!follows_at_once || kind.joins_once || kind.labels_are_iterations) {
            iterate::<Op, O>(op, order, lists, &counts, slot, &now, units);
        } else if goes_deep(&now) {
            relax_deep::<Op, O>(op, order, lists, &counts, slot, &now, rounds, units);
        } else {
            iterate::<Op, O>(op, order, lists, &counts, slot, &now, units);
        }
        counts.share(&mut lists.words, slot);
        is_complete = barrier.wait(&mut lists.words);
        let counted = counted_before(&lists.words, number + 1);
        order.next(op, &lists.words, &mut now, &counted);
        number += 1;
        let is_over = now[MODE] == DONE || order.is_wide(&now);
        goes_on = is_complete && !is_over && number - launch < most;
    }
    // The counters that are cleared for the next launch may be those of the last iteration, which a
    // cube that is late still reads: it would come to another end than the others.
    if is_complete && (number - launch) % SLOTS == comptime!(SLOTS - 1) {
        barrier.wait(&mut lists.words);
    }
    if ABSOLUTE_POS == 0 {
        barrier.leave(&mut lists.words);
        write_state(&mut lists.words, &now, launch);
    }
}
