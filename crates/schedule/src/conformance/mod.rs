//! A suite that proves schedules on a device: every atom is done exactly once, every tile is ended
//! exactly once, and every total is the host's.
//!
//! It is part of the library so that a program can run it on its user's own GPU, as well as tests.
//! [`run`] tries every schedule with
//!
//! - all shapes of the [`Battery`], each with 1 cube, 2 cubes, and as many as there is work for,
//!   the last twice with the same plan;
//! - rows of a matrix ([`SetName::Csr`]) and totals of `u32` ([`ProbeName::SumU32`]), with cubes of
//!   32, 64, 128, 256 and the most units that the device allows (those with 9 cubes only), with 1
//!   item at a time, as many as usual, and one more, and for group-mapped with groups of 1 to 256
//!   units, for thread-mapped also with a coarsening of 3;
//! - the other works on rows, and every tile set with totals of `u32`, with the usual settings and
//!   most of them also with cubes of 64 units, groups of 4 and one item at a time;
//! - a frontier with works of every kind, entries with a work without totals;
//! - rows that only say how many entries each has, with works of every kind;
//! - kernels of its own that loop over [shares](crate::share::Share), by tiles and by atoms.
//!
//! Works whose atoms are done by more units together than a plane has are left out.
//!
//! ```no_run
//! use equipoise_schedule::{Result, conformance::{self, Size}, device::Gpu};
//!
//! fn self_test(gpu: &Gpu) -> Result<bool> {
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
#[cfg(feature = "graphs")]
mod operators;
mod probe;
mod sets;
mod settings;
#[cfg(feature = "graphs")]
mod settle;
mod shares;
mod subject;
mod suite;
mod values;
#[cfg(feature = "graphs")]
mod verdict;

pub use battery::{Battery, Size};
#[cfg(feature = "graphs")]
pub use operators::{OperatorCase, run_operators};
pub use probe::ProbeName;
pub use sets::SetName;
pub use settings::Variety;
#[doc(hidden)]
pub use suite::assert_conforms;

use std::marker::PhantomData;

use expected::Failure;
use shares::Shares;
use subject::{Named, Own};

use crate::{
    Result, ScheduleName,
    device::Gpu,
    plan::ScheduleOptions,
    schedules::{Schedule, Shape},
};

/// A schedule with a tile set and a work on one shape of the battery, with all settings that are
/// tried with them.
///
/// ```
/// use equipoise_schedule::conformance::Case;
///
/// fn tell(case: &Case) -> String {
///     let verdict = case.verdict.as_ref().map_or_else(String::as_str, |()| "right");
///     format!("{} on {} ({}, {}): {verdict}", case.schedule, case.tiles, case.set, case.work)
/// }
/// ```
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
///
/// ```
/// use equipoise_schedule::conformance::Summary;
///
/// let summary = Summary { cases: 12, failed: 1, runs: 80 };
/// assert_eq!(summary.cases - summary.failed, 11);
/// ```
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
///
/// ```no_run
/// use equipoise_schedule::{
///     Result,
///     conformance::{self, Size},
///     device::Gpu,
/// };
///
/// fn passes(gpu: &Gpu) -> Result<bool> {
///     Ok(conformance::run(gpu, Size::Large, |_| ())?.failed == 0)
/// }
/// ```
pub fn run(gpu: &Gpu, size: Size, mut report: impl FnMut(&Case)) -> Result<Summary> {
    let mut summary = Summary::default();
    for &schedule in ScheduleName::ALL {
        let part = run_schedule(gpu, schedule, size, Variety::All, &mut report)?;
        summary.cases += part.cases;
        summary.failed += part.failed;
        summary.runs += part.runs;
    }
    Ok(summary)
}

