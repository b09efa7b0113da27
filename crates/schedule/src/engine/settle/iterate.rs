//! One iteration: a unit, a plane or a cube looks at a vertex, by its class.

use cubecl::prelude::*;

use super::{SettleOp, SettleOpExpand, UNITS, state::*};
use crate::{atomics::*, engine::Team, input::Input, ranges::*};

/// From this class on, a plane takes a vertex, and from the next one on, a cube; below, a unit does.
const BY_PLANES: u32 = 6;
const BY_CUBES: u32 = 12;

/// The vertices to look at.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Lists {
    /// All vertices by class, and where each class starts.
    order: Input<u32>,
    starts: Input<u32>,
    /// Those not settled from the start on; from the end on, those settled by the launch before.
    these: Input<u32>,
    /// The same for the next launch.
    next: Array<u32>,
}

#[cube]
impl Lists {
    /// A vertex of the iteration.
    fn vertex(&self, now: &Now, index: u32) -> u32 {
        if now.is_new {
            self.order[(now.begin + index) as usize]
        } else {
            self.these[index as usize]
        }
    }

    /// Puts a vertex into its place: those settled from the end on.
    fn put(&mut self, vertex: u32, place: u32, is_settled: bool) {
        let mut at = place;
        if is_settled {
            at = self.next.len() as u32 - 1 - place;
        }
        self.next[at as usize] = vertex;
    }

    /// Lists what the units of a cube have, a vertex each at most, for the next launch. All of them
    /// call it together.
    fn put_all(
        &mut self,
        words: &mut AtomicArray,
        now: &Now,
        vertex: u32,
        is_there: bool,
        is_settled: bool,
    ) {
        let own = SharedMemory::<Atomic<u32>>::new(2usize);
        let mut first = SharedMemory::<u32>::new(2usize);
        if UNIT_POS < 2 {
            own[UNIT_POS as usize].store(0u32);
        }
        sync_cube();
        let kind = u32::cast_from(is_settled);
        let mut place = 0u32;
        if is_there {
            place = own[kind as usize].fetch_add(1u32);
        }
        sync_cube();
        if UNIT_POS < 2 {
            let count = own[UNIT_POS as usize].load();
            first[UNIT_POS as usize] = words.fetch_add(now.next + LEFT + UNIT_POS, count);
        }
        sync_cube();
        if is_there {
            place += first[kind as usize];
            self.put(vertex, place, is_settled);
        }
    }
}

/// Does an iteration, if there is one.
#[cube(launch, launch_unchecked)]
pub(super) fn settle_iteration<Op: SettleOp>(
    op: &mut Op,
    lists: &mut Lists,
    words: &mut AtomicArray,
    launch: u32,
    first: u32,
) {
    let now = decide(words, &lists.starts, launch);
    if CUBE_POS == 0 && UNIT_POS == 0 {
        leave(words, &now, launch, first);
    }
    let room = lists.next.len() as u32;
    for index in grid_stride_range(0, now.settled) {
        op.keep(lists.these[(room - 1 - index) as usize]);
    }
    if now.class != DONE {
        if now.class >= BY_CUBES {
            by_cubes::<Op>(op, lists, words, &now, launch);
        } else if now.class >= BY_PLANES {
            by_planes::<Op>(op, lists, words, &now, launch);
        } else {
            by_units::<Op>(op, lists, words, &now, launch);
        }
    }
}

#[cube]
fn by_units<Op: SettleOp>(
    op: &mut Op,
    lists: &mut Lists,
    words: &mut AtomicArray,
    now: &Now,
    launch: u32,
) {
    for block in step_range(CUBE_POS as u32, now.left.div_ceil(UNITS), CUBE_COUNT as u32) {
        let index = block * UNITS + UNIT_POS;
        let is_there = index < now.left;
        let vertex = lists.vertex(now, min(index, now.left - 1));
        let mut is_settled = false;
        if is_there {
            is_settled = op.look(vertex, launch, Team::Unit);
        }
        lists.put_all(words, now, vertex, is_there, is_settled);
    }
}

/// The planes of a cube take as many vertices each, one after the other, and no more than they have
/// units: each unit lists one of them in the end. Where vertices are few, all planes have some.
#[cube]
fn by_planes<Op: SettleOp>(
    op: &mut Op,
    lists: &mut Lists,
    words: &mut AtomicArray,
    now: &Now,
    launch: u32,
) {
    let planes = UNITS / PLANE_DIM;
    let each = min(now.left.div_ceil(planes * CUBE_COUNT as u32), PLANE_DIM);
    let block = planes * each;
    for start in step_range(CUBE_POS as u32 * block, now.left, CUBE_COUNT as u32 * block) {
        let first = start + UNIT_POS / PLANE_DIM * each;
        let mut is_settled = false;
        for index in first..min(first + each, now.left) {
            let settled = op.look(lists.vertex(now, index), launch, Team::Plane);
            if UNIT_POS_PLANE == index - first {
                is_settled = settled;
            }
        }
        let index = first + UNIT_POS_PLANE;
        let is_there = UNIT_POS_PLANE < each && index < now.left;
        let vertex = lists.vertex(now, min(index, now.left - 1));
        lists.put_all(words, now, vertex, is_there, is_settled);
    }
}

#[cube]
fn by_cubes<Op: SettleOp>(
    op: &mut Op,
    lists: &mut Lists,
    words: &mut AtomicArray,
    now: &Now,
    launch: u32,
) {
    for index in step_range(CUBE_POS as u32, now.left, CUBE_COUNT as u32) {
        let vertex = lists.vertex(now, index);
        let is_settled = op.look(vertex, launch, Team::Cube);
        if UNIT_POS == 0 {
            let kind = u32::cast_from(is_settled);
            let place = words.fetch_add(now.next + LEFT + kind, 1u32);
            lists.put(vertex, place, is_settled);
        }
    }
}
