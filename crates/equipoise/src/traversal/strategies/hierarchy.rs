//! `hierarchy`: an iteration in several steps, in each of which every unit relaxes a few edges of its vertex (Raval et al.,
//! HP).

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    engine::*,
    input::Input,
    ranges::*,
};

use crate::{
    Result,
    traversal::{
        iteration::{GraphOp, GraphSizes, Iterate, SearchState},
        options::Strategy,
        vertex_labels::*,
    },
};

/// Units per cube, if the device allows it: the paper's block size.
const MOST_UNITS: u32 = 1024;

/// Vertices with some of their edges done.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Started {
    pub vertices: Input<u32>,
    /// The number of edges of each that are done.
    pub done: Input<u32>,
    pub count: u32,
}

/// Vertices with remaining edges.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Left {
    pub vertices: Array<u32>,
    /// The number of edges of each that are done.
    pub done: Array<u32>,
    /// The number of vertices, in an array of length one.
    pub count: Array<Atomic<u32>>,
}

/// Relaxes at most `most` edges of each vertex; vertices with more go into `left`.
#[cube(launch_unchecked)]
pub(crate) fn push_some(
    rows: &Rows,
    labels: &mut VertexLabels,
    started: &Started,
    left: &mut Left,
    next: &mut NextList,
    most: u32,
    #[comptime] some_done: bool,
) {
    for index in grid_stride_range(0, started.count) {
        let vertex = started.vertices[index as usize];
        let first = rows.offsets[vertex as usize];
        let mut begin = first;
        if comptime!(some_done) {
            begin += started.done[index as usize];
        }
        let last = rows.offsets[(vertex + 1) as usize];
        let end = begin + min(most, last - begin);
        let label = labels.label(vertex);
        for edge in begin..end {
            let target = rows.targets[edge as usize];
            if labels.relax(label, edge, target) {
                next.add(target);
            }
        }
        if end < last {
            let index = left.count[0].fetch_add(1u32) as usize;
            left.vertices[index] = vertex;
            left.done[index] = end - first;
        }
    }
}

/// Buffers for the vertices with remaining edges.
struct Room {
    vertices: Buffer<u32>,
    done: Buffer<u32>,
    count: Buffer<u32>,
}

pub(super) struct Hierarchy;

impl<'g, Op: GraphOp> Iterate<'g, Op> for Hierarchy {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::Hierarchy]
    }

    fn words(&self, _: Strategy, sizes: &GraphSizes) -> u64 {
        5 * sizes.vertices + sizes.sums()
    }

    fn prepare(&mut self, _: Strategy, search: &SearchState<'g, Op>) -> Result<()> {
        search.most_edges();
        Ok(())
    }

    fn launch(&mut self, _: Strategy, search: &mut SearchState<'g, Op>) -> Result<u32> {
        let mut count = search.list_vertices()?;
        let (most, settings) = (search.most_edges(), search.settings);
        let (mut from, mut to): (Option<Room>, _) = (None, search.room(count)?);
        let mut steps = 0;
        let mut edges = search.frontier.edges;
        while count > 0 {
            let vertices = from.as_ref().map_or(&search.lists.this, |room| &room.vertices).clone();
            let (vertices, done) = (&vertices, from.as_ref().map(|room| &room.done));
            steps += 1;
            if count < settings.threshold || steps > settings.steps.most() {
                search.push_remaining(vertices, done, count, edges)?;
                break;
            }
            search.push_step(vertices, done, count, &to, most);
            let left = search.gpu().download(&to.count)?.iter().sum();
            edges = edges.saturating_sub(most.saturating_mul(left));
            let spare = match from.take() {
                Some(room) => room,
                None => search.room(left)?,
            };
            search.gpu().fill(&spare.count, 0)?;
            (from, to) = (Some(to), spare);
            count = left;
        }
        search.swap_lists();
        Ok(steps)
    }
}

impl<Op: GraphOp> SearchState<'_, Op> {
    fn room(&self, vertices: u32) -> Result<Room> {
        let len = vertices as usize;
        let count = self.gpu().filled(1, 0)?;
        Ok(Room { vertices: self.gpu().empty(len)?, done: self.gpu().empty(len)?, count })
    }

    fn push_step(
        &self,
        vertices: &Buffer<u32>,
        done: Option<&Buffer<u32>>,
        count: u32,
        left: &Room,
        most: u32,
    ) {
        let started = StartedLaunch::new(vertices.arg(), done.unwrap_or(vertices).arg(), count);
        let left = LeftLaunch::new(left.vertices.arg(), left.done.arg(), left.count.arg());
        let units = self.gpu().properties().max_units.min(MOST_UNITS);
        // SAFETY: the list has `count` vertices, and `left` has room for as many, since their number only falls; the next
        // list has room for all vertices of the graph.
        unsafe {
            push_some::launch_unchecked::<GpuRuntime>(
                self.gpu().client(),
                self.gpu().cubes(u64::from(count).div_ceil(units.into())),
                CubeDim::new_1d(units),
                self.rows.arg(),
                self.labels_arg(),
                started,
                left,
                self.next_arg(),
                most,
                done.is_some(),
            );
        }
    }
}
