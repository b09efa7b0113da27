//! Which schedule, and its settings.

use crate::ScheduleName;

/// Which schedule, and its settings. A [`ScheduleName`] gives the usual ones.
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
    /// Units a cube: a power of two.
    pub units: u32,
    /// Units a group of `group-mapped`: a power of two, at most `units`.
    pub group: u32,
    /// Atoms (for merge-path: tiles and atoms) a unit stages at a time.
    pub items: u32,
    /// Tiles a unit of `thread-mapped` takes, one after the other.
    pub coarsening: u32,
    /// Cubes to launch; otherwise as many as there is work for.
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
