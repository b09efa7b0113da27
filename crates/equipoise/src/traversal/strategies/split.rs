//! `split`: vertices of many edges are split beforehand into even parts, a unit a part (Raval et
//! al., NS).
//!
//! The parts of a vertex mirror it: they read its label, and when it is found, all of them are put
//! into the worklist.

use cubecl::prelude::*;
use equipoise_graph::Graph;
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
    input::Input,
    ranges::*,
};

use super::{
    super::{
        field::*,
        graph::OnGraph,
        iteration::{Listed, Search, UNITS},
    },
    Iterate, Sizes,
};
use crate::{Result, traversal::Strategy};

/// The parts of all vertices.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Parts {
    /// The first part of each vertex, and the number of all.
    pub firsts: Input<u32>,
    /// The vertex of each part.
    pub vertices: Input<u32>,
    /// Where the edges of each part start, and where the last one's end.
    pub offsets: Input<u32>,
}

/// Relaxes the edges of the parts in a list, and lists those of the vertices found; `found`
/// counts these.
#[cube(launch_unchecked)]
pub(crate) fn push_parts<Op: SearchOp>(
    targets: &Array<u32>,
    parts: &Parts,
    field: &mut Field<Op>,
    list: &ThisList,
    next: &mut NextList,
    found: &mut Array<Atomic<u32>>,
) {
    for index in grid_stride_range(0, list.count) {
        let part = list.vertices[index as usize];
        let label = field.label(parts.vertices[part as usize]);
        let (begin, end) = (parts.offsets[part as usize], parts.offsets[(part + 1) as usize]);
        for edge in begin..end {
            let target = targets[edge as usize];
            if field.relax(label, edge, target) {
                found[0].fetch_add(1u32);
                list_parts(parts, target, next);
            }
        }
    }
}

/// Lists the parts of all vertices of a list.
#[cube(launch_unchecked)]
pub(crate) fn list_parts_of(parts: &Parts, list: &ThisList, next: &mut NextList) {
    for index in grid_stride_range(0, list.count) {
        list_parts(parts, list.vertices[index as usize], next);
    }
}

#[cube]
fn list_parts(parts: &Parts, vertex: u32, next: &mut NextList) {
    let (begin, end) = (parts.firsts[vertex as usize], parts.firsts[(vertex + 1) as usize]);
    if begin < end {
        let place = next.count[0].fetch_add(end - begin);
        for part in begin..end {
            next.vertices[(place + part - begin) as usize] = part;
        }
    }
}

/// A graph whose large vertices are split, and room for lists of parts.
struct SplitGraph {
    firsts: Buffer<u32>,
    vertices: Buffer<u32>,
    offsets: Buffer<u32>,
    this: Buffer<u32>,
    next: Buffer<u32>,
}

impl SplitGraph {
    /// Splits vertices with more than `most` edges into as few even parts as have no more.
    fn new(gpu: &Gpu, graph: &Graph, most: u32) -> Result<Self> {
        let (mut firsts, mut vertices, mut offsets) = (vec![0], Vec::new(), vec![0]);
        for (vertex, ends) in (0u32..).zip(graph.csr().offsets().windows(2)) {
            let degree = ends[1] - ends[0];
            let parts = degree.div_ceil(u64::from(most));
            for part in 1..=parts {
                vertices.push(vertex);
                offsets.push((ends[0] + degree * part / parts) as u32);
            }
            firsts.push(vertices.len() as u32);
        }
        let parts = vertices.len();
        Ok(Self {
            firsts: gpu.upload(&firsts)?,
            vertices: gpu.upload(&vertices)?,
            offsets: gpu.upload(&offsets)?,
            this: gpu.empty(parts)?,
            next: gpu.empty(parts)?,
        })
    }

    fn arg(&self) -> PartsLaunch<GpuRuntime> {
        PartsLaunch::new(self.firsts.arg(), self.vertices.arg(), self.offsets.arg())
    }
}

/// A unit for each part of a vertex.
#[derive(Default)]
pub(super) struct Split {
    graph: Option<SplitGraph>,
}

impl Split {
    /// Splits the graph, unless that was done.
    fn graph<Op: OnGraph>(&mut self, search: &Search<Op>) -> Result<&mut SplitGraph> {
        let graph = match self.graph.take() {
            Some(graph) => graph,
            None => SplitGraph::new(search.gpu(), search.graph.graph, search.most_edges())?,
        };
        Ok(self.graph.insert(graph))
    }

    /// Makes a list of the parts of the frontier's vertices, unless it is there. How many it has.
    fn list_parts<Op: OnGraph>(&mut self, search: &mut Search<Op>) -> Result<u32> {
        if let Listed::Own(Strategy::Split, count) = search.listed {
            return Ok(count);
        }
        let count = search.list_vertices()?;
        let split = self.graph(search)?;
        // SAFETY: the list has `count` vertices, and that of parts has room for all.
        unsafe {
            list_parts_of::launch_unchecked::<GpuRuntime>(
                search.gpu().client(),
                search.cubes(count),
                CubeDim::new_1d(UNITS),
                split.arg(),
                search.this_arg(count),
                NextListLaunch::new(split.this.arg(), search.lists.count.arg()),
            );
        }
        let listed = search.gpu().download(&search.lists.count)?.iter().sum();
        search.gpu().fill(&search.lists.count, 0)?;
        search.listed = Listed::Own(Strategy::Split, listed);
        Ok(listed)
    }
}

impl<'g, Op: OnGraph> Iterate<'g, Op> for Split {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::Split]
    }

    fn words(&self, _: Strategy, graph: &Sizes) -> u64 {
        let most = u64::from(graph.settings.most_edges(graph.graph));
        let degrees = graph.graph.csr().offsets().windows(2).map(|ends| ends[1] - ends[0]);
        let parts: u64 = degrees.map(|degree| degree.div_ceil(most)).sum();
        graph.vertices + 1 + parts + parts + 1 + 2 * parts
    }

    fn prepare(&mut self, _: Strategy, search: &Search<'g, Op>) -> Result<()> {
        self.graph(search).map(drop)
    }

    fn launch(&mut self, _: Strategy, search: &mut Search<'g, Op>) -> Result<u32> {
        let count = self.list_parts(search)?;
        let split = self.graph(search)?;
        // SAFETY: the list has `count` parts, and the next one room for all of the graph, of which
        // none is listed twice.
        unsafe {
            push_parts::launch_unchecked::<Op, GpuRuntime>(
                search.gpu().client(),
                search.cubes(count),
                CubeDim::new_1d(UNITS),
                search.graph.leaving.targets.arg(),
                split.arg(),
                search.field(),
                ThisListLaunch::new(split.this.arg(), count),
                NextListLaunch::new(split.next.arg(), search.lists.count.arg()),
                search.found.arg(),
            );
        }
        std::mem::swap(&mut split.this, &mut split.next);
        Ok(1)
    }

    fn list(&self) -> Option<&Buffer<u32>> {
        self.graph.as_ref().map(|split| &split.this)
    }
}
