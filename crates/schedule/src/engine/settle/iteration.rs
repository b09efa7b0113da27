//! One iteration of settling: a unit, a plane or a cube examines a vertex, by its class.
//!
//! A launch reads the data and counts of the previous launch. All cubes decide from them uniformly, so that none waits
//! for another. The words of a launch exist three times: one set is read, one written, and one cleared for the launch
//! after the next.

use cubecl::prelude::*;

use super::DegreeClasses;
use crate::{atomics::*, input::Input, ranges::*};

/// Units per cube.
pub(super) const UNITS: u32 = 256;
/// A vertex' operation on all of its neighbours.
///
/// See [`settle`](super::settle()) for an example.
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait SettleOp: LaunchArg {
    /// Examines the neighbours of a vertex, and records the result. Returns whether the vertex is settled; if not, it
    /// is examined again in the next iteration.
    ///
    /// All units of a team call it together, and must return the same.
    fn look(&mut self, vertex: u32, iteration: u32, #[comptime] team: Team) -> bool;

    /// Copies the result of a vertex, settled in the previous iteration, to the other operation's data. An operation
    /// that alternates with itself does nothing.
    fn keep(&mut self, vertex: u32);
}

/// Units that process a vertex together: the more neighbours, the more units. [`settle`](super::settle()) has an
/// example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Team {
    /// One unit.
    Unit,
    /// The units of a plane.
    Plane,
    /// The units of a cube.
    Cube,
}

/// The numbers from `begin` to below `end`, in turns of the units of a team.
#[cube]
pub fn team_range(begin: u32, end: u32, #[comptime] team: Team) -> StepRange {
    if comptime!(team == Team::Unit) {
        step_range(begin, end, 1u32)
    } else if comptime!(team == Team::Plane) {
        step_range(begin + UNIT_POS_PLANE, end, PLANE_DIM)
    } else {
        step_range(begin + UNIT_POS, end, CUBE_DIM)
    }
}

/// Whether this unit is the first of its team.
#[cube]
pub fn leads_team(#[comptime] team: Team) -> bool {
    if comptime!(team == Team::Unit) {
        true.runtime()
    } else if comptime!(team == Team::Plane) {
        UNIT_POS_PLANE == 0
    } else {
        UNIT_POS == 0
    }
}

/// The maximum over the units of a team. All of them call it together.
#[cube]
pub fn team_max(value: u32, #[comptime] team: Team) -> u32 {
    if comptime!(team == Team::Unit) {
        value
    } else if comptime!(team == Team::Plane) {
        plane_max(value)
    } else {
        let largest = SharedMemory::<Atomic<u32>>::new(1usize);
        if UNIT_POS == 0 {
            largest[0].store(0u32);
        }
        sync_cube();
        largest[0].fetch_max(value);
        sync_cube();
        let all = largest[0].load();
        // Clear it only after all units have read it.
        sync_cube();
        all
    }
}

/// The sum over the units of a team. All of them call it together.
#[cube]
pub fn team_sum(value: u32, #[comptime] team: Team) -> u32 {
    if comptime!(team == Team::Unit) {
        value
    } else if comptime!(team == Team::Plane) {
        plane_sum(value)
    } else {
        let sum = SharedMemory::<Atomic<u32>>::new(1usize);
        if UNIT_POS == 0 {
            sum[0].store(0u32);
        }
        sync_cube();
        if value > 0 {
            sum[0].fetch_add(value);
        }
        sync_cube();
        let all = sum[0].load();
        // Clear it only after all units have read it.
        sync_cube();
        all
    }
}

/// The class that is processed; before the first launch, one above the last.
const CLASS: u32 = 0;
/// Unsettled vertices.
pub(super) const LEFT: u32 = 1;
/// Vertices settled by the previous launch.
pub(super) const SETTLED: u32 = 2;
const WORDS: u32 = 3;
const SLOTS: u32 = 3;
/// In place of a class if all vertices are settled.
pub(super) const DONE: u32 = u32::MAX;
/// Recorded words per launch: its class, and the number of vertices it examined.
pub(super) const RECORD: u32 = 2;
/// Where the records start.
pub(super) const RECORDS_AT: u32 = WORDS * SLOTS;

