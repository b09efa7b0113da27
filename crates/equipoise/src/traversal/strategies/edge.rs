//! `edge`: a unit for each edge of a worklist of edges (Raval et al., EP).
//!
//! A vertex that is found puts all its edges into the next worklist. With work chunking it takes
//! room for all of them at once, otherwise for one at a time. Since a vertex joins once an
//! iteration, no edge is in a list twice, and a list never has more than the graph.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    engine::*,
    ranges::*,
};

use super::{
    super::{
        field::*,
        graph::{OnGraph, ends_arg},
        iteration::{Listed, Search, UNITS},
    },
    Iterate, Sizes,
    whole::Ends,
};
use crate::{Result, traversal::Strategy};

/// Relaxes the edges of a list, and lists those of the vertices found; `found` counts these.
#[cube(launch_unchecked)]
pub(crate) fn push_listed_edges<Op: SearchOp>(
    offsets: &Array<u32>,
    ends: &Ends,
    field: &mut Field<Op>,
    list: &ThisList,
    next: &mut NextList,
    found: &mut Array<Atomic<u32>>,
    #[comptime] chunks: bool,
) {
    for index in grid_stride_range(0, list.count) {
        let edge = list.vertices[index as usize];
        let label = field.label(ends.origins[edge as usize]);
        let target = ends.targets[edge as usize];
        if field.relax(label, edge, target) {
            found[0].fetch_add(1u32);
            list_edges(offsets, target, next, chunks);
        }
    }
}

/// Lists the edges of all vertices of a list.
#[cube(launch_unchecked)]
pub(crate) fn list_edges_of(
    offsets: &Array<u32>,
    list: &ThisList,
    next: &mut NextList,
    #[comptime] chunks: bool,
) {
    for index in grid_stride_range(0, list.count) {
        list_edges(offsets, list.vertices[index as usize], next, chunks);
    }
}

#[cube]
fn list_edges(offsets: &Array<u32>, vertex: u32, next: &mut NextList, #[comptime] chunks: bool) {
    let (begin, end) = (offsets[vertex as usize], offsets[(vertex + 1) as usize]);
    if comptime!(chunks) {
        if begin < end {
            let place = next.count[0].fetch_add(end - begin);
            for edge in begin..end {
                next.vertices[(place + edge - begin) as usize] = edge;
            }
        }
    } else {
        for edge in begin..end {
            next.add(edge);
        }
    }
}

/// A unit for each edge of the worklist, with room for two lists of edges.
#[derive(Default)]
pub(super) struct EdgeList {
    lists: Option<[Buffer<u32>; 2]>,
}

impl EdgeList {
    /// Makes room for lists of edges, unless it is there.
    fn lists<Op: OnGraph>(&mut self, search: &Search<Op>) -> Result<&mut [Buffer<u32>; 2]> {
        let lists = match self.lists.take() {
            Some(lists) => lists,
            None => {
                let edges = search.graph.edges() as usize;
                [search.gpu().empty(edges)?, search.gpu().empty(edges)?]
            }
        };
        Ok(self.lists.insert(lists))
    }

    /// Makes a list of the frontier's edges, unless it is there. How many it has.
    fn list_edges<Op: OnGraph>(&mut self, search: &mut Search<Op>) -> Result<u32> {
        if let Listed::Own(Strategy::Edge, count) = search.listed {
            return Ok(count);
        }
        let count = search.list_vertices()?;
        let [this, _] = self.lists(search)?;
        // SAFETY: the list has `count` vertices, and that of edges has room for all.
        unsafe {
            list_edges_of::launch_unchecked::<GpuRuntime>(
                search.gpu().client(),
                search.cubes(count),
                CubeDim::new_1d(UNITS),
                search.graph.leaving.offsets.arg(),
                search.this_arg(count),
                NextListLaunch::new(this.arg(), search.lists.count.arg()),
                !search.settings.no_chunking,
            );
        }
        search.gpu().fill(&search.lists.count, 0)?;
        search.listed = Listed::Own(Strategy::Edge, search.frontier.edges);
        Ok(search.frontier.edges)
    }
}

impl<'g, Op: OnGraph> Iterate<'g, Op> for EdgeList {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::Edge]
    }

    fn words(&self, _: Strategy, graph: &Sizes) -> u64 {
        graph.edges + 2 * graph.edges
    }

    fn prepare(&mut self, _: Strategy, search: &Search<'g, Op>) -> Result<()> {
        search.graph.leaving.origins(search.gpu(), search.graph.graph)?;
        self.lists(search).map(drop)
    }

    fn launch(&mut self, _: Strategy, search: &mut Search<'g, Op>) -> Result<u32> {
        let count = self.list_edges(search)?;
        let rows = &search.graph.leaving;
        let origins = rows.origins(search.gpu(), search.graph.graph)?;
        let [this, next] = self.lists(search)?;
        // SAFETY: the list has `count` edges, and the next one room for all of the graph, of which
        // none is listed twice.
        unsafe {
            push_listed_edges::launch_unchecked::<Op, GpuRuntime>(
                search.gpu().client(),
                search.cubes(count),
                CubeDim::new_1d(UNITS),
                rows.offsets.arg(),
                ends_arg(origins, &rows.targets),
                search.field(),
                ThisListLaunch::new(this.arg(), count),
                NextListLaunch::new(next.arg(), search.lists.count.arg()),
                search.found.arg(),
                !search.settings.no_chunking,
            );
        }
        std::mem::swap(this, next);
        Ok(1)
    }

    fn list(&self) -> Option<&Buffer<u32>> {
        self.lists.as_ref().map(|[this, _]| this)
    }
}
