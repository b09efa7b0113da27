//! `edge`: a unit for each edge of a worklist of edges (Raval et al., EP).
//!
//! A vertex that is found appends all its edges to the next worklist: with work chunking by one atomic addition, otherwise
//! by one per edge. A vertex joins once per iteration, so that no edge is listed twice, and a list never has more edges
//! than the graph.
//!
//! In the paper's worklists edges occur several times, since several edges can improve a vertex one after the other. That
//! is an option, with or without condensing the list after each iteration.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    ranges::*,
};

use super::whole::{CooEdges, coo_arg};
use crate::{
    Result,
    traversal::{
        iteration::{GraphOp, GraphSizes, Iterate, Listed, SearchState, UNITS},
        options::{Strategy, WorklistDuplicates},
        vertex_labels::*,
    },
};

/// Relaxes the edges of a list, and lists the edges of the found vertices; `found` counts these vertices.
#[cube(launch_unchecked)]
pub(crate) fn push_listed_edges(
    offsets: &Array<u32>,
    coo: &CooEdges,
    labels: &mut VertexLabels,
    list: &ThisList,
    next: &mut NextList,
    found: &mut Array<Atomic<u32>>,
    #[comptime] chunks: bool,
    #[comptime] duplicates: bool,
) {
    for index in grid_stride_range(0, list.count) {
        let edge = list.vertices[index as usize];
        let label = labels.label(coo.origins[edge as usize]);
        let target = coo.targets[edge as usize];
        if labels.improve(label, edge, target) {
            let joins = labels.joins(target);
            if joins {
                found[0].fetch_add(1u32);
            }
            if joins || duplicates {
                list_edges(offsets, target, next, chunks);
            }
        }
    }
}

/// Removes duplicate edges from a list: `seen` has the last turn in which each edge was listed, counted from 1.
#[cube(launch_unchecked)]
pub(crate) fn condense(
    list: &ThisList,
    seen: &mut Array<Atomic<u32>>,
    condensed: &mut NextList,
    turn: u32,
) {
    for index in grid_stride_range(0, list.count) {
        let edge = list.vertices[index as usize];
        if seen[edge as usize].fetch_max(turn) < turn {
            condensed.add(edge);
        }
    }
}

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

/// Lists the edges of a vertex. Edges beyond the end of the list are only counted.
#[cube]
fn list_edges(offsets: &Array<u32>, vertex: u32, next: &mut NextList, #[comptime] chunks: bool) {
    let (begin, end) = (offsets[vertex as usize], offsets[(vertex + 1) as usize]);
    if comptime!(chunks) {
        if begin < end {
            let index = next.count[0].fetch_add(end - begin);
            let room = next.vertices.len() as u32;
            let last = begin + min(end - begin, room - min(index, room));
            for edge in begin..last {
                next.vertices[(index + edge - begin) as usize] = edge;
            }
        }
    } else {
        for edge in begin..end {
            let index = next.count[0].fetch_add(1u32);
            if index < next.vertices.len() as u32 {
                next.vertices[index as usize] = edge;
            }
        }
    }
}

/// The length of worklists with duplicates, as a multiple of the number of edges.
const ROOM: u64 = 2;

/// Two worklists of edges.
struct EdgeLists {
    this: Buffer<u32>,
    next: Buffer<u32>,
    /// The turn in which each edge was last listed, where lists are condensed.
    seen: Buffer<u32>,
    turn: u32,
}

#[derive(Default)]
pub(super) struct EdgeList {
    lists: Option<EdgeLists>,
}

/// The words of each list, and of condensing.
fn words(edges: u64, duplicates: WorklistDuplicates) -> (u64, u64) {
    match duplicates {
        WorklistDuplicates::None => (edges, 0),
        WorklistDuplicates::Keep => (ROOM * edges, 0),
        WorklistDuplicates::Condense => (ROOM * edges, edges),
    }
}

