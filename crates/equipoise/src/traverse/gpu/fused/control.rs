//! How a level is done: decided on the device by what the level before has found.

use cubecl::prelude::*;

use super::{
    super::frontier::{counts::*, state::*},
    tree::*,
};

/// Edges that leave vertices which were not in a frontier yet.
pub(super) const UNEXPLORED: usize = OWN;
/// The vertices of the frontier before.
const PREVIOUS: usize = OWN + 1;
/// Whether the frontier's bitmap is there: the level before pulled.
pub(super) const HAS_BITMAP: usize = OWN + 2;
/// Whether the target was found.
pub(super) const AT_TARGET: usize = OWN + 3;

/// From the side of those that are not reached.
pub(super) const PULL: u32 = OTHER;

/// As on the cpu: when to pull, and when to push again.
const ALPHA: u32 = 15;
const BETA: u32 = 20;

/// No level has to be done in one way.
pub(super) const FREE: u32 = u32::MAX;

/// Where a search stops, and what is asked of it.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Limits {
    /// The vertices of the graph.
    pub vertices: u32,
    /// The level at which it stops.
    pub last_level: u32,
    /// The mode of the level that a launch does, or [`FREE`].
    pub only: u32,
}

/// The state of a level that is about to be done.
#[cube]
pub(super) fn enter(
    words: &Array<u32>,
    limits: &Limits,
    launch: u32,
    #[comptime] learned: bool,
) -> Array<u32> {
    let mut now = read_state(words, launch);
    if now[PENDING] == 1 {
        let counted = counted_before(words, launch);
        let pulled = u32::cast_from(now[MODE] == PULL);
        next_level(words, &mut now, &counted, limits, pulled, learned);
        now[PENDING] = 0u32;
    }
    if limits.only != FREE && now[VERTICES] > 0 {
        now[MODE] = limits.only;
    }
    now
}

/// What was found becomes the frontier; decides how it is gone along.
#[cube]
pub(super) fn next_level(
    words: &Array<u32>,
    now: &mut Array<u32>,
    counted: &Array<u32>,
    limits: &Limits,
    pulled: u32,
    #[comptime] learned: bool,
) {
    now[PREVIOUS] = now[VERTICES];
    next_frontier(now, counted);
    now[UNEXPLORED] -= now[EDGES];
    now[HAS_BITMAP] = pulled;
    now[AT_TARGET] = counted[OWN_SUM];
    now[MODE] = choose(words, now, limits, learned);
}

/// How the level is done that is about to be: by a learned policy, or by the rule of Beamer et al.
#[cube]
pub(super) fn choose(
    words: &Array<u32>,
    now: &Array<u32>,
    limits: &Limits,
    #[comptime] learned: bool,
) -> u32 {
    let mut mode = WORK.runtime();
    if now[VERTICES] == 0 || now[TURN] >= limits.last_level || now[AT_TARGET] > 0 {
        mode = DONE.runtime();
    } else if !is_narrow(now) {
        if comptime!(learned) {
            mode = ask(words, now);
        } else {
            mode = by_rule(now, limits);
        }
    }
    mode
}

#[cube]
fn by_rule(now: &Array<u32>, limits: &Limits) -> u32 {
    let (vertices, edges) = (now[VERTICES], now[EDGES]);
    let grows = vertices > now[PREVIOUS];
    // Divided, since products may not fit.
    let many = edges > now[UNEXPLORED] / ALPHA && edges > limits.vertices / BETA;
    let wide = vertices > limits.vertices / BETA;
    let mut mode = WORK.runtime();
    if (grows && many) || (!grows && wide) {
        mode = PULL.runtime();
    }
    mode
}
