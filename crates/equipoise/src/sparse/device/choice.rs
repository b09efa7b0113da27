//! Which schedule a GPU multiplies under.

use equipoise_schedule::{ScheduleName, plan::ScheduleOptions};

use super::Choice;
use crate::{
    Error, Result,
    sparse::{
        MatrixFeatures, SparseLayout, SparseOptions, SparseOrder, SparsePolicy, SparseSchedule,
        gpu::{Measured, PaperHeuristic, SchedulePolicy},
        learned::Learned,
    },
};

/// For products with a vector, on a GPU whose cubes have at most so many units.
pub(super) fn for_spmv(
    options: &SparseOptions,
    features: &MatrixFeatures,
    most_units: u32,
) -> Result<(ScheduleOptions, Choice)> {
    if options.layout != SparseLayout::Csr {
        return for_scatter(options);
    }
    let learned = Learned::on_gpu(options, most_units)?;
    choose(options, || match learned {
        Some(learned) => {
            let (candidate, reason) = learned.choose(features)?;
            Ok((candidate.options(), reason))
        }
        None => Ok(by_rule(options, features, |policy| policy.spmv(features))),
    })
}

/// For products with a vector by columns or by entries, for which no policy was made.
fn for_scatter(options: &SparseOptions) -> Result<(ScheduleOptions, Choice)> {
    let SparseOptions { layout, reorder, policy, .. } = options;
    let problem = if *reorder != SparseOrder::None {
        format!("the order `{reorder}`")
    } else if *policy != SparsePolicy::Learned {
        format!("the policy `{policy}`")
    } else if options.model.is_some() {
        "a model".into()
    } else {
        return choose(options, || {
            let (schedule, why) = match layout {
                SparseLayout::Coo => (ScheduleName::ThreadMapped, "all entries are alike"),
                _ => (ScheduleName::MergePath, "columns can have any length"),
            };
            Ok((schedule.into(), format!("layout {layout}: {why}")))
        });
    };
    Err(Error::Option(format!(
        "{problem} is for the layout `csr`, not for `{layout}`: leave out one of the two"
    )))
}

/// For products with a dense matrix of so many columns.
pub(crate) fn for_spmm(
    options: &SparseOptions,
    features: &MatrixFeatures,
    columns: u32,
) -> Result<(ScheduleOptions, Choice)> {
    choose(options, || Ok(by_rule(options, features, |policy| policy.spmm(features, columns))))
}

/// What the options ask for; `pick` decides where they leave it open, and says why.
fn choose(
    options: &SparseOptions,
    pick: impl FnOnce() -> Result<(ScheduleOptions, String)>,
) -> Result<(ScheduleOptions, Choice)> {
    let (mut chosen, reason) = match asked(options.schedule) {
        Some(name) => (ScheduleOptions::from(name), None),
        None => {
            let (chosen, reason) = pick()?;
            (chosen, Some(reason))
        }
    };
    if let Some(group) = options.group {
        chosen.group = group;
        chosen.units = chosen.units.max(group);
    }
    chosen.group = chosen.group.min(chosen.units);
    chosen.coarsening = options.coarsening.unwrap_or(chosen.coarsening);
    Ok((chosen, Choice { schedule: chosen.schedule.into(), reason }))
}

/// What a hand-written rule picks, and the features by which it came to its choice.
fn by_rule(
    options: &SparseOptions,
    features: &MatrixFeatures,
    pick: impl Fn(&dyn SchedulePolicy) -> ScheduleOptions,
) -> (ScheduleOptions, String) {
    let SparseOptions { alpha, beta, .. } = *options;
    match options.policy {
        SparsePolicy::Learned | SparsePolicy::Measured => {
            let chosen = pick(&Measured);
            (chosen, reason(features, chosen.schedule))
        }
        SparsePolicy::Paper => {
            let MatrixFeatures { rows, columns, entries, .. } = features;
            let size = format!("{rows} × {columns}, {entries} entries");
            let reason = format!("policy paper with alpha {alpha}, beta {beta}: {size}");
            (pick(&PaperHeuristic { alpha, beta }), reason)
        }
    }
}

/// What decided for a schedule under the policy `measured`.
fn reason(features: &MatrixFeatures, chosen: ScheduleName) -> String {
    let MatrixFeatures { entries, longest_row, row_deviation, .. } = *features;
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

/// The schedule that was asked for, unless it was `auto`.
fn asked(schedule: SparseSchedule) -> Option<ScheduleName> {
    ScheduleName::ALL.iter().copied().find(|&name| SparseSchedule::from(name) == schedule)
}

#[cfg(test)]
mod tests {
    use equipoise_graph::Matrix;

    use super::*;

    fn features() -> MatrixFeatures {
        MatrixFeatures::of(&Matrix::from_entries(2, 2, &[(0, 0, 1.0f32), (1, 1, 1.0)]).unwrap())
    }

    fn chosen(options: &SparseOptions) -> (ScheduleOptions, Choice) {
        for_spmv(options, &features(), 1024).unwrap()
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
        let measured = SparseOptions { policy: SparsePolicy::Measured, ..SparseOptions::default() };
        let (settings, choice) = chosen(&measured);
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
    fn layouts_have_a_schedule_of_their_own_and_no_policy() {
        let of = |layout| SparseOptions { layout, ..SparseOptions::default() };
        for (layout, schedule) in [
            (SparseLayout::Csc, SparseSchedule::MergePath),
            (SparseLayout::Coo, SparseSchedule::ThreadMapped),
        ] {
            let (_, choice) = chosen(&of(layout));
            assert_eq!(choice.schedule, schedule);
            assert!(choice.reason.unwrap().starts_with(&format!("layout {layout}: ")));
            let asked = SparseOptions { schedule: SparseSchedule::Binned, ..of(layout) };
            assert_eq!(chosen(&asked).1.schedule, SparseSchedule::Binned);
        }
        let paper = SparseOptions { policy: SparsePolicy::Paper, ..of(SparseLayout::Csc) };
        let reordered = SparseOptions { reorder: SparseOrder::Degree, ..of(SparseLayout::Coo) };
        for (options, what) in [(paper, "the policy `paper`"), (reordered, "the order `degree`")] {
            let problem = for_spmv(&options, &features(), 1024).unwrap_err().to_string();
            assert!(problem.starts_with(&format!("{what} is for the layout `csr`")), "{problem}");
        }
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
