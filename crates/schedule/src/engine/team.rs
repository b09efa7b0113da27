//! Teams: who works on a vertex together.

use cubecl::prelude::*;

use crate::ranges::*;

/// Units that work on a vertex together: the more neighbours it has, the more units.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{engine::*, input::Input};
///
/// /// The largest number of a vertex' neighbours, which all units of the team learn.
/// #[cube]
/// fn largest(rows: &Rows, numbers: &Input<u32>, vertex: u32, #[comptime] team: Team) -> u32 {
///     let mut largest = 0u32;
///     let begin = rows.offsets[vertex as usize];
///     for edge in team_range(begin, rows.offsets[vertex as usize + 1], team) {
///         largest = max(largest, numbers[rows.targets[edge as usize] as usize]);
///     }
///     team_max(largest, team)
/// }
/// # fn main() {}
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Team {
    /// One unit.
    Unit,
    /// The units of a plane.
    Plane,
    /// The units of a cube.
    Cube,
}

/// From `begin` to `end`, the units of a team side by side.
#[cube]
pub fn team_range(begin: u32, end: u32, #[comptime] team: Team) -> StepRange {
    if comptime!(team == Team::Unit) {
        step_range(begin, end, 1u32)
    } else if comptime!(team == Team::Plane) {
        step_range(begin + UNIT_POS_PLANE, end, PLANE_DIM)
    } else {
        step_range(begin + UNIT_POS, end, CUBE_DIM)
    }
}

/// Whether this unit is the first of its team.
#[cube]
pub fn leads_team(#[comptime] team: Team) -> bool {
    if comptime!(team == Team::Unit) {
        true.runtime()
    } else if comptime!(team == Team::Plane) {
        UNIT_POS_PLANE == 0
    } else {
        UNIT_POS == 0
    }
}

/// The largest of what the units of a team have. All of them call it together.
#[cube]
pub fn team_max(value: u32, #[comptime] team: Team) -> u32 {
    if comptime!(team == Team::Unit) {
        value
    } else if comptime!(team == Team::Plane) {
        plane_max(value)
    } else {
        let largest = SharedMemory::<Atomic<u32>>::new(1usize);
        if UNIT_POS == 0 {
            largest[0].store(0u32);
        }
        sync_cube();
        largest[0].fetch_max(value);
        sync_cube();
        let all = largest[0].load();
        // It is not made zero again before all units have read it.
        sync_cube();
        all
    }
}
