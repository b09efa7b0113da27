//! `split`: vertices of many edges are split beforehand into even parts, a unit a part (Raval et
//! al., NS).
//!
//! The parts of a vertex mirror it: they read its label, and when it is found, all of them are put
//! into the worklist.

use cubecl::prelude::*;
use equipoise_graph::Graph;
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    input::Input,
    ranges::*,
};

use super::super::{
    field::*,
    metric::*,
    metric_on::MetricOn,
    search::{Listed, Search, UNITS, field_arg},
};
use crate::Result;

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

/// Goes along the edges of the parts in a list, and lists those of the vertices found; `found`
/// counts these.
#[cube(launch_unchecked)]
pub(crate) fn push_parts<M: Metric>(
    targets: &Array<u32>,
    parts: &Parts,
    field: &mut Field<M>,
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
            if field.reach(label, edge, target) {
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
pub(in crate::traverse::gpu) struct Split {
    firsts: Buffer<u32>,
    vertices: Buffer<u32>,
    offsets: Buffer<u32>,
    pub this: Buffer<u32>,
    next: Buffer<u32>,
}

impl Split {
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

impl<M: MetricOn> Search<'_, M> {
    pub(in crate::traverse::gpu) fn split(&mut self) -> Result<()> {
        let count = self.list_parts()?;
        let rows = &self.graph.leaving;
        let Some(split) = &mut self.split else { return Ok(()) };
        // SAFETY: the list has `count` parts, and the next one room for all of the graph, of which
        // none is listed twice.
        unsafe {
            push_parts::launch_unchecked::<M, GpuRuntime>(
                self.gpu.client(),
                self.gpu.cubes(u64::from(count).div_ceil(u64::from(UNITS))),
                CubeDim::new_1d(UNITS),
                rows.targets.arg(),
                split.arg(),
                field_arg::<M>(rows, &self.labels, &self.turns, self.turn),
                ThisListLaunch::new(split.this.arg(), count),
                NextListLaunch::new(split.next.arg(), self.count.arg()),
                self.found.arg(),
            );
        }
        std::mem::swap(&mut split.this, &mut split.next);
        Ok(())
    }

    /// Splits the graph, unless that was done.
    pub(in crate::traverse::gpu) fn prepare_parts(&mut self) -> Result<()> {
        if self.split.is_none() {
            self.split = Some(Split::new(self.gpu, self.graph.graph, self.most_edges())?);
        }
        Ok(())
    }

    /// Makes a list of the parts of the frontier's vertices, unless it is there.
    fn list_parts(&mut self) -> Result<u32> {
        self.prepare_parts()?;
        if let Listed::Parts(count) = self.listed {
            return Ok(count);
        }
        let count = self.list_vertices()?;
        if let Some(split) = &self.split {
            // SAFETY: the list has `count` vertices, and that of parts has room for all.
            unsafe {
                list_parts_of::launch_unchecked::<GpuRuntime>(
                    self.gpu.client(),
                    self.cubes(count),
                    CubeDim::new_1d(UNITS),
                    split.arg(),
                    self.this_arg(count),
                    NextListLaunch::new(split.this.arg(), self.count.arg()),
                );
            }
        }
        let listed = self.gpu.download(&self.count)?.iter().sum();
        self.gpu.fill(&self.count, 0)?;
        self.listed = Listed::Parts(listed);
        Ok(listed)
    }
}
