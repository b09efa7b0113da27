//! The tile sets, works and settings that each schedule runs.

use equipoise_schedule::{ScheduleName, plan::ScheduleOptions};

use crate::{probe::ProbeName, sets::SetName};

equipoise_graph::named_enum! {
    /// The selection of works and settings.
    ///
    /// ```
    /// use equipoise_conformance::Variety;
    ///
    /// assert_eq!("usual".parse(), Ok(Variety::Usual));
    /// ```
    pub enum Variety("variety") {
        /// A work of each kind on each tile set, with the usual settings: a third of the kernels,
        /// which take longer to compile than to run.
        Usual = "usual",
        /// All settings and all works.
        All = "all",
    }
}

/// A tile set and a work, with settings.
pub(crate) struct Trial {
    pub set: SetName,
    pub work: ProbeName,
    pub settings: Vec<ScheduleOptions>,
}

/// The trials of a schedule on a device with at most `max_units` units per cube and `plane` units per plane.
///
/// Units, groups and items are compiled into kernels, which takes longer than to run them: one tile set and work get all
/// settings, the others few.
pub(crate) fn trials(
    schedule: ScheduleName,
    variety: Variety,
    max_units: u32,
    plane: u32,
) -> Vec<Trial> {
    use ProbeName::*;
    use SetName::*;
    let default = ScheduleOptions::from(schedule);
    let small = small(schedule);
    let trial = |set, work, settings: &[ScheduleOptions]| {
        let settings = settings.to_vec();
        Trial { set, work, settings }
    };
    let mut trials = vec![
        trial(Csr, SumU32, &all(schedule, max_units)),
        trial(Csr, SumF32, &[default]),
        trial(Csr, Scatter, &[default, small]),
        trial(Csr, Tileless, &[default, small]),
        trial(Csr, Wide1, &[small]),
        trial(Csr, Wide2, &[default, small]),
        trial(Csr, Wide4, &[default, small]),
        trial(Csr, Wide8, &[default, small]),
        trial(Coo, SumU32, &[default, small]),
        trial(Coo, Scatter, &[default]),
        trial(Frontier, SumU32, &[default, small]),
        trial(Frontier, Scatter, &[default]),
        trial(Frontier, Tileless, &[default]),
        trial(Frontier, Wide4, &[default]),
        trial(Csr, Shares, &[default, small]),
        trial(Frontier, Shares, &[default]),
        trial(Csr, Atoms, &[default, small]),
        trial(Frontier, Atoms, &[default]),
        trial(Counted, SumU32, &[default, small]),
        trial(Counted, Scatter, &[small]),
        trial(Counted, Tileless, &[default]),
        trial(Counted, Wide4, &[default]),
        trial(Counted, Atoms, &[default, small]),
    ];
    trials.retain(|trial| lanes(trial.work) <= plane);
    if variety == Variety::Usual {
        trials.retain(|trial| is_usual(trial.set, trial.work));
        trials.iter_mut().for_each(|trial| trial.settings = vec![default]);
    }
    trials
}

/// Whether a work differs from the others on its tile set by more than a width.
fn is_usual(set: SetName, work: ProbeName) -> bool {
    use ProbeName::*;
    match set {
        SetName::Csr => !matches!(work, Wide1 | Wide2 | Wide8),
        SetName::Coo | SetName::Counted => work == SumU32,
        SetName::Frontier => matches!(work, SumU32 | Tileless),
    }
}

/// The tile sets and works of a custom schedule.
pub(crate) fn custom_trials(plane: u32) -> Vec<(SetName, ProbeName)> {
    use ProbeName::*;
    let works = [SumU32, SumF32, Scatter, Tileless, Wide4];
    let works = works.into_iter().filter(|&work| lanes(work) <= plane);
    works.flat_map(|work| [(SetName::Csr, work), (SetName::Frontier, work)]).collect()
}

/// Units per atom.
fn lanes(work: ProbeName) -> u32 {
    match work {
        ProbeName::Wide2 => 2,
        ProbeName::Wide4 => 4,
        ProbeName::Wide8 => 8,
        _ => 1,
    }
}

/// Small cubes and groups, and one item at a time.
fn small(schedule: ScheduleName) -> ScheduleOptions {
    let group = if schedule == ScheduleName::GroupMapped { 4 } else { 64 };
    ScheduleOptions { units: 64, group, items: 1, ..schedule.into() }
}

/// Every number of units, every size of groups, few and many items.
fn all(schedule: ScheduleName, max_units: u32) -> Vec<ScheduleOptions> {
    let default = ScheduleOptions::from(schedule);
    let with = |units, group, items| ScheduleOptions { units, group, items, ..default };
    // Shared memory holds only one item per unit of the largest cubes.
    let largest = 1 << max_units.ilog2();
    let mut settings = vec![
        default,
        small(schedule),
        with(32, 32, default.items),
        with(128, 128, default.items + 1),
        // Several cubes, because software devices limit the iterations of a unit.
        ScheduleOptions { cubes: Some(9), ..with(largest, largest, 1) },
    ];
    match schedule {
        ScheduleName::GroupMapped => {
            let groups = (0..=default.units.ilog2()).map(|doublings| 1 << doublings);
            settings.extend(groups.map(|group| with(default.units, group, default.items)));
        }
        ScheduleName::ThreadMapped => {
            settings.push(ScheduleOptions { coarsening: 3, ..default });
        }
        _ => {}
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::{SetName, Variety, trials};
    use equipoise_schedule::ScheduleName;

    #[test]
    fn the_usual_variety_has_every_tile_set_and_few_kernels() {
        for &schedule in ScheduleName::ALL {
            let kernels = |variety| -> usize {
                let trials = trials(schedule, variety, 1024, 32);
                trials.iter().map(|trial| trial.settings.len()).sum()
            };
            let usual = trials(schedule, Variety::Usual, 1024, 32);
            let has = |set: &SetName| usual.iter().any(|trial| trial.set == *set);
            assert!(SetName::ALL.iter().all(has), "{schedule}");
            assert!(kernels(Variety::Usual) * 5 < kernels(Variety::All) * 2, "{schedule}");
        }
    }
}