/// The initial words: no vertex is left of the class above all.
pub(super) fn start(launches: u32) -> Vec<u32> {
    let mut words = vec![0; (RECORDS_AT + RECORD * launches) as usize];
    words[CLASS as usize] = DegreeClasses::COUNT;
    words
}

#[derive(CubeType)]
pub(super) struct Task {
    /// The class, or [`DONE`].
    pub class: u32,
    /// The number of vertices to examine.
    pub left: u32,
    /// Where they start in the order, if the class is new.
    pub begin: u32,
    pub is_new: bool,
    /// The number of vertices that the previous launch settled.
    pub settled: u32,
    /// The index of the words that count for the next launch.
    pub next: u32,
}

/// The task of a launch, from the words of the previous one.
#[cube]
pub(super) fn decide(words: &AtomicArray, starts: &Input<u32>, launch: u32) -> Task {
    let slot = launch % SLOTS * WORDS;
    let mut class = words.get(slot + CLASS);
    let mut left = words.get(slot + LEFT);
    let mut begin = 0u32;
    let is_new = left == 0;
    while left == 0 && class != DONE {
        if class == 0 {
            class = DONE.runtime();
        } else {
            class -= 1;
            begin = starts[class as usize];
            left = starts[class as usize + 1] - begin;
        }
    }
    let settled = words.get(slot + SETTLED);
    Task { class, left, begin, is_new, settled, next: (launch + 1) % SLOTS * WORDS }
}

/// Writes the words for the next launch that it does not count itself. One unit calls it; `first` is the first recorded
/// launch.
#[cube]
pub(super) fn leave(words: &mut AtomicArray, task: &Task, launch: u32, first: u32) {
    words.set(task.next + CLASS, task.class);
    let unused = (launch + 2) % SLOTS * WORDS;
    words.set(unused + LEFT, 0u32);
    words.set(unused + SETTLED, 0u32);
    let record = RECORDS_AT + (launch - first) * RECORD;
    words.set(record, task.class);
    words.set(record + 1, task.left);
}

/// From these classes on, a plane or a cube processes a vertex; below, a unit.
const BY_PLANES: u32 = 6;
const BY_CUBES: u32 = 12;

/// The vertices to examine.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Lists {
    /// All vertices by class, and where each class starts.
    order: Input<u32>,
    starts: Input<u32>,
    /// Unsettled vertices from the start on; from the end on, those settled by the previous launch.
    these: Input<u32>,
    /// The same for the next launch.
    next: Array<u32>,
}

#[cube]
impl Lists {
    fn vertex(&self, task: &Task, index: u32) -> u32 {
        if task.is_new {
            self.order[(task.begin + index) as usize]
        } else {
            self.these[index as usize]
        }
    }

    /// Writes a vertex to its position: settled ones from the end on.
    fn put(&mut self, vertex: u32, position: u32, is_settled: bool) {
        let mut slot = position;
        if is_settled {
            slot = self.next.len() as u32 - 1 - position;
        }
        self.next[slot as usize] = vertex;
    }

    /// Lists the vertices of a cube's units, at most one each, for the next launch. All units call it together.
    fn put_all(
        &mut self,
        words: &mut AtomicArray,
        task: &Task,
        vertex: u32,
        is_present: bool,
        is_settled: bool,
    ) {
        let own = SharedMemory::<Atomic<u32>>::new(2usize);
        let mut first = SharedMemory::<u32>::new(2usize);
        if UNIT_POS < 2 {
            own[UNIT_POS as usize].store(0u32);
        }
        sync_cube();
        let kind = u32::cast_from(is_settled);
        let mut position = 0u32;
        if is_present {
            position = own[kind as usize].fetch_add(1u32);
        }
        sync_cube();
        if UNIT_POS < 2 {
            let count = own[UNIT_POS as usize].load();
            first[UNIT_POS as usize] = words.fetch_add(task.next + LEFT + UNIT_POS, count);
        }
        sync_cube();
        if is_present {
            position += first[kind as usize];
            self.put(vertex, position, is_settled);
        }
    }
}

