//! `two-phase`: costs, and costs being updated, in two launches a turn (Harish and Narayanan, as
//! corrected by Pathak et al.).
//!
//! Vertices whose cost was lowered offer it, plus a weight, to their neighbours' updating costs, by
//! an atomic minimum. In the second launch, every vertex takes over an updating cost that is lower.
//! A unit does `coarsening` vertices one after the other.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    ranges::*,
};

use super::super::{
    field::*,
    metric::*,
    metric_on::MetricOn,
    search::{Listed, Search, UNITS},
};
use crate::{NONE, Result};

/// Costs, and what they are to become.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Costs {
    /// The cost of each vertex.
    pub costs: Array<u32>,
    /// The cost it is to have.
    pub updating: Array<Atomic<u32>>,
    /// The same.
    pub updating_seen: Array<u32>,
    /// The last turn in which each vertex offers its cost, counted from 1.
    pub turns: Array<u32>,
}

/// Where another strategy was used before: updating costs are the costs.
#[cube(launch_unchecked)]
fn copy_costs(costs: &mut Costs, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        costs.updating_seen[vertex as usize] = costs.costs[vertex as usize];
    }
}

/// The first launch: the vertices of this turn offer their costs.
#[cube(launch_unchecked)]
pub(crate) fn offer<M: Metric>(
    rows: &Rows,
    metric: &M,
    costs: &mut Costs,
    vertices: u32,
    turn: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        if costs.turns[vertex as usize] == turn + 1 {
            let cost = costs.costs[vertex as usize];
            let (begin, end) = (rows.offsets[vertex as usize], rows.offsets[(vertex + 1) as usize]);
            for edge in begin..end {
                let target = rows.targets[edge as usize] as usize;
                let new = metric.along(cost, edge);
                if new < costs.updating_seen[target] {
                    costs.updating[target].fetch_min(new);
                }
            }
        }
    }
}

/// The second launch: every vertex takes over a lower cost, and will offer it; `found` counts them.
#[cube(launch_unchecked)]
pub(crate) fn take_over(
    costs: &mut Costs,
    found: &mut Array<Atomic<u32>>,
    vertices: u32,
    turn: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        let place = vertex as usize;
        let updating = costs.updating_seen[place];
        if updating < costs.costs[place] {
            costs.costs[place] = updating;
            costs.turns[place] = turn + 2;
            found[0].fetch_add(1u32);
        }
    }
}

/// The costs that are being updated, and the turns of vertices.
pub(in crate::traverse::gpu) struct Updating {
    costs: Buffer<u32>,
    /// The turn for which they are ready.
    turn: u32,
}

impl<M: MetricOn> Search<'_, M> {
    pub(in crate::traverse::gpu) fn two_phase(&mut self) -> Result<()> {
        let vertices = self.graph.vertices();
        let updating = match self.updating.take() {
            Some(updating) => updating,
            None => Updating { costs: self.gpu.empty(vertices as usize)?, turn: NONE },
        };
        let units = vertices.div_ceil(self.settings.coarsening);
        let costs = || {
            let Updating { costs, .. } = &updating;
            CostsLaunch::new(self.labels.arg(), costs.arg(), costs.arg(), self.turns.arg())
        };
        // SAFETY: there is a cost, an updating cost, a turn and an offset for each vertex.
        unsafe {
            if updating.turn != self.turn {
                copy_costs::launch_unchecked::<GpuRuntime>(
                    self.gpu.client(),
                    self.cubes(vertices),
                    CubeDim::new_1d(UNITS),
                    costs(),
                    vertices,
                );
            }
            offer::launch_unchecked::<M, GpuRuntime>(
                self.gpu.client(),
                self.cubes(units),
                CubeDim::new_1d(UNITS),
                self.graph.leaving.arg(),
                M::arg(&self.graph.leaving),
                costs(),
                vertices,
                self.turn,
            );
            take_over::launch_unchecked::<GpuRuntime>(
                self.gpu.client(),
                self.cubes(units),
                CubeDim::new_1d(UNITS),
                costs(),
                self.found.arg(),
                vertices,
                self.turn,
            );
        }
        self.updating = Some(Updating { turn: self.turn + 1, ..updating });
        self.listed = Listed::Nothing;
        Ok(())
    }
}
