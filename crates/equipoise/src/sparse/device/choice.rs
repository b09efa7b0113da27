//! Which schedule a GPU multiplies under.

use equipoise_schedule::{ScheduleName, plan::ScheduleOptions};

use super::Choice;
use crate::{
    SparseOptions, SparsePolicy, SparseSchedule,
    gpu::{MatrixFeatures, Measured, PaperHeuristic, SchedulePolicy},
};

/// What the options ask for; `pick` asks the policy where they leave it open.
pub(super) fn choose(
    options: &SparseOptions,
    features: &MatrixFeatures,
    pick: impl Fn(&dyn SchedulePolicy) -> ScheduleOptions,
) -> (ScheduleOptions, Choice) {
    let (mut chosen, reason) = match asked(options.schedule) {
        Some(name) => (ScheduleOptions::from(name), None),
        None => {
            let chosen = pick(policy(options).as_ref());
            (chosen, Some(reason(options, features, chosen.schedule)))
        }
    };
    if let Some(group) = options.group {
        chosen.group = group;
        chosen.units = chosen.units.max(group);
    }
    chosen.group = chosen.group.min(chosen.units);
    chosen.coarsening = options.coarsening.unwrap_or(chosen.coarsening);
    (chosen, Choice { schedule: named(chosen.schedule), reason })
}

fn policy(options: &SparseOptions) -> Box<dyn SchedulePolicy> {
    match options.policy {
        SparsePolicy::Measured => Box::new(Measured),
        SparsePolicy::Paper => {
            Box::new(PaperHeuristic { alpha: options.alpha, beta: options.beta })
        }
    }
}

/// The features by which the policy came to its choice, in a few words.
fn reason(options: &SparseOptions, features: &MatrixFeatures, chosen: ScheduleName) -> String {
    let MatrixFeatures { rows, columns, entries, longest_row, row_deviation, .. } = *features;
    if options.policy == SparsePolicy::Paper {
        let SparseOptions { alpha, beta, .. } = options;
        let size = format!("{rows} × {columns}, {entries} entries");
        return format!("policy paper with alpha {alpha}, beta {beta}: {size}");
    }
    let why = match chosen {
        ScheduleName::ThreadMapped => format!("no row has more than {longest_row} entries"),
        ScheduleName::MergePath => format!("one row has {longest_row} of {entries} entries"),
        _ => {
            let mean = features.mean_row();
            format!("rows have {mean:.1} ± {row_deviation:.1} entries, the longest {longest_row}")
        }
    };
    format!("policy measured: {why}")
}

fn named(name: ScheduleName) -> SparseSchedule {
    match name {
        ScheduleName::ThreadMapped => SparseSchedule::ThreadMapped,
        ScheduleName::PlaneMapped => SparseSchedule::PlaneMapped,
        ScheduleName::CubeMapped => SparseSchedule::CubeMapped,
        ScheduleName::GroupMapped => SparseSchedule::GroupMapped,
        ScheduleName::MergePath => SparseSchedule::MergePath,
        ScheduleName::NonzeroSplit => SparseSchedule::NonzeroSplit,
        ScheduleName::Binned => SparseSchedule::Binned,
    }
}

/// The schedule that was asked for, unless it was `auto`.
fn asked(schedule: SparseSchedule) -> Option<ScheduleName> {
    ScheduleName::ALL.iter().copied().find(|&name| named(name) == schedule)
}

#[cfg(test)]
mod tests {
    use equipoise_graph::Matrix;

    use super::*;

    fn features() -> MatrixFeatures {
        MatrixFeatures::of(&Matrix::from_entries(2, 2, &[(0, 0, 1.0f32), (1, 1, 1.0)]).unwrap())
    }

    fn chosen(options: &SparseOptions) -> (ScheduleOptions, Choice) {
        choose(options, &features(), |policy| policy.spmv(&features()))
    }

    #[test]
    fn every_schedule_can_be_asked_for() {
        for &schedule in SparseSchedule::ALL.iter().filter(|&&name| name != SparseSchedule::Auto) {
            let options = SparseOptions { schedule, ..SparseOptions::default() };
            let (settings, choice) = chosen(&options);
            assert_eq!(choice, Choice { schedule, reason: None });
            assert_eq!(settings.schedule.name(), schedule.name());
        }
    }

    #[test]
    fn auto_says_what_decided() {
        let (settings, choice) = chosen(&SparseOptions::default());
        assert_eq!(choice.schedule, SparseSchedule::ThreadMapped);
        assert_eq!(choice.reason.unwrap(), "policy measured: no row has more than 1 entries");
        assert!(settings.group <= settings.units);
        let paper = SparseOptions { policy: SparsePolicy::Paper, ..SparseOptions::default() };
        assert_eq!(chosen(&paper).1.schedule, SparseSchedule::ThreadMapped);
        let never_small = SparseOptions { beta: 2, ..paper };
        let (_, choice) = chosen(&never_small);
        assert_eq!(choice.schedule, SparseSchedule::MergePath);
        let reason = choice.reason.unwrap();
        assert_eq!(reason, "policy paper with alpha 500, beta 2: 2 × 2, 2 entries");
    }

    #[test]
    fn groups_and_coarsening_are_passed_on() {
        let schedule = SparseSchedule::GroupMapped;
        let (group, coarsening) = (Some(512), Some(3));
        let options = SparseOptions { schedule, group, coarsening, ..SparseOptions::default() };
        let settings = chosen(&options).0;
        assert_eq!((settings.group, settings.units, settings.coarsening), (512, 512, 3));
    }
}
