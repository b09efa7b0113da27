//! Whether a coloring is one, on the GPU that holds the graph.

use cubecl::prelude::*;
use equipoise_schedule::{engine::*, input::Input};

use super::Coloring;
use crate::{
    Result,
    device_check::{DeviceCheck, Wrong},
    gpu_graph::GpuGraph,
};

impl Coloring {
    /// Whether the colors keep the rules of [`verify`](Self::verify); `None` if only the host can check them. The host
    /// counts the colors, and the GPU looks at the edges.
    pub(super) fn passes_on(&self, graph: &GpuGraph) -> Result<Option<bool>> {
        self.check_range(graph.graph)?;
        self.check_count(graph.graph)?;
        let Some(check) = DeviceCheck::of_edges(graph, 1)? else { return Ok(None) };
        let colors = check.gpu().upload(&self.colors)?;
        let judge = || NeighborsOfColorLaunch::new(colors.arg(), check.wrong());
        // SAFETY: each vertex has a color, and edges lead to vertices.
        check.gather(&unsafe { Operation::<NeighborsOfColor>::unchecked(judge) })?;
        check.passed().map(Some)
    }
}

/// Counts the neighbours of each vertex that have its color.
#[derive(CubeType, CubeLaunch)]
struct NeighborsOfColor {
    colors: Input<u32>,
    wrong: Wrong,
}

impl GatherOpKind for NeighborsOfColor {}

#[cube]
impl GatherOp for NeighborsOfColor {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, _edge: u32) -> u32 {
        let is_same = self.colors[vertex as usize] == self.colors[neighbour as usize];
        u32::cast_from(is_same && neighbour != vertex)
    }

    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }

    fn apply(&mut self, vertex: u32, total: u32) {
        if total != 0 {
            self.wrong[0].fetch_min(vertex);
        }
    }
}
