//! How a loop starts: with one vertex, with a list, or with the vertices of a level.

use cubecl::prelude::*;

use super::{counts::*, edge::*, order::*, parts::*, relax::*, state::*};
use crate::{atomics::*, ranges::*};

/// The launch as which vertices are listed that a loop starts with.
pub(super) const LISTING: u32 = 1;

/// When each vertex joined a frontier, to be written without atomic operations.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Joined {
    iterations: ComptimeOption<Array<u32>>,
}

#[cube]
impl Joined {
    fn reset(&mut self, vertex: u32) {
        #[comptime]
        match &mut self.iterations {
            ComptimeOption::Some(iterations) => iterations[vertex as usize] = 0u32,
            ComptimeOption::None => {}
        }
    }
}

/// Every vertex has the label with which a search starts, and the source is the frontier.
#[cube(launch, launch_unchecked)]
pub(super) fn start_search<Op: SearchOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    offsets: &Array<u32>,
    parts: &mut Parts,
    words: &mut AtomicArray,
    joined: &mut Joined,
    source: u32,
    vertices: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        op.reset(vertex, vertex == source);
        order.reset(vertex);
        joined.reset(vertex);
    }
    if CUBE_POS == 0 {
        let begin = offsets[source as usize];
        let degree = offsets[source as usize + 1] - begin;
        parts.put_all(0u32, source, begin, degree, UNIT_POS, CUBE_DIM);
        if UNIT_POS == 0 {
            let mut now = first_state(words, degree);
            order.start(words, &mut now);
            // As if a launch before the first had left it.
            write_state(words, &now, 1u32);
        }
    }
}

/// Lists vertices as those that a launch has found.
#[cube(launch_unchecked)]
pub(super) fn list_vertices(
    lists: &mut Worklists,
    list: &Array<u32>,
    len: u32,
    #[comptime] halvings: u32,
) {
    let counts = Counts::new(false, halvings);
    let units = CUBE_COUNT as u32 * CUBE_DIM;
    // As often for all units.
    for round in 0..len.div_ceil(units) {
        let index = round * units + ABSOLUTE_POS as u32;
        let vertex = list[min(index, len - 1) as usize];
        list_if(lists, vertex, index < len, &counts);
    }
    // The next iteration is the first: it wraps around.
    end_listing(lists, &counts, u32::MAX.runtime());
}

/// Lists the vertices of a level as those that a launch has found.
#[cube(launch, launch_unchecked)]
pub(super) fn list_level<Op: PullOp>(
    op: &mut Op,
    lists: &mut Worklists,
    level: u32,
    vertices: u32,
    #[comptime] halvings: u32,
) {
    let counts = Counts::new(false, halvings);
    let units = CUBE_COUNT as u32 * CUBE_DIM;
    // As often for all units.
    for round in 0..vertices.div_ceil(units) {
        let vertex = round * units + ABSOLUTE_POS as u32;
        // Both sides of an `and` are read: never beyond the last vertex.
        let there = min(vertex, vertices - 1);
        list_if(lists, there, vertex < vertices && op.is_at(there, level), &counts);
    }
    end_listing(lists, &counts, level - 1);
}

/// Lists a vertex if it is wanted. All units of a plane call it together.
#[cube]
fn list_if(lists: &mut Worklists, vertex: u32, is_wanted: bool, counts: &Counts) {
    let mut candidates = Candidates::new(1usize);
    if is_wanted {
        candidates.read(&lists.rows, vertex, 0usize);
        candidates.listed[0] = 1u32;
    }
    let slot = comptime!((LISTING + 1) % SLOTS).runtime();
    lists.list(&candidates, counts, slot, &zero_state(), 1usize);
}

/// Leaves a state as if a launch had found what was listed, in this iteration.
#[cube]
fn end_listing(lists: &mut Worklists, counts: &Counts, iteration: u32) {
    counts.share(&mut lists.words, comptime!((LISTING + 1) % SLOTS).runtime());
    if ABSOLUTE_POS == 0 {
        let mut now = zero_state();
        now[PENDING] = 1u32;
        now[ITERATION] = iteration;
        write_state(&mut lists.words, &now, LISTING);
    }
}
