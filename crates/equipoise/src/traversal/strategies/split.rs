//! `split`: vertices with many edges are split beforehand into even parts, with one unit per part (Raval et al., NS).
//!
//! Edges lead to vertices, not to their parts, and each part has its own label. Before each iteration the found vertices
//! copy their labels to their parts, which is timed separately.
//!
//! Splitting is correct because relaxing distributes over edges: the label of a vertex is the minimum over all its edges,
//! whatever their order and their units. That holds for every [`SearchOp`], whose labels only become smaller.

use cubecl::prelude::*;
use equipoise_graph::{Graph, parallel::*};
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

/// The parts of all vertices.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Parts {
    /// The first part of each vertex, and the number of all parts.
    pub firsts: Input<u32>,
    /// The first edge of each part, and the number of all edges.
    pub offsets: Input<u32>,
    pub labels: Array<u32>,
}

/// Counts the parts of each vertex: the fewest with at most `most` edges each.
#[cube(launch_unchecked)]
pub(crate) fn count_parts(rows: &Rows, parts: &mut Array<u32>, vertices: u32, most: u32) {
    for vertex in grid_stride_range(0, vertices) {
        let degree = rows.offsets[(vertex + 1) as usize] - rows.offsets[vertex as usize];
        parts[vertex as usize] = degree.div_ceil(most);
    }
}

/// Cuts the edges of each vertex evenly among its parts.
#[cube(launch_unchecked)]
pub(crate) fn cut_parts(
    rows: &Rows,
    firsts: &Array<u32>,
    offsets: &mut Array<u32>,
    vertices: u32,
    parts: u32,
) {
    if ABSOLUTE_POS == 0 {
        offsets[parts as usize] = rows.offsets[vertices as usize];
    }
    for part in grid_stride_range(0, parts) {
        let vertex = vertex_of_part(firsts, vertices, part);
        let first = firsts[vertex as usize];
        let (rank, count) = (part - first, firsts[(vertex + 1) as usize] - first);
        let begin = rows.offsets[vertex as usize];
        let degree = rows.offsets[(vertex + 1) as usize] - begin;
        // The remainder goes to the first parts.
        offsets[part as usize] = begin + rank * (degree / count) + min(rank, degree % count);
    }
}

