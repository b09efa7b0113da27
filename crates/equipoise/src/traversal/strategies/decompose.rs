//! `decompose`: each unit takes an equal block of the worklist's edges (Raval et al., WD).
//!
//! The degrees of the worklist's vertices are stored parallel to it. A prefix sum over them and a separate kernel find the
//! vertex and the edge with which each unit starts.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    engine::*,
    input::Input,
    primitives,
    ranges::*,
};

use crate::{
    Result,
    traversal::{
        iteration::{GraphOp, GraphSizes, Iterate, SearchState, UNITS},
        options::Strategy,
        vertex_labels::*,
    },
};

/// Edges per unit that are worth its binary search for the first of them.
const EDGES_PER_UNIT: u32 = 4;
/// The number of units that keeps any GPU busy: with more edges, each unit takes more of them.
const MOST_UNITS: u32 = 1 << 20;

/// Vertices with their edges that are still to be relaxed.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Remaining {
    pub vertices: Input<u32>,
    /// The prefix sums of the numbers of these edges.
    pub sums: Input<u32>,
    pub count: u32,
}

#[derive(CubeType, CubeLaunch)]
pub(crate) struct BlockStarts {
    /// The index in the worklist of each unit's first vertex.
    pub indices: Array<u32>,
    /// The first edge of the unit, as an offset in the remaining edges of that vertex.
    pub edges: Array<u32>,
}

/// Looks up the degree of each vertex, less the edges that are `done`.
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

/// Finds the vertex and the edge with which each unit starts.
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
        let index = vertex_of_edge(remaining, begin);
        starts.indices[unit as usize] = index;
        starts.edges[unit as usize] = begin - remaining.sums[index as usize];
    }
}

