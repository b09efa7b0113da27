//! `decompose`: the degrees of the worklist are added up, and each unit takes an equal block of
//! edges (Raval et al., WD).

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    engine::*,
    input::Input,
    primitives,
    ranges::*,
};

use super::{
    super::{
        field::*,
        graph::OnGraph,
        iteration::{Search, UNITS},
    },
    Iterate, Sizes,
};
use crate::{Result, traversal::Strategy};

/// Edges that make a unit worth its search for the first of them.
const EDGES_A_UNIT: u32 = 4;
/// Units that keep any GPU busy: with more edges, each takes more of them.
const MOST_UNITS: u32 = 1 << 20;

/// Vertices with the edges that are still to be relaxed.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Remaining {
    /// The vertices.
    pub vertices: Input<u32>,
    /// The first of those edges, of each.
    pub firsts: Input<u32>,
    /// How many edges the vertices before each have, and all of them.
    pub sums: Input<u32>,
    /// How many vertices there are.
    pub count: u32,
}

/// Looks up where the edges of each vertex start, after so many that are `done`, and how many they
/// are. Vertices from `list.count` on have none.
#[cube(launch_unchecked)]
pub(crate) fn look_up_edges(
    rows: &Rows,
    list: &ThisList,
    done: &Array<u32>,
    firsts: &mut Array<u32>,
    degrees: &mut Array<u32>,
    #[comptime] some_done: bool,
) {
    for index in grid_stride_range(0, list.count) {
        let vertex = list.vertices[index as usize];
        let mut first = rows.offsets[vertex as usize];
        if comptime!(some_done) {
            first += done[index as usize];
        }
        firsts[index as usize] = first;
        degrees[index as usize] = rows.offsets[(vertex + 1) as usize] - first;
    }
}

/// Relaxes all remaining edges, an equal block for each unit.
#[cube(launch_unchecked)]
pub(crate) fn push_blocks<Op: SearchOp>(
    rows: &Rows,
    remaining: &Remaining,
    field: &mut Field<Op>,
    next: &mut NextList,
) {
    let edges = remaining.sums[remaining.count as usize];
    let units = CUBE_COUNT as u32 * CUBE_DIM;
    let block = edges.div_ceil(units);
    let begin = min(ABSOLUTE_POS as u32 * block, edges);
    let end = min(begin + block, edges);
    if begin < end {
        let mut index = vertex_of_edge(remaining, begin);
        let mut limit = remaining.sums[(index + 1) as usize];
        for place in begin..end {
            while place >= limit {
                index += 1;
                limit = remaining.sums[(index + 1) as usize];
            }
            let vertex = remaining.vertices[index as usize];
            let edge = remaining.firsts[index as usize] + place - remaining.sums[index as usize];
            let target = rows.targets[edge as usize];
            let label = field.label(vertex);
            if field.relax(label, edge, target) {
                next.add(target);
            }
        }
    }
}

/// Where in the list the vertex of an edge is, counted through all of them.
#[cube]
pub(crate) fn vertex_of_edge(remaining: &Remaining, place: u32) -> u32 {
    let mut low = 0u32;
    let mut high = remaining.count;
    while low < high {
        let middle = (low + high) / 2;
        if remaining.sums[(middle + 1) as usize] <= place {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Where the edges of a list's vertices start, and how many those before each have.
pub(crate) struct Sums {
    firsts: Buffer<u32>,
    sums: Buffer<u32>,
}

impl Sums {
    /// The first `count` vertices of the list, for a kernel.
    pub fn arg(&self, vertices: &Buffer<u32>, count: u32) -> RemainingLaunch<GpuRuntime> {
        RemainingLaunch::new(vertices.arg(), self.firsts.arg(), self.sums.arg(), count)
    }
}

/// An equal block of the worklist's edges for each unit.
pub(super) struct Decompose;

impl<'g, Op: OnGraph> Iterate<'g, Op> for Decompose {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::Decompose]
    }

    fn words(&self, _: Strategy, graph: &Sizes) -> u64 {
        graph.vertices + graph.sums()
    }

    fn launch(&mut self, _: Strategy, search: &mut Search<'g, Op>) -> Result<u32> {
        let count = search.list_vertices()?;
        search.push_remaining(&search.lists.this, None, count, search.frontier.edges)?;
        search.swap_lists();
        Ok(1)
    }
}

impl<Op: OnGraph> Search<'_, Op> {
    /// Relaxes the edges that are left of the first `count` vertices: at most so many.
    pub(super) fn push_remaining(
        &self,
        vertices: &Buffer<u32>,
        done: Option<&Buffer<u32>>,
        count: u32,
        edges: u32,
    ) -> Result<()> {
        let sums = self.add_up(vertices, done, count)?;
        let blocks = edges.div_ceil(EDGES_A_UNIT).min(MOST_UNITS);
        // SAFETY: the lists have `count` vertices, and `sums` one more; the next list has room for
        // all vertices of the graph.
        unsafe {
            push_blocks::launch_unchecked::<Op, GpuRuntime>(
                self.gpu().client(),
                self.cubes(blocks),
                CubeDim::new_1d(UNITS),
                self.graph.leaving.arg(),
                sums.arg(vertices, count),
                self.field(),
                self.next_arg(),
            );
        }
        Ok(())
    }

    /// Adds up the edges that are left of the first `count` vertices.
    pub fn add_up(
        &self,
        vertices: &Buffer<u32>,
        done: Option<&Buffer<u32>>,
        count: u32,
    ) -> Result<Sums> {
        let (firsts, degrees) =
            (self.gpu().empty(count as usize)?, self.gpu().empty(count as usize)?);
        // SAFETY: all of them have `count` numbers, or are not looked at.
        unsafe {
            look_up_edges::launch_unchecked::<GpuRuntime>(
                self.gpu().client(),
                self.cubes(count),
                CubeDim::new_1d(UNITS),
                self.graph.leaving.arg(),
                ThisListLaunch::new(vertices.arg(), count),
                done.unwrap_or(vertices).arg(),
                firsts.arg(),
                degrees.arg(),
                done.is_some(),
            );
        }
        let sums = primitives::offsets(self.gpu(), &degrees)?;
        Ok(Sums { firsts, sums })
    }
}