/// Runs an iteration, unless all vertices are settled.
#[cube(launch, launch_unchecked)]
pub(super) fn settle_iteration<Op: SettleOp>(
    op: &mut Op,
    lists: &mut Lists,
    words: &mut AtomicArray,
    launch: u32,
    first: u32,
) {
    let task = decide(words, &lists.starts, launch);
    if CUBE_POS == 0 && UNIT_POS == 0 {
        leave(words, &task, launch, first);
    }
    let room = lists.next.len() as u32;
    for index in grid_stride_range(0, task.settled) {
        op.keep(lists.these[(room - 1 - index) as usize]);
    }
    if task.class != DONE {
        if task.class >= BY_CUBES {
            by_cubes::<Op>(op, lists, words, &task, launch);
        } else if task.class >= BY_PLANES {
            by_planes::<Op>(op, lists, words, &task, launch);
        } else {
            by_units::<Op>(op, lists, words, &task, launch);
        }
    }
}

#[cube]
fn by_units<Op: SettleOp>(
    op: &mut Op,
    lists: &mut Lists,
    words: &mut AtomicArray,
    task: &Task,
    launch: u32,
) {
    for block in step_range(CUBE_POS as u32, task.left.div_ceil(UNITS), CUBE_COUNT as u32) {
        let index = block * UNITS + UNIT_POS;
        let is_present = index < task.left;
        let vertex = lists.vertex(task, min(index, task.left - 1));
        let mut is_settled = false;
        if is_present {
            is_settled = op.look(vertex, launch, Team::Unit);
        }
        lists.put_all(words, task, vertex, is_present, is_settled);
    }
}

/// The planes of a cube take equal numbers of vertices, at most one per unit, which lists it in the end. If vertices
/// are few, all planes have some.
#[cube]
fn by_planes<Op: SettleOp>(
    op: &mut Op,
    lists: &mut Lists,
    words: &mut AtomicArray,
    task: &Task,
    launch: u32,
) {
    let planes = UNITS / PLANE_DIM;
    let each = min(task.left.div_ceil(planes * CUBE_COUNT as u32), PLANE_DIM);
    let block = planes * each;
    for start in step_range(CUBE_POS as u32 * block, task.left, CUBE_COUNT as u32 * block) {
        let first = start + UNIT_POS / PLANE_DIM * each;
        let mut is_settled = false;
        for index in first..min(first + each, task.left) {
            let settled = op.look(lists.vertex(task, index), launch, Team::Plane);
            if UNIT_POS_PLANE == index - first {
                is_settled = settled;
            }
        }
        let index = first + UNIT_POS_PLANE;
        let is_present = UNIT_POS_PLANE < each && index < task.left;
        let vertex = lists.vertex(task, min(index, task.left - 1));
        lists.put_all(words, task, vertex, is_present, is_settled);
    }
}

#[cube]
fn by_cubes<Op: SettleOp>(
    op: &mut Op,
    lists: &mut Lists,
    words: &mut AtomicArray,
    task: &Task,
    launch: u32,
) {
    for index in step_range(CUBE_POS as u32, task.left, CUBE_COUNT as u32) {
        let vertex = lists.vertex(task, index);
        let is_settled = op.look(vertex, launch, Team::Cube);
        if UNIT_POS == 0 {
            let kind = u32::cast_from(is_settled);
            let position = words.fetch_add(task.next + LEFT + kind, 1u32);
            lists.put(vertex, position, is_settled);
        }
    }
}
