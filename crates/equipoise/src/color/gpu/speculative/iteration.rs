//! One iteration: a unit, a plane or a cube takes a vertex, by its class.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, ranges::*};

use super::{
    classes::{LARGE, MEDIUM},
    control::*,
    cubes::by_cubes,
    look::*,
    planes::by_planes,
    units::by_units,
};

/// Does an iteration.
#[cube(launch_unchecked)]
pub(super) fn iterate(
    near: &Near,
    lists: &mut Lists,
    picks: &mut Picks,
    words: &mut AtomicArray,
    launch: u32,
    batch: u32,
) {
    let iteration = decide(words, &lists.starts, launch);
    if CUBE_POS == 0 && UNIT_POS == 0 {
        leave(words, &iteration, launch, batch);
    }
    let room = lists.next.len() as u32;
    // The launch after this one reads the other array of picks: it has to know them, too.
    for index in grid_stride_range(0, iteration.settled) {
        let vertex = lists.these[(room - 1 - index) as usize] as usize;
        picks.after[vertex] = picks.before[vertex];
    }
    if iteration.class != DONE {
        if iteration.class >= LARGE {
            by_cubes(near, lists, picks, words, &iteration, launch);
        } else if iteration.class >= MEDIUM {
            by_planes(near, lists, picks, words, &iteration, launch);
        } else {
            by_units(near, lists, picks, words, &iteration, launch);
        }
    }
}
