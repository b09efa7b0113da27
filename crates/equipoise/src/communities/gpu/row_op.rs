//! Operations on visited vertices and their edges.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::GpuRuntime,
    engine::{DeviceGraph, Rows, Team, leads_team, team_range, team_sum},
    ranges::*,
};

use super::visits::{DegreeClass, Listed};
use crate::kernels::{UNITS, concurrent_cubes, cubes_for};

/// What happens at a vertex with two sums over its edges.
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub(super) trait RowOp: LaunchArg {
    /// Whether the vertex is processed at all.
    fn is_due(&self, vertex: u32) -> bool;
    /// What an edge adds to the first sum.
    fn first(&mut self, vertex: u32, neighbour: u32, edge: u32) -> u32;
    /// What an edge adds to the second sum.
    fn second(&self, vertex: u32, neighbour: u32, edge: u32) -> u32;
    /// Processes a vertex with its sums.
    fn apply(&mut self, vertex: u32, first: u32, second: u32);
}

/// Applies an operation to listed vertices: with a unit, a plane or a cube per vertex, by their class.
///
/// # Safety
///
/// Given vertices and edges of the graph, the operation accesses only its buffers. What it writes for one vertex, it does not read for
/// another, except through `is_due` for the vertex itself.
pub(super) unsafe fn for_rows<Op: RowOp>(
    graph: &DeviceGraph,
    listed: &Listed,
    op: Op::RuntimeArg<GpuRuntime>,
) {
    let gpu = graph.gpu();
    let count = listed.range.end - listed.range.start;
    let (team, cubes) = match listed.class {
        DegreeClass::Few => (Team::Unit, cubes_for(gpu, count)),
        DegreeClass::Some => (Team::Plane, cubes_for(gpu, count.saturating_mul(gpu.plane_size()))),
        _ => (Team::Cube, concurrent_cubes(gpu)),
    };
    // SAFETY: listed vertices have rows of the graph.
    unsafe {
        visit_rows::launch_unchecked::<Op, GpuRuntime>(
            gpu.client(),
            cubes,
            CubeDim::new_1d(UNITS),
            op,
            graph.rows(),
            listed.list.arg(),
            listed.range.start,
            listed.range.end,
            team,
        );
    }
}

#[cube(launch_unchecked)]
fn visit_rows<Op: RowOp>(
    op: &mut Op,
    rows: &Rows,
    list: &Array<u32>,
    start: u32,
    end: u32,
    #[comptime] team: Team,
) {
    if comptime!(team == Team::Unit) {
        for index in grid_stride_range(start, end) {
            visit_row::<Op>(op, rows, list[index as usize], team);
        }
    } else if comptime!(team == Team::Plane) {
        for index in plane_grid_stride_range(start, end) {
            visit_row::<Op>(op, rows, list[index as usize], team);
        }
    } else {
        for index in cube_grid_stride_range(start, end) {
            visit_row::<Op>(op, rows, list[index as usize], team);
        }
    }
}

/// All units of a team call it together.
#[cube]
fn visit_row<Op: RowOp>(op: &mut Op, rows: &Rows, vertex: u32, #[comptime] team: Team) {
    let begin = rows.offsets[vertex as usize];
    let mut end = begin;
    let is_due = op.is_due(vertex);
    if is_due {
        end = rows.offsets[vertex as usize + 1];
    }
    let mut first = 0u32;
    let mut second = 0u32;
    for edge in team_range(begin, end, team) {
        let neighbour = rows.targets[edge as usize];
        first += op.first(vertex, neighbour, edge);
        second += op.second(vertex, neighbour, edge);
    }
    let first = team_sum(first, team);
    let second = team_sum(second, team);
    if is_due && leads_team(team) {
        op.apply(vertex, first, second);
    }
}
