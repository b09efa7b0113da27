//! `edge`: a unit for each edge of a worklist of edges (Raval et al., EP).
//!
//! A vertex that is found puts all its edges into the next worklist. With work chunking it takes
//! room for all of them at once, otherwise for one at a time. Since a vertex is told only once a
//! turn that it was found, no edge is in a list twice, and a list never has more than the graph.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    ranges::*,
};

use super::{
    super::{
        field::*,
        graph::ends_arg,
        metric::*,
        metric_on::MetricOn,
        search::{Listed, Search, UNITS, field_arg},
    },
    whole::Ends,
};
use crate::Result;

/// Goes along the edges of a list, and lists those of the vertices found; `found` counts these.
#[cube(launch_unchecked)]
pub(crate) fn push_listed_edges<M: Metric>(
    offsets: &Array<u32>,
    ends: &Ends,
    field: &mut Field<M>,
    list: &ThisList,
    next: &mut NextList,
    found: &mut Array<Atomic<u32>>,
    #[comptime] chunks: bool,
) {
    for index in grid_stride_range(0, list.count) {
        let edge = list.vertices[index as usize];
        let label = field.label(ends.origins[edge as usize]);
        let target = ends.targets[edge as usize];
        if field.reach(label, edge, target) {
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

/// Room for lists of edges.
pub(in crate::traverse::gpu) struct EdgeLists {
    pub this: Buffer<u32>,
    next: Buffer<u32>,
}

impl<M: MetricOn> Search<'_, M> {
    pub(in crate::traverse::gpu) fn edge(&mut self) -> Result<()> {
        let count = self.list_edges()?;
        let rows = &self.graph.leaving;
        let origins = rows.origins(self.gpu, self.graph.graph)?;
        let Some(lists) = &mut self.edge_lists else { return Ok(()) };
        // SAFETY: the list has `count` edges, and the next one room for all of the graph, of which
        // none is listed twice.
        unsafe {
            push_listed_edges::launch_unchecked::<M, GpuRuntime>(
                self.gpu.client(),
                self.gpu.cubes(u64::from(count).div_ceil(u64::from(UNITS))),
                CubeDim::new_1d(UNITS),
                rows.offsets.arg(),
                ends_arg(origins, &rows.targets),
                field_arg::<M>(rows, &self.labels, &self.turns, self.turn),
                ThisListLaunch::new(lists.this.arg(), count),
                NextListLaunch::new(lists.next.arg(), self.count.arg()),
                self.found.arg(),
                !self.settings.no_chunking,
            );
        }
        std::mem::swap(&mut lists.this, &mut lists.next);
        Ok(())
    }

    /// Makes room for lists of edges, unless it is there.
    pub(in crate::traverse::gpu) fn prepare_edges(&mut self) -> Result<()> {
        if self.edge_lists.is_none() {
            let edges = self.graph.edges() as usize;
            let (this, next) = (self.gpu.empty(edges)?, self.gpu.empty(edges)?);
            self.edge_lists = Some(EdgeLists { this, next });
        }
        Ok(())
    }

    /// Makes a list of the frontier's edges, unless it is there.
    fn list_edges(&mut self) -> Result<u32> {
        self.prepare_edges()?;
        if let Listed::Edges(count) = self.listed {
            return Ok(count);
        }
        let count = self.list_vertices()?;
        if let Some(lists) = &self.edge_lists {
            // SAFETY: the list has `count` vertices, and that of edges has room for all.
            unsafe {
                list_edges_of::launch_unchecked::<GpuRuntime>(
                    self.gpu.client(),
                    self.cubes(count),
                    CubeDim::new_1d(UNITS),
                    self.graph.leaving.offsets.arg(),
                    self.this_arg(count),
                    NextListLaunch::new(lists.this.arg(), self.count.arg()),
                    !self.settings.no_chunking,
                );
            }
        }
        self.gpu.fill(&self.count, 0)?;
        self.listed = Listed::Edges(self.frontier.edges);
        Ok(self.frontier.edges)
    }
}
