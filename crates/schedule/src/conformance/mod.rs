//! A suite that proves schedules on a device: every atom is done exactly once, every tile is ended
//! exactly once, and every total is the host's.
//!
//! It is part of the library so that a program can run it on its user's own GPU, as well as tests.
//! [`run`] tries every schedule with
//!
//! - all shapes of the [`Battery`], each with 1 cube, 2 cubes, and as many as there is work for,
//!   the last twice with the same plan;
//! - rows of a matrix ([`SetName::Csr`]) and totals of `u32` ([`ProbeName::SumU32`]), with cubes of
//!   32, 64, 128, 256 and the most units that the device allows, with 1 item at a time, as many as
//!   usual, and one more, and for group-mapped with groups of 1 to 256 units, for thread-mapped
//!   also with a coarsening of 3;
//! - the other works on rows, and every tile set with totals of `u32`, with the usual settings and
//!   most of them also with cubes of 64 units, groups of 4 and one item at a time;
//! - a frontier with works of every kind, entries with a work without totals;
//! - a kernel of its own that loops over [shares](crate::share::Share), for the schedules that give
//!   them.
//!
//! Works whose atoms are done by more units together than a plane has are left out.
//!
//! ```no_run
//! use cubecl::prelude::Runtime;
//! use equipoise_schedule::{Result, conformance::{self, Size}, device::Gpu};
//!
//! fn self_test<R: Runtime>(gpu: &Gpu<R>) -> Result<bool> {
//!     let summary = conformance::run(gpu, Size::Small, |case| {
//!         if let Err(problem) = &case.verdict {
//!             println!("{} on {}: {problem}", case.schedule, case.tiles);
//!         }
//!     })?;
//!     println!("{} of {} cases passed", summary.cases - summary.failed, summary.cases);
//!     Ok(summary.failed == 0)
//! }
//! ```
//!
//! In tests, [`conformance_suite!`](crate::conformance_suite) makes a test of each schedule.

mod battery;
mod check;
mod expected;
mod probe;
mod sets;
mod settings;
mod suite;
mod values;

pub use battery::{Battery, Size};
pub use probe::ProbeName;
pub use sets::SetName;
#[doc(hidden)]
pub use suite::assert_conforms;

use cubecl::prelude::*;
use expected::Failure;

use crate::{Result, ScheduleName, device::Gpu, plan::ScheduleOptions};

/// A schedule with a tile set and a work on one shape of the battery, with all settings that are
/// tried with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The schedule.
    pub schedule: ScheduleName,
    /// The shape of the tile set.
    pub tiles: Battery,
    /// The kind of tile set.
    pub set: SetName,
    /// The work.
    pub work: ProbeName,
    /// What went wrong first, and with which settings.
    pub verdict: Result<(), String>,
}

/// How many cases there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// All cases.
    pub cases: usize,
    /// Those that failed.
    pub failed: usize,
    /// Runs whose results were looked at.
    pub runs: usize,
}

/// Runs the suite with every schedule, telling each case as it is done.
///
/// A case that fails is no error: see its verdict. Fails only where the device is lost.
pub fn run<R: Runtime>(gpu: &Gpu<R>, size: Size, mut report: impl FnMut(&Case)) -> Result<Summary> {
    let mut summary = Summary::default();
    for &schedule in ScheduleName::ALL {
        let part = run_schedule(gpu, schedule, size, &mut report)?;
        summary.cases += part.cases;
        summary.failed += part.failed;
        summary.runs += part.runs;
    }
    Ok(summary)
}

/// Runs the suite with one schedule.
pub fn run_schedule<R: Runtime>(
    gpu: &Gpu<R>,
    schedule: ScheduleName,
    size: Size,
    mut report: impl FnMut(&Case),
) -> Result<Summary> {
    let mut summary = Summary::default();
    for trial in settings::trials(schedule, gpu.properties().max_units, gpu.plane_size()) {
        let settings::Trial { set, work, settings } = trial;
        for &tiles in Battery::ALL {
            let verdict = match check::check(gpu, set, work, &settings, &tiles.sizes(size)) {
                Ok(runs) => {
                    summary.runs += runs;
                    Ok(())
                }
                Err(Failure::Wrong(problem)) => Err(problem),
                Err(Failure::Lost(error)) => return Err(error),
            };
            summary.cases += 1;
            summary.failed += usize::from(verdict.is_err());
            report(&Case { schedule, tiles, set, work, verdict });
        }
    }
    Ok(summary)
}

/// Tries a schedule with tiles of the given sizes, with 1 cube, 2 cubes, and as many as there is
/// work for. Fails with what went wrong first.
///
/// ```no_run
/// use cubecl::prelude::Runtime;
/// use equipoise_schedule::{
///     ScheduleName,
///     conformance::{self, ProbeName, SetName},
///     device::Gpu,
/// };
///
/// fn example<R: Runtime>(gpu: &Gpu<R>) -> Result<(), String> {
///     let schedule = ScheduleName::MergePath.into();
///     conformance::check(gpu, schedule, SetName::Csr, ProbeName::SumU32, &[3, 0, 400])
/// }
/// ```
pub fn check<R: Runtime>(
    gpu: &Gpu<R>,
    options: ScheduleOptions,
    set: SetName,
    work: ProbeName,
    sizes: &[u32],
) -> Result<(), String> {
    match check::check(gpu, set, work, &[options], sizes) {
        Ok(_) => Ok(()),
        Err(Failure::Wrong(problem)) => Err(problem),
        Err(Failure::Lost(error)) => Err(error.to_string()),
    }
}
