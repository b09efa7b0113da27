//! The kernels of a loop: its starts (with one vertex, a list, or the vertices of a level) and its iterations.

use cubecl::prelude::*;

use super::{
    barrier::*, counts::*, deep::*, operation::*, order::*, relax::*, state::*, worklists::*,
};
use crate::{atomics::*, ranges::*};

/// Units per cube of wide iterations.
pub(super) const WIDE_UNITS: u32 = 256;
/// Narrow iterations per launch: software devices end long loops.
pub(super) const MOST_ITERATIONS: u32 = 128;

/// The state of the next iteration.
#[cube]
fn enter<Op: EdgeOp, O: Order<Op>>(
    op: &Op,
    order: &O,
    words: &AtomicArray,
    launch: u32,
) -> LoopState {
    let mut state = LoopState::read(words, launch);
    if state.pending == 1 {
        let counted = counted_before(words, launch);
        order.next(op, words, &mut state, &counted);
        state.pending = 0u32.runtime();
    }
    order.enter(&mut state);
    state
}

/// Runs iterations while they are narrow.
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
    let state = enter::<Op, O>(op, order, &lists.words, launch);
    let mut iteration = Iteration { state, counts, units };
    let mut done = 0u32;
    while order.is_for_one(&iteration.state) && done < MOST_ITERATIONS {
        iteration.counts.select(done % SLOTS);
        iteration.counts.clear((done + 1) % SLOTS);
        iterate::<Op, O>(op, order, lists, &iteration);
        sync_storage();
        let counted = iteration.counts.counted();
        order.next(op, &lists.words, &mut iteration.state, &counted);
        iteration.state.narrow_iterations += 1u32;
        done += 1;
    }
    if UNIT_POS == 0 {
        iteration.state.write(&mut lists.words, launch);
    }
}

/// Runs an iteration, unless the loop is over.
#[cube(launch, launch_unchecked)]
pub(super) fn wide_iteration<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    launch: u32,
    #[comptime] halvings: u32,
) {
    let counts = Counts::new(false, halvings);
    let state = enter::<Op, O>(op, order, &lists.words, launch);
    let mut iteration = Iteration { state, counts, units: WIDE_UNITS };
    iteration.counts.select((launch + 1) % SLOTS);
    if iteration.state.mode != DONE {
        iterate::<Op, O>(op, order, lists, &iteration);
        iteration.counts.share(&mut lists.words);
        iteration.state.pending = 1u32.runtime();
    }
    if ABSOLUTE_POS == 0 {
        iteration.state.write(&mut lists.words, launch);
    }
}

#[cube]
fn iterate<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    iteration: &Iteration,
) {
    if iteration.state.mode == OTHER {
        order.other(op, lists, iteration);
    } else {
        relax_frontier::<Op, O>(op, order, lists, iteration);
    }
}

/// The limits of a launch in which cubes wait for each other.
#[derive(CubeType, CubeLaunch)]
pub(super) struct LaunchLimits {
    iterations: u32,
    /// Rounds that cubes go [deep](super::deep) in a narrow iteration.
    rounds: u32,
    /// Polls at the first barrier until a cube gives up.
    looks: u32,
}

/// Runs iterations until the loop is over, the limit is reached, or an iteration is wide enough to benefit from more
/// units than can wait for each other. All cubes run all iterations together, and wait for each other after each. If
/// the operation allows it, they go [deep](super::deep) in narrow ones.
#[cube(launch, launch_unchecked)]
pub(super) fn all_iterations<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    launch: u32,
    limits: &LaunchLimits,
    #[comptime] units: u32,
    #[comptime] halvings: u32,
    #[comptime] fences: bool,
) {
    let counts = Counts::new(false, halvings);
    let mut barrier = Barrier::new(&lists.words, BARRIER, fences);
    let state = enter::<Op, O>(op, order, &lists.words, launch);
    let mut iteration = Iteration { state, counts, units };
    let mut continues = iteration.state.mode != DONE && !order.is_wide(&iteration.state);
    if continues {
        continues = barrier.start(&mut lists.words, limits.looks);
    }
    let mut number = launch;
    let mut is_complete = false;
    while continues {
        // No cube uses the counters of two iterations ago any more.
        if ABSOLUTE_POS == 0 {
            clear_counters(&mut lists.words, number + 2);
        }
        iteration.counts.select((number + 1) % SLOTS);
        if comptime!(!may_go_deep(O::IS_LOOSE, lists.kind)) {
            iterate::<Op, O>(op, order, lists, &iteration);
        } else if goes_deep(&iteration.state) {
            relax_deep::<Op, O>(op, order, lists, &iteration, limits.rounds);
        } else {
            iterate::<Op, O>(op, order, lists, &iteration);
        }
        iteration.counts.share(&mut lists.words);
        is_complete = barrier.wait(&mut lists.words);
        let counted = counted_before(&lists.words, number + 1);
        order.next(op, &lists.words, &mut iteration.state, &counted);
        number += 1;
        let is_over = iteration.state.mode == DONE || order.is_wide(&iteration.state);
        continues = is_complete && !is_over && number - launch < limits.iterations;
    }
    // The counters cleared for the next launch may be those of the last iteration, which a late cube still reads: it
    // would decide differently.
    if is_complete && (number - launch) % SLOTS == comptime!(SLOTS - 1) {
        barrier.wait(&mut lists.words);
    }
    if ABSOLUTE_POS == 0 {
        iteration.state.write(&mut lists.words, launch);
    }
}

