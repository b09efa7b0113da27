//! `decompose`: each unit takes an equal block of the worklist's edges (Raval et al., WD).
//!
//! The worklist has the degrees of its vertices beside them. They are added up, and a kernel of its own
//! finds the vertex and the edge that each unit starts with.

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

/// Vertices with the edges that are still to be relaxed, counted.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Remaining {
    /// The vertices.
    pub vertices: Input<u32>,
    /// How many edges the vertices before each have, and all of them.
    pub sums: Input<u32>,
    /// How many vertices there are.
    pub count: u32,
}

/// Where units start.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct BlockStarts {
    /// The place in the worklist of each unit's first vertex.
    pub places: Array<u32>,
    /// The first edge of that vertex which is the unit's, counted from those that remain.
    pub edges: Array<u32>,
}

/// Looks up how many edges of each vertex remain after those that are `done`.
#[cube(launch_unchecked)]
pub(crate) fn look_up_degrees(
    rows: &Rows,
    list: &ThisList,
    done: &Array<u32>,
    degrees: &mut Array<u32>,
    #[comptime] some_done: bool,
) {
    for index in grid_stride_range(0, list.count) {
        let vertex = list.vertices[index as usize];
        let mut degree = rows.offsets[(vertex + 1) as usize] - rows.offsets[vertex as usize];
        if comptime!(some_done) {
            degree -= done[index as usize];
        }
        degrees[index as usize] = degree;
    }
}

/// Finds the vertex and the edge that each unit starts with.
#[cube(launch_unchecked)]
pub(crate) fn find_offsets(
    remaining: &Remaining,
    starts: &mut BlockStarts,
    units: u32,
    block: u32,
) {
    let edges = remaining.sums[remaining.count as usize];
    for unit in grid_stride_range(0, units) {
        let begin = min(unit * block, edges);
        let place = vertex_of_edge(remaining, begin);
        starts.places[unit as usize] = place;
        starts.edges[unit as usize] = begin - remaining.sums[place as usize];
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

/// Relaxes all remaining edges, an equal block for each unit. The degree of a vertex that is found is
/// noted beside it in the next list.
#[cube(launch_unchecked)]
pub(crate) fn push_blocks(
    rows: &Rows,
    remaining: &Remaining,
    done: &Array<u32>,
    starts: &BlockStarts,
    field: &mut Field,
    next: &mut NextList,
    next_degrees: &mut Array<u32>,
    block: u32,
    #[comptime] some_done: bool,
    #[comptime] notes_degrees: bool,
) {
    let unit = ABSOLUTE_POS as u32;
    let edges = remaining.sums[remaining.count as usize];
    let mut left = 0u32;
    if unit < starts.places.len() as u32 {
        left = min(block, edges - min(unit * block, edges));
    }
    if left > 0 {
        let mut place = starts.places[unit as usize];
        let mut first = starts.edges[unit as usize];
        while left > 0 {
            let vertex = remaining.vertices[place as usize];
            let degree = remaining.sums[(place + 1) as usize] - remaining.sums[place as usize];
            let mut begin = rows.offsets[vertex as usize] + first;
            if comptime!(some_done) {
                begin += done[place as usize];
            }
            let own = min(left, degree - first);
            let label = field.label(vertex);
            for edge in begin..begin + own {
                let target = rows.targets[edge as usize];
                if field.relax(label, edge, target) {
                    let at = next.count[0].fetch_add(1u32) as usize;
                    next.vertices[at] = target;
                    if comptime!(notes_degrees) {
                        let target = target as usize;
                        next_degrees[at] = rows.offsets[target + 1] - rows.offsets[target];
                    }
                }
            }
            left -= own;
            first = 0u32;
            place += 1;
        }
    }
}

/// Equal blocks of the edges of a worklist.
struct Blocks {
    sums: Buffer<u32>,
    places: Buffer<u32>,
    edges: Buffer<u32>,
    /// How many edges each has.
    size: u32,
}

/// An equal block of the worklist's edges for each unit.
#[derive(Default)]
pub(super) struct Decompose {
    /// The degrees of the vertices of this list and the next one.
    degrees: Option<[Buffer<u32>; 2]>,
    /// The list that the first of them are of.
    version: Option<u32>,
}

impl Decompose {
    /// The degrees beside the worklist: those that were noted with it, or looked up now; and room
    /// for those of the next one.
    fn degrees<Op: OnGraph>(
        &mut self,
        search: &Search<Op>,
        count: u32,
    ) -> Result<[Buffer<u32>; 2]> {
        let [these, next] = match self.degrees.take() {
            Some(both) => both,
            None => {
                let vertices = search.graph.vertices() as usize;
                [search.gpu().empty(vertices)?, search.gpu().empty(vertices)?]
            }
        };
        if self.version != Some(search.list_version) {
            search.look_up_degrees(&search.lists.this, None, count, &these);
        }
        Ok([these, next])
    }
}

impl<'g, Op: OnGraph> Iterate<'g, Op> for Decompose {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::Decompose]
    }

    fn words(&self, _: Strategy, graph: &Sizes) -> u64 {
        2 * graph.vertices + graph.sums() + 2 * most_units(graph.edges)
    }

    fn launch(&mut self, _: Strategy, search: &mut Search<'g, Op>) -> Result<u32> {
        let count = search.list_vertices()?;
        let edges = search.frontier.edges;
        let [these, next] = self.degrees(search, count)?;
        let vertices = search.lists.this.clone();
        let blocks = search.aside(|search| search.blocks(&vertices, &these, count, edges))?;
        search.push_blocks(&vertices, None, count, &blocks, Some(&next))?;
        search.swap_lists();
        (self.degrees, self.version) = (Some([next, these]), Some(search.list_version));
        Ok(1)
    }

    fn forget(&mut self) {
        (self.degrees, self.version) = (None, None);
    }
}

