//! `split`: vertices of many edges are split beforehand into even parts, a unit a part (Raval et
//! al., NS).
//!
//! Edges lead to vertices, not to their parts, and a part has a label of its own. Before each
//! iteration the vertices that were found tell theirs to their parts: a step with a time of its own.
//!
//! The edges of a vertex may be shared so because relaxing distributes over them: a label is the
//! least of what all edges offer, in whatever order and by whichever unit. That is so for every
//! [`SearchOp`], whose labels only ever get smaller.

use cubecl::prelude::*;
use equipoise_graph::Graph;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    engine::*,
    input::Input,
    primitives,
    ranges::*,
};
use rayon::prelude::*;

use super::{
    super::{
        field::*,
        graph::OnGraph,
        iteration::{Search, UNITS},
    },
    Iterate, Sizes,
};
use crate::{Result, traversal::Strategy};

/// The parts of all vertices.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Parts {
    /// The first part of each vertex, and the number of all.
    pub firsts: Input<u32>,
    /// Where the edges of each part start, and where the last one's end.
    pub offsets: Input<u32>,
    /// The label of each part.
    pub labels: Array<u32>,
}

/// Counts the parts of each vertex: as few as have at most `most` edges.
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
        let (rank, own) = (part - first, firsts[(vertex + 1) as usize] - first);
        let begin = rows.offsets[vertex as usize];
        let degree = rows.offsets[(vertex + 1) as usize] - begin;
        // The first parts have one edge more, if it does not come out even.
        offsets[part as usize] = begin + rank * (degree / own) + min(rank, degree % own);
    }
}

/// The vertex that a part is of.
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

/// Has the vertices of a list tell their labels to their parts, and lists these.
#[cube(launch_unchecked)]
pub(crate) fn tell_parts(parts: &mut Parts, field: &Field, list: &ThisList, listed: &mut NextList) {
    for index in grid_stride_range(0, list.count) {
        let vertex = list.vertices[index as usize];
        let label = field.label(vertex);
        let (begin, end) = (parts.firsts[vertex as usize], parts.firsts[(vertex + 1) as usize]);
        if begin < end {
            let place = listed.count[0].fetch_add(end - begin);
            for part in begin..end {
                parts.labels[part as usize] = label;
                listed.vertices[(place + part - begin) as usize] = part;
            }
        }
    }
}

/// Relaxes the edges of the parts in a list, and lists the vertices that are found.
#[cube(launch_unchecked)]
pub(crate) fn push_parts(
    targets: &Array<u32>,
    parts: &Parts,
    field: &mut Field,
    list: &ThisList,
    next: &mut NextList,
) {
    for index in grid_stride_range(0, list.count) {
        let part = list.vertices[index as usize] as usize;
        let label = parts.labels[part];
        for edge in parts.offsets[part]..parts.offsets[part + 1] {
            let target = targets[edge as usize];
            if field.relax(label, edge, target) {
                next.add(target);
            }
        }
    }
}

/// A graph whose large vertices are split, and room for a list of parts.
struct SplitGraph {
    firsts: Buffer<u32>,
    offsets: Buffer<u32>,
    labels: Buffer<u32>,
    list: Buffer<u32>,
    /// How many the list has.
    count: Buffer<u32>,
}

impl SplitGraph {
    /// Splits vertices with more than `most` edges into as few even parts as have no more.
    fn new<Op: OnGraph>(search: &Search<Op>, most: u32) -> Result<Self> {
        let (graph, gpu) = (search.graph, search.gpu());
        let vertices = graph.vertices();
        let counts = gpu.empty(vertices as usize)?;
        let (cubes, units) = (search.cubes(vertices), CubeDim::new_1d(UNITS));
        // SAFETY: there are a number and offsets for each vertex.
        unsafe {
            count_parts::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes,
                units,
                graph.leaving.arg(),
                counts.arg(),
                vertices,
                most,
            );
        }
        let firsts = primitives::offsets(gpu, &counts)?;
        let parts = parts_of(graph.graph, most) as u32;
        let offsets = gpu.empty(parts as usize + 1)?;
        // SAFETY: there is an offset for each part, and one more.
        unsafe {
            cut_parts::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                search.cubes(parts),
                units,
                graph.leaving.arg(),
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

    /// Has the first `count` vertices of the worklist tell their parts. How many these are.
    fn tell<Op: OnGraph>(&self, search: &Search<Op>, count: u32) -> Result<u32> {
        let gpu = search.gpu();
        gpu.fill(&self.count, 0)?;
        // SAFETY: the list has `count` vertices, none of them twice, and that of parts has room for all.
        unsafe {
            tell_parts::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                search.cubes(count),
                CubeDim::new_1d(UNITS),
                self.arg(),
                search.field(),
                search.this_arg(count),
                NextListLaunch::new(self.list.arg(), self.count.arg()),
            );
        }
        Ok(gpu.download(&self.count)?.iter().sum())
    }
}

/// How many parts a graph has of at most so many edges each: no more than it has edges.
fn parts_of(graph: &Graph, most: u32) -> u64 {
    let degrees = graph.csr().offsets().par_windows(2).map(|ends| ends[1] - ends[0]);
    degrees.map(|degree| degree.div_ceil(u64::from(most))).sum()
}

/// A unit for each part of a vertex.
#[derive(Default)]
pub(super) struct Split {
    graph: Option<SplitGraph>,
}

impl Split {
    /// Splits the graph, unless that was done.
    fn graph<Op: OnGraph>(&mut self, search: &Search<Op>) -> Result<&SplitGraph> {
        let graph = match self.graph.take() {
            Some(graph) => graph,
            None => SplitGraph::new(search, search.most_edges())?,
        };
        Ok(self.graph.insert(graph))
    }
}

impl<'g, Op: OnGraph> Iterate<'g, Op> for Split {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::Split]
    }

    fn words(&self, _: Strategy, graph: &Sizes) -> u64 {
        let parts = parts_of(graph.graph, graph.settings.most_edges(graph.graph));
        // While it is split, the numbers of parts and their sums are there, too.
        graph.sums() + 2 * graph.vertices + 3 * parts + 2
    }

    fn prepare(&mut self, _: Strategy, search: &Search<'g, Op>) -> Result<()> {
        self.graph(search).map(drop)
    }

    fn launch(&mut self, _: Strategy, search: &mut Search<'g, Op>) -> Result<u32> {
        let count = search.list_vertices()?;
        let split = self.graph(search)?;
        let parts = search.aside(|search| split.tell(search, count))?;
        // SAFETY: the list has so many parts, and the next one room for all vertices of the graph, of
        // which none joins twice.
        unsafe {
            push_parts::launch_unchecked::<GpuRuntime>(
                search.gpu().client(),
                search.cubes(parts),
                CubeDim::new_1d(UNITS),
                search.graph.leaving.targets.arg(),
                split.arg(),
                search.field(),
                ThisListLaunch::new(split.list.arg(), parts),
                search.next_arg(),
            );
        }
        search.swap_lists();
        Ok(1)
    }
}
