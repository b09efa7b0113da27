//! The loop: iterations until the frontier is empty.
//!
//! A wide iteration is a launch under the schedule, after which the host reads how large the next
//! frontier is. Narrow ones, which would be over before the host has read anything, are done by one
//! cube, many in a launch.

use cubecl::prelude::*;

use super::{EdgeOp, EdgeOpExpand, Frontier, Operation, advance::advance};
use crate::{
    Result,
    device::{Buffer, Gpu, GpuRuntime},
    input::Input,
    plan::{ScheduleOptions, launch_with_bounds},
    ranges::step_range,
};

/// The most vertices and edges of a narrow frontier: one cube is done with them as soon as all are.
const NARROW_VERTICES: u32 = 1 << 10;
const NARROW_EDGES: u32 = 1 << 13;
/// Narrow iterations of one launch: devices in software end loops that go on for long.
const MOST_ITERATIONS: u32 = 128;
/// Units of the one cube, and of them those that share the edges of a vertex.
const UNITS: u32 = 256;
const SHARING: u32 = 4;

/// Applies an operation to the edges that leave a frontier, then to those that leave the vertices it
/// named, and so on until it names none. The number of iterations.
///
/// The operation must not rely on which iteration it is in: where that matters, it is to be told
/// from what the operation notes of vertices, as a level is from the level of the source. Edges of
/// an iteration may be relaxed after others of it have changed what they read.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     ScheduleName,
///     device::{Device, OpenDevice},
///     engine::*,
/// };
///
/// /// Breadth-first search: a level is one more than that of the vertex it was found from.
/// #[derive(CubeType, CubeLaunch)]
/// struct Discover {
///     levels: Array<Atomic<u32>>,
/// }
///
/// #[cube]
/// impl EdgeOp for Discover {
///     fn relax(&mut self, source: u32, target: u32, _edge: u32) -> bool {
///         let level = self.levels[source as usize].load() + 1;
///         level < self.levels[target as usize].fetch_min(level)
///     }
/// }
///
/// # fn main() -> equipoise_schedule::Result<()> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let path = DeviceGraph::from_rows(&gpu, &[0, 1, 2, 3, 3], &[1, 2, 3])?;
/// let levels = gpu.upload(&[0, u32::MAX, u32::MAX, u32::MAX])?;
/// let discover = Operation::<Discover>::checked(|| DiscoverLaunch::new(levels.arg()));
/// until_empty(Frontier::of(&path, &[0])?, ScheduleName::MergePath.into(), &discover)?;
/// assert_eq!(gpu.download(&levels)?, [0, 1, 2, 3]);
/// # Ok(())
/// # }
/// ```
pub fn until_empty<Op: EdgeOp>(
    frontier: Frontier,
    schedule: ScheduleOptions,
    op: &Operation<Op>,
) -> Result<u32> {
    let mut frontier = frontier;
    let mut iterations = 0;
    while !frontier.is_empty() {
        let (next, done) = match is_narrow(&frontier) {
            true => narrow(&frontier, op)?,
            false => (advance(&frontier, schedule, op)?, 1),
        };
        frontier = next;
        iterations += done;
    }
    Ok(iterations)
}

fn is_narrow(frontier: &Frontier) -> bool {
    frontier.len() <= NARROW_VERTICES && frontier.edges() <= NARROW_EDGES
}

/// Does iterations as long as they are narrow; the frontier after them, and how many they were.
fn narrow<'g, Op: EdgeOp>(
    frontier: &Frontier<'g>,
    op: &Operation<Op>,
) -> Result<(Frontier<'g>, u32)> {
    let graph = frontier.graph();
    let gpu = graph.gpu();
    let (marks, first) = graph.marks(MOST_ITERATIONS)?;
    let lists = [gpu.empty(graph.vertices() as usize)?, gpu.empty(graph.vertices() as usize)?];
    let state = gpu.upload(&[frontier.len(), frontier.edges(), 0])?;
    copy(gpu, frontier, &lists[0]);
    let units = CubeDim::new_1d(UNITS.min(gpu.properties().max_units));
    let lists_arg = ListsLaunch::new(
        lists[0].arg(),
        lists[1].arg(),
        marks.arg(),
        graph.offsets().arg(),
        graph.targets().arg(),
    );
    let cube = CubeCount::new_single();
    // SAFETY: both lists have room for all vertices, each of which is listed once an iteration; there
    // is a mark and an offset for each, and a target for each edge; an operation that is not checked
    // keeps within its buffers.
    launch_with_bounds!(
        op.is_checked(),
        narrow_iterations::<Op>(gpu.client(), cube, units, op.arg(), lists_arg, state.arg(), first,)
    );
    let read = gpu.download(&state)?;
    let (len, edges, done) = (read[0], read[1], read[2]);
    let [even, odd] = lists;
    let list = if done.is_multiple_of(2) { even } else { odd };
    Ok((Frontier::known(graph, list, state, len, edges), done))
}

