//! The choice of a schedule, from options and features.

use equipoise_schedule::{ScheduleName, plan::ScheduleOptions};

use super::prepared::ScheduleChoice;
use crate::{
    Error, Result,
    sparse::{
        features::MatrixFeatures,
        gpu::{paper_schedule, spmm_schedule, spmv_schedule},
        learned::Learned,
        options::{SparseLayout, SparseOptions, SparseOrder, SparsePolicy},
    },
};

/// The choice for products with a vector on a GPU whose cubes have up to `most_units` units.
pub(super) fn for_spmv(
    options: &SparseOptions,
    features: &MatrixFeatures,
    most_units: u32,
) -> Result<(ScheduleOptions, ScheduleChoice)> {
    if options.layout != SparseLayout::Csr {
        return for_scatter(options);
    }
    let learned = Learned::on_gpu(options, most_units)?;
    choose(options, || match learned {
        Some(learned) => {
            let (candidate, reason) = learned.choose(features)?;
            Ok((candidate.options(), reason))
        }
        None => Ok(by_rule(options, features, spmv_schedule(features))),
    })
}

/// The choice for products with a vector by columns or by entries, which have no policy.
fn for_scatter(options: &SparseOptions) -> Result<(ScheduleOptions, ScheduleChoice)> {
    let SparseOptions { layout, reorder, policy, .. } = options;
    let problem = if *reorder != SparseOrder::None {
        format!("the order `{reorder}`")
    } else if *policy != SparsePolicy::default() {
        format!("the policy `{policy}`")
    } else if options.model.is_some() {
        "a model".into()
    } else {
        return choose(options, || {
            let (schedule, why) = match layout {
                SparseLayout::Coo => (ScheduleName::ThreadMapped, "all entries cost the same"),
                _ => (ScheduleName::MergePath, "columns can have any length"),
            };
            Ok((schedule.into(), format!("layout {layout}: {why}")))
        });
    };
    Err(Error::Option(format!(
        "{problem} is for the layout `csr`, not for `{layout}`: leave out one of the two"
    )))
}

/// The choice for products with dense matrices on a GPU.
pub(crate) fn for_spmm(
    options: &SparseOptions,
    features: &MatrixFeatures,
) -> Result<(ScheduleOptions, ScheduleChoice)> {
    choose(options, || Ok(by_rule(options, features, spmm_schedule(features))))
}

/// The schedule of the options, or else the one that `pick` chooses with a reason.
fn choose(
    options: &SparseOptions,
    pick: impl FnOnce() -> Result<(ScheduleOptions, String)>,
) -> Result<(ScheduleOptions, ScheduleChoice)> {
    let mut names = ScheduleName::ALL.iter().copied();
    let (mut chosen, reason) = match names.find(|&name| options.schedule == name.into()) {
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
    Ok((chosen, ScheduleChoice { schedule: chosen.schedule.into(), reason }))
}

/// The schedule by the paper's rule, or else `fastest`, and the features that decided.
fn by_rule(
    options: &SparseOptions,
    features: &MatrixFeatures,
    fastest: ScheduleOptions,
) -> (ScheduleOptions, String) {
    let MatrixFeatures { rows, columns, entries, longest_row, row_deviation, .. } = *features;
    if options.policy == SparsePolicy::Paper {
        let SparseOptions { alpha, beta, .. } = *options;
        let size = format!("{rows} × {columns}, {entries} entries");
        let reason = format!("policy paper with alpha {alpha}, beta {beta}: {size}");
        return (paper_schedule(features, alpha, beta), reason);
    }
    let why = match fastest.schedule {
        ScheduleName::ThreadMapped => format!("no row has more than {longest_row} entries"),
        ScheduleName::MergePath => format!("one row has {longest_row} of {entries} entries"),
        _ => {
            let mean = features.mean_row();
            format!("rows have {mean:.1} ± {row_deviation:.1} entries, the longest {longest_row}")
        }
    };
    (fastest, format!("policy rule: {why}"))
}

#[cfg(test)]
mod tests {
    use equipoise_graph::Matrix;

    use super::*;
    use crate::sparse::SparseSchedule;

    fn features() -> MatrixFeatures {
        MatrixFeatures::new(&Matrix::from_entries(2, 2, &[(0, 0, 1.0f32), (1, 1, 1.0)]).unwrap())
    }

    fn chosen(options: &SparseOptions) -> (ScheduleOptions, ScheduleChoice) {
        for_spmv(options, &features(), 1024).unwrap()
    }

    #[test]
    fn every_schedule_can_be_requested() {
        for &schedule in SparseSchedule::ALL.iter().filter(|&&name| name != SparseSchedule::Auto) {
            let options = SparseOptions { schedule, ..SparseOptions::default() };
            let (settings, choice) = chosen(&options);
            assert_eq!(choice, ScheduleChoice { schedule, reason: None });
            assert_eq!(settings.schedule.name(), schedule.name());
        }
    }

    #[test]
    fn auto_says_what_decided() {
        let (settings, choice) = chosen(&SparseOptions::default());
        assert_eq!(choice.schedule, SparseSchedule::ThreadMapped);
        assert_eq!(choice.reason.unwrap(), "policy rule: no row has more than 1 entries");
        assert!(settings.group <= settings.units);
        let learned = SparseOptions { policy: SparsePolicy::Learned, ..SparseOptions::default() };
        assert!(chosen(&learned).1.reason.unwrap().starts_with("policy learned: `"));
        let paper = SparseOptions { policy: SparsePolicy::Paper, ..SparseOptions::default() };
        assert_eq!(chosen(&paper).1.schedule, SparseSchedule::ThreadMapped);
        let never_small = SparseOptions { beta: 2, ..paper };
        let (_, choice) = chosen(&never_small);
        assert_eq!(choice.schedule, SparseSchedule::MergePath);
        let reason = choice.reason.unwrap();
        assert_eq!(reason, "policy paper with alpha 500, beta 2: 2 × 2, 2 entries");
    }

    #[test]
    fn layouts_have_their_own_schedule_and_no_policy() {
        let with = |layout| SparseOptions { layout, ..SparseOptions::default() };
        for (layout, schedule) in [
            (SparseLayout::Csc, SparseSchedule::MergePath),
            (SparseLayout::Coo, SparseSchedule::ThreadMapped),
        ] {
            let (_, choice) = chosen(&with(layout));
            assert_eq!(choice.schedule, schedule);
            assert!(choice.reason.unwrap().starts_with(&format!("layout {layout}: ")));
            let binned = SparseOptions { schedule: SparseSchedule::Binned, ..with(layout) };
            assert_eq!(chosen(&binned).1.schedule, SparseSchedule::Binned);
        }
        let by = |policy| SparseOptions { policy, ..with(SparseLayout::Csc) };
        let (paper, learned) = (by(SparsePolicy::Paper), by(SparsePolicy::Learned));
        let reordered = SparseOptions { reorder: SparseOrder::Degree, ..with(SparseLayout::Coo) };
        for (options, what) in [
            (paper, "the policy `paper`"),
            (learned, "the policy `learned`"),
            (reordered, "the order `degree`"),
        ] {
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
