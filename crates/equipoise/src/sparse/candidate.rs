//! The schedules that a learned model chooses from.

use std::{fmt, str::FromStr};

use equipoise_schedule::{ScheduleName, plan::ScheduleOptions};
use equipoise_select::Model;

use super::features::MatrixFeatures;
use crate::{Error, Result, learned};

/// A schedule for SpMV, with the settings that matter for it.
///
/// As text, settings follow the schedule: the units of a cube, those of a group, or the items of a
/// unit; `binned` has two of them.
///
/// ```
/// use equipoise::sparse::SpmvCandidate;
///
/// let candidate: SpmvCandidate = "binned+512x8".parse()?;
/// assert_eq!((candidate.units, candidate.items), (Some(512), Some(8)));
/// assert_eq!("plane-mapped".parse::<SpmvCandidate>()?.to_string(), "plane-mapped");
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpmvCandidate {
    /// The schedule.
    pub schedule: ScheduleName,
    /// The units of a cube; the schedule's default if `None`.
    pub units: Option<u32>,
    /// The units of a group.
    pub group: Option<u32>,
    /// The entries that a unit stages at a time.
    pub items: Option<u32>,
}

/// Several sizes of cubes and groups, because the best depends on the number and the length of rows;
/// and numbers of items on both sides of the best on large matrices.
const ON_GPU: [SpmvCandidate; 16] = [
    in_cubes(ScheduleName::ThreadMapped, 64),
    in_cubes(ScheduleName::ThreadMapped, 128),
    in_cubes(ScheduleName::ThreadMapped, 256),
    usual(ScheduleName::PlaneMapped),
    in_cubes(ScheduleName::CubeMapped, 128),
    in_cubes(ScheduleName::CubeMapped, 512),
    in_groups(16),
    in_groups(32),
    in_groups(256),
    with_items(ScheduleName::MergePath, 4),
    with_items(ScheduleName::MergePath, 7),
    with_items(ScheduleName::NonzeroSplit, 4),
    with_items(ScheduleName::NonzeroSplit, 8),
    binned(256, 8),
    binned(512, 4),
    binned(512, 8),
];

const ON_CPU: [SpmvCandidate; 2] =
    [usual(ScheduleName::ThreadMapped), usual(ScheduleName::MergePath)];

const fn usual(schedule: ScheduleName) -> SpmvCandidate {
    SpmvCandidate { schedule, units: None, group: None, items: None }
}

const fn in_cubes(schedule: ScheduleName, units: u32) -> SpmvCandidate {
    SpmvCandidate { units: Some(units), ..usual(schedule) }
}

const fn in_groups(group: u32) -> SpmvCandidate {
    SpmvCandidate { group: Some(group), ..usual(ScheduleName::GroupMapped) }
}

const fn with_items(schedule: ScheduleName, items: u32) -> SpmvCandidate {
    SpmvCandidate { items: Some(items), ..usual(schedule) }
}

const fn binned(units: u32, items: u32) -> SpmvCandidate {
    SpmvCandidate { units: Some(units), ..with_items(ScheduleName::Binned, items) }
}

impl SpmvCandidate {
    /// All candidates of a GPU, in the order of their schedules.
    pub fn all() -> &'static [Self] {
        &ON_GPU
    }

    /// All candidates of the cpu.
    ///
    /// ```
    /// use equipoise::sparse::SpmvCandidate;
    ///
    /// let names: Vec<String> = SpmvCandidate::of_cpu().iter().map(|it| it.to_string()).collect();
    /// assert_eq!(names, ["thread-mapped", "merge-path"]);
    /// ```
    pub fn of_cpu() -> &'static [Self] {
        &ON_CPU
    }

    /// The schedule and its settings, for a plan.
    ///
    /// ```
    /// use equipoise::sparse::SpmvCandidate;
    ///
    /// let candidate: SpmvCandidate = "group-mapped+16".parse()?;
    /// assert_eq!(candidate.options().group, 16);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn options(&self) -> ScheduleOptions {
        let usual = ScheduleOptions::from(self.schedule);
        let units = self.units.unwrap_or(usual.units);
        ScheduleOptions {
            units,
            group: self.group.unwrap_or(usual.group).min(units),
            items: self.items.unwrap_or(usual.items),
            ..usual
        }
    }

    /// The model with the features of [`MatrixFeatures`] and these candidates, in their order.
    ///
    /// Fails where the model is for another algorithm, or has other features or candidates.
    ///
    /// ```
    /// use equipoise::{select::Model, sparse::SpmvCandidate};
    ///
    /// let bfs = Model::embedded("bfs", "gpu").unwrap();
    /// let error = SpmvCandidate::align(bfs, SpmvCandidate::all()).unwrap_err();
    /// assert_eq!(error.to_string(), "the model is for `bfs`, not for `spmv`");
    /// ```
    pub fn align(model: &Model, candidates: &[Self]) -> Result<Model> {
        let names: Vec<String> = candidates.iter().map(Self::to_string).collect();
        learned::align(model, "spmv", &MatrixFeatures::NAMES, &names)
    }
}

impl fmt::Display for SpmvCandidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = [self.units, self.group, self.items].into_iter().flatten();
        let settings: Vec<String> = settings.map(|number| number.to_string()).collect();
        if settings.is_empty() {
            f.pad(self.schedule.name())
        } else {
            f.pad(&format!("{}+{}", self.schedule, settings.join("x")))
        }
    }
}

impl FromStr for SpmvCandidate {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let known: Vec<Self> = ON_GPU.iter().chain(&ON_CPU).copied().collect();
        learned::named(text, &known)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_distinct_and_parse() {
        for candidates in [SpmvCandidate::all(), SpmvCandidate::of_cpu()] {
            let names: HashSet<String> = candidates.iter().map(|it| it.to_string()).collect();
            assert_eq!(names.len(), candidates.len());
            for candidate in candidates {
                assert_eq!(candidate.to_string().parse::<SpmvCandidate>().unwrap(), *candidate);
            }
        }
        let error = "binned+3".parse::<SpmvCandidate>().unwrap_err().to_string();
        assert!(error.contains("`binned+3`") && error.contains("`binned+512x8`"), "{error}");
    }

    #[test]
    fn the_embedded_model_fits() {
        let model = Model::embedded("spmv", "gpu").unwrap();
        SpmvCandidate::align(model, SpmvCandidate::all()).unwrap();
        assert!(Model::embedded("spmv", "cpu").is_none(), "test the new one, too");
    }
}