/// Copies a frontier's vertices into a list with room for all.
fn copy(gpu: &Gpu, frontier: &Frontier, list: &Buffer<u32>) {
    // SAFETY: both have at least as many vertices as the frontier.
    unsafe {
        copy_list::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            gpu.cubes(1),
            CubeDim::new_1d(UNITS.min(gpu.properties().max_units)),
            frontier.list.arg(),
            list.arg(),
            frontier.len(),
        );
    }
}

#[cube(launch_unchecked)]
fn copy_list(from: &Array<u32>, to: &mut Array<u32>, len: u32) {
    for index in step_range(UNIT_POS, len, CUBE_DIM) {
        to[index as usize] = from[index as usize];
    }
}

/// The frontiers of even and odd iterations.
#[derive(CubeType, CubeLaunch)]
struct Lists {
    even: Array<u32>,
    odd: Array<u32>,
    marks: Array<Atomic<u32>>,
    offsets: Input<u32>,
    targets: Input<u32>,
}

#[cube]
impl Lists {
    fn get(&self, iteration: u32, index: u32) -> u32 {
        let mut vertex = self.even[index as usize];
        if iteration % 2 == 1 {
            vertex = self.odd[index as usize];
        }
        vertex
    }

    fn put(&mut self, iteration: u32, index: u32, vertex: u32) {
        if iteration.is_multiple_of(2) {
            self.even[index as usize] = vertex;
        } else {
            self.odd[index as usize] = vertex;
        }
    }
}

/// Iterations by one cube. `state` has the vertices and edges of the frontier, and how many
/// iterations were done.
#[cube(launch, launch_unchecked)]
fn narrow_iterations<Op: EdgeOp>(
    op: &mut Op,
    lists: &mut Lists,
    state: &mut Array<u32>,
    first: u32,
) {
    let found = SharedMemory::<Atomic<u32>>::new(2usize);
    let mut vertices = state[0];
    let mut edges = state[1];
    let mut done = 0u32;
    while done < MOST_ITERATIONS
        && vertices > 0
        && vertices <= NARROW_VERTICES
        && edges <= NARROW_EDGES
    {
        if UNIT_POS < 2 {
            found[UNIT_POS as usize].store(0u32);
        }
        sync_cube();
        for index in step_range(UNIT_POS / SHARING, vertices, CUBE_DIM / SHARING) {
            let source = lists.get(done, index);
            let begin = lists.offsets[source as usize] + UNIT_POS % SHARING;
            for edge in step_range(begin, lists.offsets[source as usize + 1], SHARING) {
                let target = lists.targets[edge as usize];
                if op.relax(source, target, edge) {
                    let iteration = first + done;
                    if lists.marks[target as usize].fetch_max(iteration) < iteration {
                        let degree =
                            lists.offsets[target as usize + 1] - lists.offsets[target as usize];
                        let place = found[0].fetch_add(1u32);
                        found[1].fetch_add(degree);
                        lists.put(done + 1, place, target);
                    }
                }
            }
        }
        // What the cube wrote to memory is there for all of it.
        sync_storage();
        sync_cube();
        vertices = found[0].load();
        edges = found[1].load();
        done += 1;
        // All have read before the counters are zero again.
        sync_cube();
    }
    if UNIT_POS == 0 {
        state[0] = vertices;
        state[1] = edges;
        state[2] = done;
    }
}
