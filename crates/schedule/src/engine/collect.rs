//! One iteration of a loop: those that join are collected, and the loop is over.

use cubecl::prelude::*;

use super::{counts::*, edge::*, next::NextFrontier, order::*, relax::*, state::*};
use crate::atomics::*;

/// Every vertex that joins is put into a frontier.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Collect {
    next: NextFrontier,
    /// The number of the iteration among all that have made a frontier of the graph.
    iteration: u32,
}

impl OrderKind for Collect {}

#[cube]
impl<Op: EdgeOp> Order<Op> for Collect {
    fn leave(&mut self, _vertex: u32, _label: u32) {}

    fn kind(&self, _label: u32, _now: &Array<u32>) -> u32 {
        LATER.runtime()
    }

    fn listed(&self, _vertex: u32, _counts: &Counts, _slot: u32) {}

    fn defer(
        &mut self,
        offers: &Offers,
        _counts: &Counts,
        _words: &mut AtomicArray,
        _slot: u32,
        _now: &Array<u32>,
        #[comptime] count: usize,
    ) {
        #[unroll]
        for item in 0..count {
            if offers.kinds[item] == LATER {
                self.next.add(offers.vertices[item], self.iteration);
            }
        }
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
    }

    fn limit(&self, _now: &mut Array<u32>) {}

    fn is_for_one(&self, _now: &Array<u32>) -> bool {
        false.runtime()
    }

    fn is_wide(&self, _now: &Array<u32>) -> bool {
        false.runtime()
    }

    fn reset(&mut self, _vertex: u32) {}
}
