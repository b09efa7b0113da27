//! What a learned policy chooses from.

use std::{fmt, str::FromStr};

use equipoise_schedule::ScheduleName;
use equipoise_select::Model;

use super::MatrixFeatures;
use crate::{Error, Result, learned};

/// A schedule for SpMV, with those settings that make a difference to it.
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
    /// The units of a cube, where they are not the usual ones.
    pub units: Option<u32>,
    /// The units of a group, if it has groups.
    pub group: Option<u32>,
    /// The entries that a unit stages at a time, if it does.
    pub items: Option<u32>,
}

/// Several sizes of cubes and groups, because what fits depends on how many rows there are and how
/// long they are; and numbers of items on both sides of what was best on large matrices.
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
    ///
    /// ```
    /// use equipoise::sparse::SpmvCandidate;
    ///
    /// assert!(SpmvCandidate::all().iter().any(|it| it.to_string() == "thread-mapped+128"));
    /// ```
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
    pub fn options(&self) -> equipoise_schedule::plan::ScheduleOptions {
        let usual = equipoise_schedule::plan::ScheduleOptions::from(self.schedule);
        let units = self.units.unwrap_or(usual.units);
        equipoise_schedule::plan::ScheduleOptions {
            units,
            group: self.group.unwrap_or(usual.group).min(units),
            items: self.items.unwrap_or(usual.items),
            ..usual
        }
    }

    /// A model for SpMV, with the features of [`MatrixFeatures`] and these candidates, in their
    /// order.
    ///
    /// Fails where the model is for another algorithm, or has other features or candidates.
    ///
    /// ```
    /// # use equipoise::{select::{Description, Leaf, Model, Node}, sparse::SpmvCandidate};
    /// # let description = Description {
    /// #     algorithm: "sssp".into(),
    /// #     device: "gpu".into(),
    /// #     features: vec!["rows".into()],
    /// #     candidates: vec!["plane-mapped".into()],
    /// #     first: "plane-mapped".into(),
    /// #     ..Description::default()
    /// # };
    /// # let leaf = Leaf { candidate: 0, share: 1.0, ambiguous: false, samples: 9, ranking: vec![0] };
    /// # let of_sssp = Model::new(description, vec![Node::Leaf(leaf)]).unwrap();
    /// let error = SpmvCandidate::align(&of_sssp, SpmvCandidate::all()).unwrap_err();
    /// assert_eq!(error.to_string(), "the model is for `sssp`, not for `spmv`");
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
        match settings.is_empty() {
            true => f.pad(self.schedule.name()),
            false => f.pad(&format!("{}+{}", self.schedule, settings.join("x"))),
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
    fn names_tell_candidates_apart_and_read_back() {
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
    fn models_that_come_with_the_program_are_for_it() {
        let model = Model::embedded("spmv", "gpu").unwrap();
        SpmvCandidate::align(model, SpmvCandidate::all()).unwrap();
        assert!(Model::embedded("spmv", "cpu").is_none(), "test the new one, too");
    }
}
