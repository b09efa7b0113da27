//! `edge`: a unit for each edge of a worklist of edges (Raval et al., EP).
//!
//! A vertex that is found puts all its edges into the next worklist. With work chunking it takes
//! room for all of them at once, otherwise for one at a time. A vertex joins once an iteration, so that
//! no edge is in a list twice, and a list never has more than the graph.
//!
//! The paper's worklists do have edges twice, since several edges can improve a vertex one after the other:
//! they can be had as well, and then the list is condensed after each iteration, or not.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
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
use crate::{
    Result,
    traversal::{Strategy, WorklistDuplicates},
};

/// Relaxes the edges of a list, and lists those of the vertices found; `found` counts these.
#[cube(launch_unchecked)]
pub(crate) fn push_listed_edges(
    offsets: &Array<u32>,
    ends: &Ends,
    field: &mut Field,
    list: &ThisList,
    next: &mut NextList,
    found: &mut Array<Atomic<u32>>,
    #[comptime] chunks: bool,
    #[comptime] duplicates: bool,
) {
    for index in grid_stride_range(0, list.count) {
        let edge = list.vertices[index as usize];
        let label = field.label(ends.origins[edge as usize]);
        let target = ends.targets[edge as usize];
        if field.improve(label, edge, target) {
            let joins = field.joins(target);
            if joins {
                found[0].fetch_add(1u32);
            }
            if joins || duplicates {
                list_edges(offsets, target, next, chunks);
            }
        }
    }
}

/// Lists each edge of a list once: `seen` has the last turn in which each edge was listed, counted
/// from 1.
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

/// Lists the edges of a vertex. Where a list has no room for them, they are only counted.
#[cube]
fn list_edges(offsets: &Array<u32>, vertex: u32, next: &mut NextList, #[comptime] chunks: bool) {
    let (begin, end) = (offsets[vertex as usize], offsets[(vertex + 1) as usize]);
    if comptime!(chunks) {
        if begin < end {
            let place = next.count[0].fetch_add(end - begin);
            let room = next.vertices.len() as u32;
            let last = begin + min(end - begin, room - min(place, room));
            for edge in begin..last {
                next.vertices[(place + edge - begin) as usize] = edge;
            }
        }
    } else {
        for edge in begin..end {
            let place = next.count[0].fetch_add(1u32);
            if place < next.vertices.len() as u32 {
                next.vertices[place as usize] = edge;
            }
        }
    }
}

/// The worklists that have edges twice have room for so many times the graph's.
const ROOM: u64 = 2;

/// Room for worklists of edges.
struct Lists {
    this: Buffer<u32>,
    next: Buffer<u32>,
    /// In which turn each edge was last listed, where lists are condensed.
    seen: Buffer<u32>,
    turn: u32,
}

/// A unit for each edge of the worklist, with room for two lists of edges.
#[derive(Default)]
pub(super) struct EdgeList {
    lists: Option<Lists>,
}

/// The words of each list, and of what condensing takes.
fn words(edges: u64, duplicates: WorklistDuplicates) -> (u64, u64) {
    match duplicates {
        WorklistDuplicates::None => (edges, 0),
        WorklistDuplicates::Keep => (ROOM * edges, 0),
        WorklistDuplicates::Condense => (ROOM * edges, edges),
    }
}

impl EdgeList {
    /// Makes room for lists of edges, unless it is there.
    fn lists<Op: OnGraph>(&mut self, search: &Search<Op>) -> Result<&mut Lists> {
        let edges = u64::from(search.graph.edges());
        let (each, seen) = words(edges, search.settings.worklist_duplicates);
        let fits =
            |lists: &Lists| lists.this.len() as u64 >= each && lists.seen.len() as u64 >= seen;
        let lists = match self.lists.take() {
            Some(lists) if fits(&lists) => lists,
            _ => Lists {
                this: search.gpu().empty(each as usize)?,
                next: search.gpu().empty(each as usize)?,
                seen: search.gpu().filled(seen as usize, 0)?,
                turn: 0,
            },
        };
        Ok(self.lists.insert(lists))
    }

    /// Makes a list of the frontier's edges, unless it is there. How many it has.
    fn list_edges<Op: OnGraph>(&mut self, search: &mut Search<Op>) -> Result<u32> {
        if let Listed::Own(Strategy::Edge, count) = search.listed {
            return Ok(count);
        }
        let count = search.list_vertices()?;
        let Lists { this, .. } = self.lists(search)?;
        // SAFETY: the list has `count` vertices, and no more is written than has room.
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

impl Lists {
    /// Takes edges that are twice in the next list out of it, which becomes this one. A list that has
    /// overflowed is made anew from the vertices.
    fn mend<Op: OnGraph>(
        &mut self,
        search: &mut Search<Op>,
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
        // SAFETY: the list has `count` edges, and each is seen once, for which there is room.
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

impl<'g, Op: OnGraph> Iterate<'g, Op> for EdgeList {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::Edge]
    }

    fn words(&self, _: Strategy, graph: &Sizes) -> u64 {
        let (each, seen) = words(graph.edges, graph.settings.worklist_duplicates);
        graph.edges + 2 * each + seen
    }

    fn prepare(&mut self, _: Strategy, search: &Search<'g, Op>) -> Result<()> {
        search.graph.leaving.origins(search.gpu(), search.graph.graph)?;
        self.lists(search).map(drop)
    }

    fn launch(&mut self, _: Strategy, search: &mut Search<'g, Op>) -> Result<u32> {
        let count = self.list_edges(search)?;
        let duplicates = search.settings.worklist_duplicates;
        let rows = &search.graph.leaving;
        let origins = rows.origins(search.gpu(), search.graph.graph)?;
        let lists = self.lists(search)?;
        // SAFETY: the list has `count` edges, and no more is written to the next one than has room.
        unsafe {
            push_listed_edges::launch_unchecked::<GpuRuntime>(
                search.gpu().client(),
                search.cubes(count),
                CubeDim::new_1d(UNITS),
                rows.offsets.arg(),
                ends_arg(origins, &rows.targets),
                search.field(),
                ThisListLaunch::new(lists.this.arg(), count),
                NextListLaunch::new(lists.next.arg(), search.lists.count.arg()),
                search.found.arg(),
                !search.settings.no_chunking,
                duplicates != WorklistDuplicates::None,
            );
        }
        match duplicates {
            WorklistDuplicates::None => std::mem::swap(&mut lists.this, &mut lists.next),
            _ => search.aside(|search| lists.mend(search, duplicates))?,
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
