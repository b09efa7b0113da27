//! The settings of a schedule.

use crate::ScheduleName;

/// A schedule and its settings. A [`ScheduleName`] gives the usual ones.
///
/// ```
/// use equipoise_schedule::{ScheduleName, plan::ScheduleOptions};
///
/// let options = ScheduleOptions { group: 8, ..ScheduleName::GroupMapped.into() };
/// assert_eq!(options.units, 256);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduleOptions {
    /// The schedule.
    pub schedule: ScheduleName,
    /// Units per cube: a power of two.
    pub units: u32,
    /// Units per group of `group-mapped`: a power of two, at most `units`.
    pub group: u32,
    /// Atoms (for merge-path: tiles and atoms) that a unit stages at a time.
    pub items: u32,
    /// Tiles per unit of `thread-mapped`, one after the other.
    pub coarsening: u32,
    /// Cubes to launch; by default, those with work to do.
    pub cubes: Option<u32>,
}

impl From<ScheduleName> for ScheduleOptions {
    fn from(schedule: ScheduleName) -> Self {
        let items = match schedule {
            ScheduleName::MergePath | ScheduleName::NonzeroSplit => 7,
            ScheduleName::Binned => 8,
            _ => 4,
        };
        Self { schedule, units: 256, group: 256, items, coarsening: 1, cubes: None }
    }
}
