//! Strategies that look at the whole graph in every turn (Verstraaten et al.): at each vertex
//! (`topology`, `pull`, `virtual-warp`) or at each edge (`edge-topology`, `edge-reverse`).

use cubecl::prelude::*;
use equipoise_schedule::device::GpuRuntime;
use equipoise_schedule::{input::Input, ranges::*};

use super::super::{
    field::*,
    graph::{DeviceRows, ends_arg},
    metric::*,
    metric_on::MetricOn,
    search::{Listed, Search, UNITS},
    tally::Tally,
};
use crate::{Count, NONE, Result};

/// `topology`: a unit for each vertex; those of the frontier go along their edges.
#[cube(launch_unchecked)]
pub(crate) fn push_vertices<M: Metric>(
    rows: &Rows,
    field: &mut Field<M>,
    total: &mut Array<Atomic<u32>>,
    vertices: u32,
    #[comptime] count: Count,
) {
    let mut tally = Tally::new();
    for vertex in grid_stride_range(0, vertices) {
        if field.is_active(vertex) {
            let label = field.label(vertex);
            let (begin, end) = (rows.offsets[vertex as usize], rows.offsets[(vertex + 1) as usize]);
            for edge in begin..end {
                if field.reach(label, edge, rows.targets[edge as usize]) {
                    tally.count(total, count);
                }
            }
        }
    }
    tally.finish(total, count);
}

/// `pull`: a unit for each vertex; those not reached look for a neighbour in the frontier, among
/// the edges that enter them, up to the first.
#[cube(launch_unchecked)]
pub(crate) fn pull_vertices(
    entering: &Rows,
    labels: &mut Array<u32>,
    total: &mut Array<Atomic<u32>>,
    vertices: u32,
    level: u32,
    #[comptime] count: Count,
) {
    let mut tally = Tally::new();
    let mut looked = 0u32;
    for vertex in grid_stride_range(0, vertices) {
        if labels[vertex as usize] == NONE {
            let end = entering.offsets[(vertex + 1) as usize];
            let mut edge = entering.offsets[vertex as usize];
            let mut found = false;
            while edge < end && !found {
                found = labels[entering.targets[edge as usize] as usize] == level;
                edge += 1;
            }
            looked += edge - entering.offsets[vertex as usize];
            // Others look for `level` only, so that they may see this or not.
            if found {
                labels[vertex as usize] = level + 1;
                tally.count(total, count);
            }
        }
    }
    tally.finish(total, count);
    // How many edges were looked at, a plane at a time.
    let of_plane = plane_sum(looked);
    if UNIT_POS_PLANE == 0 {
        total[1].fetch_add(of_plane);
    }
}

/// `virtual-warp`: groups of `group` units have as many vertices, and go along the edges of one
/// after the other together.
#[cube(launch_unchecked)]
pub(crate) fn push_in_groups<M: Metric>(
    rows: &Rows,
    field: &mut Field<M>,
    total: &mut Array<Atomic<u32>>,
    vertices: u32,
    #[comptime] group: u32,
    #[comptime] count: Count,
) {
    let mut tally = Tally::new();
    let lane = UNIT_POS % group;
    for own in grid_stride_range(0, vertices.div_ceil(group) * group) {
        let first = own - lane;
        for vertex in first..min(first + group, vertices) {
            if field.is_active(vertex) {
                let label = field.label(vertex);
                let begin = rows.offsets[vertex as usize] + lane;
                for edge in step_range(begin, rows.offsets[(vertex + 1) as usize], group) {
                    if field.reach(label, edge, rows.targets[edge as usize]) {
                        tally.count(total, count);
                    }
                }
            }
        }
    }
    tally.finish(total, count);
}

/// Edges in coordinate form.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Ends {
    /// Where each starts.
    pub origins: Input<u32>,
    /// Where each leads.
    pub targets: Input<u32>,
    /// How many there are.
    pub count: u32,
}