/// Runs the suite with one schedule, or what a variety leaves of it.
///
/// ```no_run
/// use equipoise_schedule::{
///     Result, ScheduleName,
///     conformance::{self, Size, Variety},
///     device::Gpu,
/// };
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let print = |case: &conformance::Case| println!("{} {}", case.tiles, case.verdict.is_ok());
///     let schedule = ScheduleName::Binned;
///     conformance::run_schedule(gpu, schedule, Size::Small, Variety::Usual, print)?;
///     Ok(())
/// }
/// ```
pub fn run_schedule(
    gpu: &Gpu,
    schedule: ScheduleName,
    size: Size,
    variety: Variety,
    mut report: impl FnMut(&Case),
) -> Result<Summary> {
    let mut summary = Summary::default();
    let max_units = gpu.properties().max_units;
    for trial in settings::trials(schedule, variety, max_units, gpu.plane_size()) {
        let settings::Trial { set, work, settings } = trial;
        for &tiles in Battery::ALL {
            let outcome = try_settings(gpu, &settings, set, work, &tiles.sizes(size));
            let (runs, verdict) = match outcome {
                Ok(runs) => (runs, Ok(())),
                Err(Failure::Wrong(problem)) => (0, Err(problem)),
                Err(Failure::Lost(error)) => return Err(error),
            };
            summary.cases += 1;
            summary.failed += usize::from(verdict.is_err());
            summary.runs += runs;
            report(&Case { schedule, tiles, set, work, verdict });
        }
    }
    Ok(summary)
}

/// Tries a schedule with tiles of the given sizes, with so many cubes as the options say; where
/// they leave it open, with 1, 2, and as many as there is work for. Fails with what went wrong
/// first.
///
/// ```no_run
/// use equipoise_schedule::{
///     ScheduleName,
///     conformance::{self, ProbeName, SetName},
///     device::Gpu,
/// };
///
/// fn example(gpu: &Gpu) -> Result<(), String> {
///     let schedule = ScheduleName::MergePath.into();
///     conformance::check(gpu, schedule, SetName::Csr, ProbeName::SumU32, &[3, 0, 400])
/// }
/// ```
pub fn check(
    gpu: &Gpu,
    options: ScheduleOptions,
    set: SetName,
    work: ProbeName,
    sizes: &[u32],
) -> Result<(), String> {
    match try_settings(gpu, &[options], set, work, sizes) {
        Ok(_) => Ok(()),
        Err(Failure::Wrong(problem)) => Err(problem),
        Err(Failure::Lost(error)) => Err(error.to_string()),
    }
}

/// Cubes to launch where settings leave it open: as many as there is work for, and few.
const CUBES: [Option<u32>; 3] = [None, Some(1), Some(2)];

fn try_settings(
    gpu: &Gpu,
    settings: &[ScheduleOptions],
    set: SetName,
    work: ProbeName,
    sizes: &[u32],
) -> Result<usize, Failure> {
    let with_cubes = settings.iter().flat_map(|&options| match options.cubes {
        Some(_) => vec![options],
        None => CUBES.map(|cubes| ScheduleOptions { cubes, ..options }).to_vec(),
    });
    match work {
        ProbeName::Shares | ProbeName::Atoms => {
            let by_atoms = work == ProbeName::Atoms;
            let subjects: Vec<Shares> =
                with_cubes.map(|options| Shares { options, by_atoms }).collect();
            check::check(gpu, &subjects, set, work, sizes)
        }
        _ => {
            let subjects: Vec<Named> = with_cubes.map(Named).collect();
            check::check(gpu, &subjects, set, work, sizes)
        }
    }
}

/// Runs the suite with a schedule of one's own, with cubes of the given shape: rows and a
/// frontier, all shapes of the battery, works of every kind, 1, 2 and 5 cubes. Gives the number of
/// runs, or what went wrong first.
///
/// ```no_run
/// use equipoise_schedule::{
///     conformance::{self, Size},
///     device::Gpu,
///     schedules::{Shape, ThreadMapped},
/// };
///
/// fn example(gpu: &Gpu) -> Result<usize, String> {
///     let shape = Shape { units: 64, plane: gpu.plane_size(), group: 64, items: 1 };
///     conformance::check_schedule::<ThreadMapped>(gpu, shape, Size::Small)
/// }
/// ```
pub fn check_schedule<S: Schedule>(gpu: &Gpu, shape: Shape, size: Size) -> Result<usize, String> {
    let subjects = [1, 2, 5].map(|cubes| Own::<S> { shape, cubes, schedule: PhantomData });
    let mut runs = 0;
    for (set, work) in settings::of_own_schedule(gpu.plane_size()) {
        for tiles in Battery::ALL {
            let case = |problem| format!("{set}, {work}, {tiles}: {problem}");
            runs += match check::check(gpu, &subjects, set, work, &tiles.sizes(size)) {
                Ok(runs) => runs,
                Err(Failure::Wrong(problem)) => return Err(case(problem)),
                Err(Failure::Lost(error)) => return Err(case(error.to_string())),
            };
        }
    }
    Ok(runs)
}