/// The units that share so many edges.
fn most_units(edges: u64) -> u64 {
    edges.div_ceil(EDGES_A_UNIT.into()).min(MOST_UNITS.into())
}

impl<Op: OnGraph> Search<'_, Op> {
    /// Relaxes the edges that are left of the first `count` vertices: at most so many.
    pub(super) fn push_remaining(
        &mut self,
        vertices: &Buffer<u32>,
        done: Option<&Buffer<u32>>,
        count: u32,
        edges: u32,
    ) -> Result<()> {
        let blocks = self.aside(|search| {
            let degrees = search.gpu().empty(count as usize)?;
            search.look_up_degrees(vertices, done, count, &degrees);
            search.blocks(vertices, &degrees, count, edges)
        })?;
        self.push_blocks(vertices, done, count, &blocks, None)
    }

    /// How many edges the vertices before each of the first `count` have, and all of them.
    pub fn add_up(&self, vertices: &Buffer<u32>, count: u32) -> Result<Buffer<u32>> {
        let degrees = self.gpu().empty(count as usize)?;
        self.look_up_degrees(vertices, None, count, &degrees);
        Ok(primitives::offsets(self.gpu(), &degrees)?)
    }

    fn look_up_degrees(
        &self,
        vertices: &Buffer<u32>,
        done: Option<&Buffer<u32>>,
        count: u32,
        degrees: &Buffer<u32>,
    ) {
        // SAFETY: all of them have `count` numbers, or are not looked at.
        unsafe {
            look_up_degrees::launch_unchecked::<GpuRuntime>(
                self.gpu().client(),
                self.cubes(count),
                CubeDim::new_1d(UNITS),
                self.graph.leaving.arg(),
                ThisListLaunch::new(vertices.arg(), count),
                done.unwrap_or(vertices).arg(),
                degrees.arg(),
                done.is_some(),
            );
        }
    }

    /// Cuts the edges that are left of the first `count` vertices into blocks; they are at most so
    /// many.
    fn blocks(
        &self,
        vertices: &Buffer<u32>,
        degrees: &Buffer<u32>,
        count: u32,
        edges: u32,
    ) -> Result<Blocks> {
        let gpu = self.gpu();
        let units = most_units(edges.into()) as u32;
        let sums = primitives::offsets(gpu, &degrees.first(count as usize))?;
        let (places, starts) = (gpu.empty(units as usize)?, gpu.empty(units as usize)?);
        let size = edges.div_ceil(units.max(1));
        let blocks = Blocks { sums, places, edges: starts, size };
        // SAFETY: the list has `count` vertices and `sums` one more; there is a start for each unit.
        unsafe {
            find_offsets::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                self.cubes(units),
                CubeDim::new_1d(UNITS),
                remaining_arg(vertices, &blocks.sums, count),
                blocks.starts(),
                units,
                size,
            );
        }
        Ok(blocks)
    }

    fn push_blocks(
        &self,
        vertices: &Buffer<u32>,
        done: Option<&Buffer<u32>>,
        count: u32,
        blocks: &Blocks,
        next_degrees: Option<&Buffer<u32>>,
    ) -> Result<()> {
        // One that is not written to.
        let none = self.gpu().empty(1)?;
        // SAFETY: the lists have `count` vertices, and `sums` one more; the next list and its degrees
        // have room for all vertices of the graph.
        unsafe {
            push_blocks::launch_unchecked::<GpuRuntime>(
                self.gpu().client(),
                self.cubes(blocks.places.len() as u32),
                CubeDim::new_1d(UNITS),
                self.graph.leaving.arg(),
                remaining_arg(vertices, &blocks.sums, count),
                done.unwrap_or(vertices).arg(),
                blocks.starts(),
                self.field(),
                self.next_arg(),
                next_degrees.unwrap_or(&none).arg(),
                blocks.size,
                done.is_some(),
                next_degrees.is_some(),
            );
        }
        Ok(())
    }
}

impl Blocks {
    fn starts(&self) -> BlockStartsLaunch<GpuRuntime> {
        BlockStartsLaunch::new(self.places.arg(), self.edges.arg())
    }
}

/// The first `count` vertices of a list, for a kernel.
pub(crate) fn remaining_arg(
    vertices: &Buffer<u32>,
    sums: &Buffer<u32>,
    count: u32,
) -> RemainingLaunch<GpuRuntime> {
    RemainingLaunch::new(vertices.arg(), sums.arg(), count)
}