/// `edge-topology`, with the edges in the order of where they start, and `edge-reverse`, of where
/// they lead: a unit for each edge; those that start in the frontier are gone along.
///
/// With `unreached_only`, as edge-reverse has it, an edge first looks whether it leads to a vertex
/// that has no label yet.
#[cube(launch_unchecked)]
pub(crate) fn push_edges<M: Metric>(
    ends: &Ends,
    field: &mut Field<M>,
    total: &mut Array<Atomic<u32>>,
    #[comptime] unreached_only: bool,
    #[comptime] count: Count,
) {
    let mut tally = Tally::new();
    for edge in grid_stride_range(0, ends.count) {
        let target = ends.targets[edge as usize];
        let mut wanted = true;
        if comptime!(unreached_only) {
            wanted = field.label(target) == NONE;
        }
        if wanted {
            let origin = ends.origins[edge as usize];
            if field.is_active(origin) {
                let label = field.label(origin);
                if field.reach(label, edge, target) {
                    tally.count(total, count);
                }
            }
        }
    }
    tally.finish(total, count);
}

impl<M: MetricOn> Search<'_, M> {
    pub(in crate::traverse::gpu) fn topology(&mut self) {
        let vertices = self.graph.vertices();
        // SAFETY: there is a label and an offset for each vertex.
        unsafe {
            push_vertices::launch_unchecked::<M, GpuRuntime>(
                self.gpu.client(),
                self.cubes(vertices),
                CubeDim::new_1d(UNITS),
                self.graph.leaving.arg(),
                self.field(),
                self.found.arg(),
                vertices,
                self.settings.count,
            );
        }
        self.listed = Listed::Nothing;
    }

    pub(in crate::traverse::gpu) fn pull(&mut self) -> Result<()> {
        let vertices = self.graph.vertices();
        // SAFETY: there is a label and an offset for each vertex.
        unsafe {
            pull_vertices::launch_unchecked::<GpuRuntime>(
                self.gpu.client(),
                self.cubes(vertices),
                CubeDim::new_1d(UNITS),
                self.graph.entering()?.arg(),
                self.labels.arg(),
                self.found.arg(),
                vertices,
                self.turn,
                self.settings.count,
            );
        }
        self.listed = Listed::Nothing;
        Ok(())
    }

    pub(in crate::traverse::gpu) fn virtual_warp(&mut self) {
        let vertices = self.graph.vertices();
        // SAFETY: there is a label and an offset for each vertex.
        unsafe {
            push_in_groups::launch_unchecked::<M, GpuRuntime>(
                self.gpu.client(),
                self.cubes(vertices),
                CubeDim::new_1d(UNITS),
                self.graph.leaving.arg(),
                self.field(),
                self.found.arg(),
                vertices,
                self.settings.group,
                self.settings.count,
            );
        }
        self.listed = Listed::Nothing;
    }

    pub(in crate::traverse::gpu) fn edge_topology(&mut self) -> Result<()> {
        let rows = &self.graph.leaving;
        let origins = rows.origins(self.gpu, self.graph.graph)?;
        self.whole_edges(rows, ends_arg(origins, &rows.targets), false);
        Ok(())
    }

    pub(in crate::traverse::gpu) fn edge_reverse(&mut self) -> Result<()> {
        let rows = self.graph.entering()?;
        let entered = rows.origins(self.gpu, self.graph.graph.transpose()?)?;
        self.whole_edges(rows, ends_arg(&rows.targets, entered), !M::REPEATS);
        Ok(())
    }

    fn whole_edges(
        &mut self,
        rows: &DeviceRows,
        ends: EndsLaunch<GpuRuntime>,
        unreached_only: bool,
    ) {
        let edges = rows.edges();
        // SAFETY: both ends of each edge are vertices, and there is a label for each.
        unsafe {
            push_edges::launch_unchecked::<M, GpuRuntime>(
                self.gpu.client(),
                self.cubes(edges),
                CubeDim::new_1d(UNITS),
                ends,
                self.field_along(rows, self.turn),
                self.found.arg(),
                unreached_only,
                self.settings.count,
            );
        }
        self.listed = Listed::Nothing;
    }
}
