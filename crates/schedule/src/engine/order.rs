//! The order in which a loop works on vertices: those that join are the next frontier, or some of
//! them are deferred.

use cubecl::prelude::*;

use super::{counts::*, edge::*, relax::*, state::*};
use crate::atomics::*;

/// Edges of a frontier, for each cube that waits for the others, that more units relax faster.
const WIDE_EDGES: u32 = 1 << 15;

/// Whether the frontier has more edges than suit cubes that wait for each other.
#[cube]
pub(crate) fn is_wide_frontier(now: &Array<u32>) -> bool {
    now[MODE] == PUSH && now[EDGES] / WIDE_EDGES > CUBE_COUNT as u32
}

/// What is known of an order when kernels are compiled.
pub(crate) trait OrderKind {
    /// Whether it is the same to it in which order vertices are worked on, so that cubes may go
    /// [deep](super::deep).
    const IS_LOOSE: bool = false;
}

/// The order of a loop.
#[cube]
pub(crate) trait Order<Op: EdgeOp>: OrderKind + LaunchArg {
    /// Records that the edges of a vertex are relaxed with this label.
    fn leave(&mut self, vertex: u32, label: u32);
    /// What becomes of a vertex that was given a label.
    fn kind(&self, label: u32, now: &Array<u32>) -> u32;
    /// Records a vertex that is listed for the next iteration.
    fn listed(&self, vertex: u32, counts: &Counts, slot: u32);
    /// Defers vertices, with their labels; `kinds` says which. All units of a plane call it
    /// together.
    fn defer(
        &mut self,
        offers: &Offers,
        counts: &Counts,
        words: &mut AtomicArray,
        slot: u32,
        now: &Array<u32>,
        #[comptime] count: usize,
    );
    /// Does an iteration whose mode is [`OTHER`]. All units of the cubes that share it call it
    /// together.
    fn other(
        &mut self,
        op: &mut Op,
        lists: &mut Worklists,
        counts: &Counts,
        slot: u32,
        now: &Array<u32>,
        #[comptime] units: u32,
    );
    /// Records what the order has for itself when a loop starts, in words that are zero.
    fn start(&mut self, words: &AtomicArray, now: &mut Array<u32>);
    /// What was found becomes the frontier; decides how the next iteration is done.
    fn next(&self, op: &Op, words: &AtomicArray, now: &mut Array<u32>, counted: &Array<u32>);
    /// The mode of an iteration, where a launch is for one mode only.
    fn limit(&self, now: &mut Array<u32>);
    /// Whether one cube does the iteration as fast as all.
    fn is_for_one(&self, now: &Array<u32>) -> bool;
    /// Whether an iteration takes more units than can wait for each other.
    fn is_wide(&self, now: &Array<u32>) -> bool;
    /// Gives a vertex the start of what the order records of it.
    fn reset(&mut self, vertex: u32);
}

/// Every vertex that joins is in the next frontier.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct AtOnce {}

impl OrderKind for AtOnce {
    const IS_LOOSE: bool = true;
}

#[cube]
impl<Op: EdgeOp> Order<Op> for AtOnce {
    fn leave(&mut self, _vertex: u32, _label: u32) {}

    fn kind(&self, _label: u32, _now: &Array<u32>) -> u32 {
        NEXT.runtime()
    }

    fn listed(&self, _vertex: u32, _counts: &Counts, _slot: u32) {}

    fn defer(
        &mut self,
        _offers: &Offers,
        _counts: &Counts,
        _words: &mut AtomicArray,
        _slot: u32,
        _now: &Array<u32>,
        #[comptime] _count: usize,
    ) {
    }

    fn other(
        &mut self,
        _op: &mut Op,
        _lists: &mut Worklists,
        _counts: &Counts,
        _slot: u32,
        _now: &Array<u32>,
        #[comptime] _units: u32,
    ) {
    }

    fn start(&mut self, _words: &AtomicArray, _now: &mut Array<u32>) {}

    fn next(&self, _op: &Op, _words: &AtomicArray, now: &mut Array<u32>, counted: &Array<u32>) {
        next_frontier(now, counted);
        now[MODE] = PUSH;
        if now[VERTICES] == 0 {
            now[MODE] = DONE;
        }
    }

    /// What another order has left is gone on from.
    fn limit(&self, now: &mut Array<u32>) {
        if now[VERTICES] > 0 {
            now[MODE] = PUSH;
        }
    }

    fn is_for_one(&self, now: &Array<u32>) -> bool {
        now[MODE] == PUSH && is_narrow(now)
    }

    fn is_wide(&self, now: &Array<u32>) -> bool {
        is_wide_frontier(now)
    }

    fn reset(&mut self, _vertex: u32) {}
}
