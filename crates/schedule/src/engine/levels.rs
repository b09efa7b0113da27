//! Searches by levels that push or pull, as is decided on the device for each level.

use cubecl::prelude::*;

use super::{counts::*, direction::*, edge::*, order::*, pull::*, relax::*, state::*};
use crate::atomics::*;

/// Edges that leave vertices which were not in a frontier yet.
const UNEXPLORED: usize = OWN;
/// The vertices of the frontier before.
const PREVIOUS: usize = OWN + 1;
/// Whether the frontier's bitmap is there: the level before pulled.
pub(super) const HAS_BITMAP: usize = OWN + 2;
/// Whether the target was found.
const AT_TARGET: usize = OWN + 3;

/// From the side of those that are not reached.
pub(super) const PULL: u32 = OTHER;

/// No level has to be done in one direction.
pub(super) const EITHER: u32 = u32::MAX;

/// Vertices level by level; levels with many vertices are pulled.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct ByLevels {
    /// What pulling takes; not there where a launch does not pull.
    pub pull: ComptimeOption<Pull>,
    /// The vertices and edges of the graph.
    pub vertices: u32,
    pub edges: u32,
    /// The level at which the search stops.
    pub last_level: u32,
    /// The vertex at whose level it stops; [`u32::MAX`] for none.
    pub target: u32,
    /// The mode of the level that a launch does, or [`EITHER`].
    pub only: u32,
    /// From this level on, a narrow one is left to another order.
    pub leaves_from: u32,
    /// Whether a tree behind the loop's words decides, and not the rule.
    #[cube(comptime)]
    pub by_tree: bool,
}

/// Counts a vertex that was found if it is the target.
#[cube]
pub(super) fn count_target(target: u32, vertex: u32, counts: &Counts, slot: u32) {
    if vertex == target {
        counts.add_alone(slot, 1u32, OWN_SUM);
    }
}

#[cube]
impl ByLevels {
    /// How the level is done that is about to be.
    fn mode(&self, words: &AtomicArray, now: &Array<u32>) -> u32 {
        let mut mode = PUSH.runtime();
        let is_left = now[ITERATION] >= self.leaves_from && now[LONG] == 0 && is_narrow(now);
        let is_last = now[ITERATION] >= self.last_level || now[AT_TARGET] > 0;
        if now[VERTICES] == 0 || is_last || is_left {
            mode = DONE.runtime();
        } else if !is_narrow(now) {
            if comptime!(self.by_tree) {
                mode = ask_tree(words, now);
            } else if pulls::<u32>(
                now[MODE] == PULL,
                now[VERTICES],
                now[PREVIOUS],
                now[EDGES],
                now[UNEXPLORED],
                self.vertices,
            ) {
                mode = PULL.runtime();
            }
        }
        mode
    }
}

impl OrderKind for ByLevels {}

#[cube]
impl<Op: PullOp> Order<Op> for ByLevels {
    fn leave(&mut self, _vertex: u32, _label: u32) {}

    fn kind(&self, _label: u32, _now: &Array<u32>) -> u32 {
        NEXT.runtime()
    }

    fn listed(&self, vertex: u32, counts: &Counts, slot: u32) {
        count_target(self.target, vertex, counts, slot);
    }

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
        op: &mut Op,
        lists: &mut Worklists,
        counts: &Counts,
        slot: u32,
        now: &Array<u32>,
        #[comptime] units: u32,
    ) {
        #[comptime]
        match &mut self.pull {
            ComptimeOption::Some(pull) => {
                pull_level::<Op>(op, pull, lists, counts, slot, now, units);
            }
            ComptimeOption::None => {}
        }
    }

    fn start(&mut self, words: &AtomicArray, now: &mut Array<u32>) {
        now[UNEXPLORED] = self.edges - now[EDGES];
        now[MODE] = self.mode(words, now);
    }

    fn next(&self, _op: &Op, words: &AtomicArray, now: &mut Array<u32>, counted: &Array<u32>) {
        let pulled = u32::cast_from(now[MODE] == PULL);
        now[PREVIOUS] = now[VERTICES];
        next_frontier(now, counted);
        now[UNEXPLORED] -= now[EDGES];
        now[HAS_BITMAP] = pulled;
        now[AT_TARGET] = counted[OWN_SUM];
        now[MODE] = self.mode(words, now);
    }

    fn limit(&self, now: &mut Array<u32>) {
        if self.only != EITHER && now[VERTICES] > 0 {
            now[MODE] = self.only;
        }
    }

    fn is_for_one(&self, now: &Array<u32>) -> bool {
        now[MODE] == PUSH && is_narrow(now)
    }

    fn is_wide(&self, _now: &Array<u32>) -> bool {
        false.runtime()
    }

    fn reset(&mut self, _vertex: u32) {}
}