/// Whether a cube may relax the edges of a vertex in the iteration in which it found it.
fn may_go_deep(is_loose: bool, kind: EdgeKind) -> bool {
    is_loose && kind.labels_are_kept && !kind.joins_once && !kind.labels_are_iterations
}

/// The launch number under which initial vertices are listed.
pub(super) const LISTING: u32 = 1;

/// When each vertex joined a frontier, for writes without atomic operations.
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

/// Initializes the labels of all vertices, and makes the source the frontier.
#[cube(launch, launch_unchecked)]
pub(super) fn start_search<Op: SearchOp, O: SourceOrder<Op>>(
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
            let mut state = LoopState::first(words, degree, degree.div_ceil(PART));
            order.start(words, &mut state);
            // In place of a launch before the first.
            state.write(words, 1u32);
        }
    }
}

/// Lists vertices as if a launch had found them.
#[cube(launch_unchecked)]
pub(super) fn list_vertices(
    lists: &mut Worklists,
    list: &Array<u32>,
    len: u32,
    #[comptime] halvings: u32,
) {
    let iteration = listing(halvings);
    let units = CUBE_COUNT as u32 * CUBE_DIM;
    // All units do the same number of rounds.
    for round in 0..len.div_ceil(units) {
        let index = round * units + ABSOLUTE_POS as u32;
        let vertex = list[min(index, len - 1) as usize];
        list_if(lists, vertex, index < len, &iteration);
    }
    // The next iteration is the first: it wraps around.
    end_listing(lists, &iteration, u32::MAX.runtime());
}

/// Lists the vertices of a level as if a launch had found them.
#[cube(launch, launch_unchecked)]
pub(super) fn list_level<Op: PullOp>(
    op: &mut Op,
    lists: &mut Worklists,
    level: u32,
    vertices: u32,
    #[comptime] halvings: u32,
) {
    let iteration = listing(halvings);
    let units = CUBE_COUNT as u32 * CUBE_DIM;
    // All units do the same number of rounds.
    for round in 0..vertices.div_ceil(units) {
        let vertex = round * units + ABSOLUTE_POS as u32;
        // A kernel evaluates both sides of an `and`, so the index must be valid.
        let valid = min(vertex, vertices - 1);
        list_if(lists, valid, vertex < vertices && op.is_at(valid, level), &iteration);
    }
    end_listing(lists, &iteration, level - 1);
}

/// The iteration under which vertices are listed.
#[cube]
fn listing(#[comptime] halvings: u32) -> Iteration {
    let mut counts = Counts::new(false, halvings);
    counts.select(comptime!((LISTING + 1) % SLOTS).runtime());
    Iteration { state: LoopState::zero(), counts, units: WIDE_UNITS }
}

/// Lists a vertex if `is_wanted`. All units of a plane call it together.
#[cube]
fn list_if(lists: &mut Worklists, vertex: u32, is_wanted: bool, iteration: &Iteration) {
    let mut candidates = Candidates::new(1usize);
    if is_wanted {
        candidates.read(&lists.rows, vertex, 0usize);
        candidates.listed[0] = 1u32;
    }
    lists.list(&candidates, iteration, 1usize);
}

/// Writes the state as if a launch had found the listed vertices in iteration `number`.
#[cube]
fn end_listing(lists: &mut Worklists, iteration: &Iteration, number: u32) {
    iteration.counts.share(&mut lists.words);
    if ABSOLUTE_POS == 0 {
        let mut state = LoopState::zero();
        state.pending = 1u32.runtime();
        state.iteration = number;
        state.write(&mut lists.words, LISTING);
    }
}