impl EdgeList {
    /// The lists, allocated on first use and when the settings need longer ones.
    fn lists<Op: GraphOp>(&mut self, search: &SearchState<Op>) -> Result<&mut EdgeLists> {
        let edges = u64::from(search.graph.edges());
        let (each, seen) = words(edges, search.settings.worklist_duplicates);
        let fits =
            |lists: &EdgeLists| lists.this.len() as u64 >= each && lists.seen.len() as u64 >= seen;
        let lists = match self.lists.take() {
            Some(lists) if fits(&lists) => lists,
            _ => EdgeLists {
                this: search.gpu().empty(each as usize)?,
                next: search.gpu().empty(each as usize)?,
                seen: search.gpu().filled(seen as usize, 0)?,
                turn: 0,
            },
        };
        Ok(self.lists.insert(lists))
    }

    /// Lists the frontier's edges, unless they are listed. Returns their number.
    fn list_edges<Op: GraphOp>(&mut self, search: &mut SearchState<Op>) -> Result<u32> {
        if let Listed::Own(Strategy::Edge, count) = search.listed {
            return Ok(count);
        }
        let count = search.list_vertices()?;
        let EdgeLists { this, .. } = self.lists(search)?;
        // SAFETY: the list has `count` vertices, and no edge is written beyond the end of the list.
        unsafe {
            list_edges_of::launch_unchecked::<GpuRuntime>(
                search.gpu().client(),
                search.cubes(count),
                CubeDim::new_1d(UNITS),
                search.rows.offsets.arg(),
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

impl EdgeLists {
    /// Makes the next list this one, without duplicates if lists are condensed. A list that has overflowed is rebuilt from
    /// the vertices.
    fn finish<Op: GraphOp>(
        &mut self,
        search: &mut SearchState<Op>,
        duplicates: WorklistDuplicates,
    ) -> Result<()> {
        let gpu = search.gpu();
        let count: u32 = gpu.download(&search.lists.count)?.iter().sum();
        if count as usize > self.next.len() {
            search.listed = Listed::Nothing;
            return Ok(());
        }
        if duplicates == WorklistDuplicates::Keep {
            std::mem::swap(&mut self.this, &mut self.next);
            return Ok(());
        }
        gpu.fill(&search.lists.count, 0)?;
        self.turn += 1;
        // SAFETY: the list has `count` edges, and the condensed one has room for each edge of the graph.
        unsafe {
            condense::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                search.cubes(count),
                CubeDim::new_1d(UNITS),
                ThisListLaunch::new(self.next.arg(), count),
                self.seen.arg(),
                NextListLaunch::new(self.this.arg(), search.lists.count.arg()),
                self.turn,
            );
        }
        Ok(())
    }
}

impl<'g, Op: GraphOp> Iterate<'g, Op> for EdgeList {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::Edge]
    }

    fn words(&self, _: Strategy, sizes: &GraphSizes) -> u64 {
        let (each, seen) = words(sizes.edges, sizes.settings.worklist_duplicates);
        sizes.edges + 2 * each + seen
    }

    fn prepare(&mut self, _: Strategy, search: &SearchState<'g, Op>) -> Result<()> {
        search.rows.origins(search.gpu(), search.graph.graph)?;
        self.lists(search).map(drop)
    }

    fn launch(&mut self, _: Strategy, search: &mut SearchState<'g, Op>) -> Result<u32> {
        let count = self.list_edges(search)?;
        let duplicates = search.settings.worklist_duplicates;
        let rows = search.rows;
        let origins = rows.origins(search.gpu(), search.graph.graph)?;
        let lists = self.lists(search)?;
        // SAFETY: the list has `count` edges, and no edge is written beyond the end of the next one.
        unsafe {
            push_listed_edges::launch_unchecked::<GpuRuntime>(
                search.gpu().client(),
                search.cubes(count),
                CubeDim::new_1d(UNITS),
                rows.offsets.arg(),
                coo_arg(origins, &rows.targets),
                search.labels_arg(),
                ThisListLaunch::new(lists.this.arg(), count),
                NextListLaunch::new(lists.next.arg(), search.lists.count.arg()),
                search.found.arg(),
                !search.settings.no_chunking,
                duplicates != WorklistDuplicates::None,
            );
        }
        match duplicates {
            WorklistDuplicates::None => std::mem::swap(&mut lists.this, &mut lists.next),
            _ => search.as_overhead(|search| lists.finish(search, duplicates))?,
        }
        Ok(1)
    }

    fn list(&self) -> Option<&Buffer<u32>> {
        self.lists.as_ref().map(|lists| &lists.this)
    }

    fn forget(&mut self) {
        self.lists = None;
    }
}