/// The index in the list of the vertex to which an edge belongs; remaining edges are numbered consecutively.
#[cube]
pub(crate) fn vertex_of_edge(remaining: &Remaining, edge: u32) -> u32 {
    let mut low = 0u32;
    let mut high = remaining.count;
    while low < high {
        let middle = (low + high) / 2;
        if remaining.sums[(middle + 1) as usize] <= edge {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Relaxes all remaining edges, an equal block per unit. Stores the degrees of found vertices parallel to the next list.
#[cube(launch_unchecked)]
pub(crate) fn push_blocks(
    rows: &Rows,
    remaining: &Remaining,
    done: &Array<u32>,
    starts: &BlockStarts,
    labels: &mut VertexLabels,
    next: &mut NextList,
    next_degrees: &mut Array<u32>,
    block: u32,
    #[comptime] some_done: bool,
    #[comptime] stores_degrees: bool,
) {
    let unit = ABSOLUTE_POS as u32;
    let edges = remaining.sums[remaining.count as usize];
    let mut left = 0u32;
    if unit < starts.indices.len() as u32 {
        left = min(block, edges - min(unit * block, edges));
    }
    if left > 0 {
        let mut index = starts.indices[unit as usize];
        let mut first = starts.edges[unit as usize];
        while left > 0 {
            let vertex = remaining.vertices[index as usize];
            let degree = remaining.sums[(index + 1) as usize] - remaining.sums[index as usize];
            let mut begin = rows.offsets[vertex as usize] + first;
            if comptime!(some_done) {
                begin += done[index as usize];
            }
            let own = min(left, degree - first);
            let label = labels.label(vertex);
            for edge in begin..begin + own {
                let target = rows.targets[edge as usize];
                if labels.relax(label, edge, target) {
                    let at = next.count[0].fetch_add(1u32) as usize;
                    next.vertices[at] = target;
                    if comptime!(stores_degrees) {
                        let target = target as usize;
                        next_degrees[at] = rows.offsets[target + 1] - rows.offsets[target];
                    }
                }
            }
            left -= own;
            first = 0u32;
            index += 1;
        }
    }
}

/// Equal blocks of the edges of a worklist.
struct Blocks {
    sums: Buffer<u32>,
    indices: Buffer<u32>,
    edges: Buffer<u32>,
    /// Edges per block.
    size: u32,
}

#[derive(Default)]
pub(super) struct Decompose {
    /// The degrees of the vertices of this list and the next one.
    degrees: Option<[Buffer<u32>; 2]>,
    /// The version of the list to which the first of them belong.
    version: Option<u32>,
}

impl Decompose {
    /// The degrees of the worklist, stored with it or looked up now, and room for those of the next one.
    fn degrees<Op: GraphOp>(
        &mut self,
        search: &SearchState<Op>,
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

impl<'g, Op: GraphOp> Iterate<'g, Op> for Decompose {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::Decompose]
    }

    fn words(&self, _: Strategy, sizes: &GraphSizes) -> u64 {
        2 * sizes.vertices + sizes.sums() + 2 * most_units(sizes.edges)
    }

    fn launch(&mut self, _: Strategy, search: &mut SearchState<'g, Op>) -> Result<u32> {
        let count = search.list_vertices()?;
        let edges = search.frontier.edges;
        let [these, next] = self.degrees(search, count)?;
        let vertices = search.lists.this.clone();
        let blocks = search.as_overhead(|search| search.blocks(&vertices, &these, count, edges))?;
        search.push_blocks(&vertices, None, count, &blocks, Some(&next))?;
        search.swap_lists();
        (self.degrees, self.version) = (Some([next, these]), Some(search.list_version));
        Ok(1)
    }

    fn forget(&mut self) {
        (self.degrees, self.version) = (None, None);
    }
}

/// The number of units that share `edges`.
fn most_units(edges: u64) -> u64 {
    edges.div_ceil(EDGES_PER_UNIT.into()).min(MOST_UNITS.into())
}

impl<Op: GraphOp> SearchState<'_, Op> {
    /// Relaxes the remaining edges of the first `count` vertices, at most `edges`.
    pub(super) fn push_remaining(
        &mut self,
        vertices: &Buffer<u32>,
        done: Option<&Buffer<u32>>,
        count: u32,
        edges: u32,
    ) -> Result<()> {
        let blocks = self.as_overhead(|search| {
            let degrees = search.gpu().empty(count as usize)?;
            search.look_up_degrees(vertices, done, count, &degrees);
            search.blocks(vertices, &degrees, count, edges)
        })?;
        self.push_blocks(vertices, done, count, &blocks, None)
    }

    /// The prefix sums of the degrees of the first `count` vertices.
    pub fn degree_sums(&self, vertices: &Buffer<u32>, count: u32) -> Result<Buffer<u32>> {
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
        // SAFETY: each array that is read or written has `count` numbers.
        unsafe {
            look_up_degrees::launch_unchecked::<GpuRuntime>(
                self.gpu().client(),
                self.cubes(count),
                CubeDim::new_1d(UNITS),
                self.rows.arg(),
                ThisListLaunch::new(vertices.arg(), count),
                done.unwrap_or(vertices).arg(),
                degrees.arg(),
                done.is_some(),
            );
        }
    }

    /// Cuts the remaining edges of the first `count` vertices, at most `edges`, into blocks.
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
        let (indices, starts) = (gpu.empty(units as usize)?, gpu.empty(units as usize)?);
        let size = edges.div_ceil(units.max(1));
        let blocks = Blocks { sums, indices, edges: starts, size };
        // SAFETY: the list has `count` vertices and `sums` one more; each unit has a start.
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
        // Bound in index of degrees, and never written.
        let none = self.gpu().empty(1)?;
        // SAFETY: the lists have `count` vertices, and `sums` one number more; the next list and its degrees have room for
        // all vertices of the graph.
        unsafe {
            push_blocks::launch_unchecked::<GpuRuntime>(
                self.gpu().client(),
                self.cubes(blocks.indices.len() as u32),
                CubeDim::new_1d(UNITS),
                self.rows.arg(),
                remaining_arg(vertices, &blocks.sums, count),
                done.unwrap_or(vertices).arg(),
                blocks.starts(),
                self.labels_arg(),
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
        BlockStartsLaunch::new(self.indices.arg(), self.edges.arg())
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