#[cube]
fn vertex_of_part(firsts: &Array<u32>, vertices: u32, part: u32) -> u32 {
    let mut low = 0u32;
    let mut high = vertices;
    while low < high {
        let middle = (low + high) / 2;
        if firsts[(middle + 1) as usize] <= part {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Copies the labels of the vertices of a list to their parts, and lists these.
#[cube(launch_unchecked)]
pub(crate) fn tell_parts(
    parts: &mut Parts,
    labels: &VertexLabels,
    list: &ThisList,
    listed: &mut NextList,
) {
    for index in grid_stride_range(0, list.count) {
        let vertex = list.vertices[index as usize];
        let label = labels.label(vertex);
        let (begin, end) = (parts.firsts[vertex as usize], parts.firsts[(vertex + 1) as usize]);
        if begin < end {
            let index = listed.count[0].fetch_add(end - begin);
            for part in begin..end {
                parts.labels[part as usize] = label;
                listed.vertices[(index + part - begin) as usize] = part;
            }
        }
    }
}

/// Relaxes the edges of the parts in a list, and lists the found vertices.
#[cube(launch_unchecked)]
pub(crate) fn push_parts(
    targets: &Array<u32>,
    parts: &Parts,
    labels: &mut VertexLabels,
    list: &ThisList,
    next: &mut NextList,
) {
    for index in grid_stride_range(0, list.count) {
        let part = list.vertices[index as usize] as usize;
        let label = parts.labels[part];
        for edge in parts.offsets[part]..parts.offsets[part + 1] {
            let target = targets[edge as usize];
            if labels.relax(label, edge, target) {
                next.add(target);
            }
        }
    }
}

/// A graph whose large vertices are split, and a list of parts.
struct SplitGraph {
    firsts: Buffer<u32>,
    offsets: Buffer<u32>,
    labels: Buffer<u32>,
    list: Buffer<u32>,
    /// The length of the list.
    count: Buffer<u32>,
}

impl SplitGraph {
    /// Splits vertices with more than `most` edges into the fewest even parts.
    fn new<Op: GraphOp>(search: &SearchState<Op>, most: u32) -> Result<Self> {
        let (graph, gpu) = (search.graph, search.gpu());
        let vertices = graph.vertices();
        let counts = gpu.empty(vertices as usize)?;
        let (cubes, units) = (search.cubes(vertices), CubeDim::new_1d(UNITS));
        // SAFETY: each vertex has a count and offsets.
        unsafe {
            count_parts::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes,
                units,
                search.rows.arg(),
                counts.arg(),
                vertices,
                most,
            );
        }
        let firsts = primitives::offsets(gpu, &counts)?;
        let parts = part_count(graph.graph, most) as u32;
        let offsets = gpu.empty(parts as usize + 1)?;
        // SAFETY: each part has an offset, and `offsets` one more.
        unsafe {
            cut_parts::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                search.cubes(parts),
                units,
                search.rows.arg(),
                firsts.arg(),
                offsets.arg(),
                vertices,
                parts,
            );
        }
        let (labels, list) = (gpu.empty(parts as usize)?, gpu.empty(parts as usize)?);
        Ok(Self { firsts, offsets, labels, list, count: gpu.empty(1)? })
    }

    fn arg(&self) -> PartsLaunch<GpuRuntime> {
        PartsLaunch::new(self.firsts.arg(), self.offsets.arg(), self.labels.arg())
    }

    /// Copies the labels of the first `count` vertices of the worklist to their parts. Returns the number of parts.
    fn label_parts<Op: GraphOp>(&self, search: &SearchState<Op>, count: u32) -> Result<u32> {
        let gpu = search.gpu();
        gpu.fill(&self.count, 0)?;
        // SAFETY: the list has `count` vertices, none of them twice, and the list of parts has room for all parts.
        unsafe {
            tell_parts::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                search.cubes(count),
                CubeDim::new_1d(UNITS),
                self.arg(),
                search.labels_arg(),
                search.this_arg(count),
                NextListLaunch::new(self.list.arg(), self.count.arg()),
            );
        }
        Ok(gpu.download(&self.count)?.iter().sum())
    }
}

/// The number of parts with at most `most` edges each: no more than the edges of the graph.
fn part_count(graph: &Graph, most: u32) -> u64 {
    let degrees = graph.csr().offsets().par_windows(2).map(|ends| ends[1] - ends[0]);
    degrees.map(|degree| degree.div_ceil(u64::from(most))).sum()
}

#[derive(Default)]
pub(super) struct Split {
    graph: Option<SplitGraph>,
}

impl Split {
    /// The split graph, built on first use.
    fn graph<Op: GraphOp>(&mut self, search: &SearchState<Op>) -> Result<&SplitGraph> {
        let graph = match self.graph.take() {
            Some(graph) => graph,
            None => SplitGraph::new(search, search.most_edges())?,
        };
        Ok(self.graph.insert(graph))
    }
}

impl<'g, Op: GraphOp> Iterate<'g, Op> for Split {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::Split]
    }

    fn words(&self, _: Strategy, sizes: &GraphSizes) -> u64 {
        let parts = part_count(sizes.graph, sizes.settings.most_edges(sizes.graph));
        // While the graph is split, also the counts of parts and their prefix sums.
        sizes.sums() + 2 * sizes.vertices + 3 * parts + 2
    }

    fn prepare(&mut self, _: Strategy, search: &SearchState<'g, Op>) -> Result<()> {
        self.graph(search).map(drop)
    }

    fn launch(&mut self, _: Strategy, search: &mut SearchState<'g, Op>) -> Result<u32> {
        let count = search.list_vertices()?;
        let split = self.graph(search)?;
        let parts = search.as_overhead(|search| split.label_parts(search, count))?;
        // SAFETY: the list has `parts` parts, and the next one has room for all vertices of the graph, none of which joins
        // twice.
        unsafe {
            push_parts::launch_unchecked::<GpuRuntime>(
                search.gpu().client(),
                search.cubes(parts),
                CubeDim::new_1d(UNITS),
                search.rows.targets.arg(),
                split.arg(),
                search.labels_arg(),
                ThisListLaunch::new(split.list.arg(), parts),
                search.next_arg(),
            );
        }
        search.swap_lists();
        Ok(1)
    }
}
