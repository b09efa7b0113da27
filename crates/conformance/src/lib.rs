//! A suite that tests schedules on a device: each atom is done exactly once, each tile is ended exactly once, and each
//! total equals the host's.
//!
//! Tests run it, and programs on the user's GPU. [`run`] runs every schedule with
//!
//! - all shapes of the [`Battery`], each with 1 cube, 2 cubes, and enough cubes for the work, the last twice with the
//!   same plan;
//! - rows of a matrix ([`SetName::Csr`]) and totals of `u32` ([`ProbeName::SumU32`]), with cubes of
//!   32, 64, 128, 256 and the most units of the device (9 cubes of these), with 1 item at a time, the default number, and
//!   one more; group-mapped also with groups of 1 to 256 units, thread-mapped with a coarsening of 3;
//! - the other works on rows, and every tile set with totals of `u32`, with the usual settings and
//!   most of them also with cubes of 64 units, groups of 4 and one item at a time;
//! - a frontier with works of every kind, entries with a work without totals;
//! - rows that have counts and no offsets, with works of every kind;
//! - custom kernels that loop over [shares](equipoise_schedule::share::Share), by tiles and by atoms.
//!
//! Works with more units per atom than a plane has are skipped.
//!
//! ```no_run
//! use equipoise_conformance::Size;
//! use equipoise_schedule::{Result, device::Gpu};
//!
//! fn self_test(gpu: &Gpu) -> Result<bool> {
//!     let summary = equipoise_conformance::run(gpu, Size::Small, |case| {
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
// For the tests of the engine.
#[doc(hidden)]
pub mod operations;
mod operators;
mod probe;
mod sets;
mod settings;
mod settle;
mod shares;
mod suite;
mod values;
mod verdict;

pub use battery::{Battery, Size};
pub use operators::{OperatorCase, run_operators};
pub use probe::ProbeName;
pub use sets::SetName;
pub use settings::Variety;

// What `conformance_suite!` expands to.
#[doc(hidden)]
pub use {equipoise_schedule::ScheduleName, suite::assert_conforms};

use std::marker::PhantomData;

use check::{Custom, Named};
use equipoise_schedule::{
    Result,
    device::Gpu,
    plan::ScheduleOptions,
    schedules::{Schedule, Shape},
};
use expected::Failure;
use shares::Shares;

/// The verdict on a schedule with a tile set and a work on one shape of the battery, with all settings.
///
/// ```
/// use equipoise_conformance::{Battery, Case, ProbeName, SetName};
/// use equipoise_schedule::ScheduleName;
///
/// let (schedule, tiles) = (ScheduleName::Binned, Battery::PowerLaw);
/// let (set, work) = (SetName::Csr, ProbeName::SumU32);
/// let case = Case { schedule, tiles, set, work, verdict: Ok(()) };
/// assert_eq!(format!("{} on {}", case.schedule, case.tiles), "binned on power-law");
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
    /// The first difference, and the settings it occurred with.
    pub verdict: Result<(), String>,
}

/// Counts of cases and runs.
///
/// ```
/// use equipoise_conformance::Summary;
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
    /// Runs whose results were compared.
    pub runs: usize,
}

/// Runs the suite with every schedule, and reports each case.
///
/// A wrong result is reported in the case's verdict. Fails only if the device is lost.
///
/// ```no_run
/// use equipoise_conformance::Size;
/// use equipoise_schedule::{Result, device::Gpu};
///
/// fn passes(gpu: &Gpu) -> Result<bool> {
///     Ok(equipoise_conformance::run(gpu, Size::Large, |_| ())?.failed == 0)
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

/// Runs the suite with one schedule, in one variety.
///
/// ```no_run
/// use equipoise_conformance::{Case, Size, Variety, run_schedule};
/// use equipoise_schedule::{Result, ScheduleName, device::Gpu};
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let print = |case: &Case| println!("{} {}", case.tiles, case.verdict.is_ok());
///     let schedule = ScheduleName::Binned;
///     run_schedule(gpu, schedule, Size::Small, Variety::Usual, print)?;
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
            let outcome = run_settings(gpu, &settings, set, work, &tiles.sizes(size));
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

/// Runs a schedule with tiles of the given sizes, on the number of cubes in the options; without one, on 1, 2, and enough
/// cubes for the work. Fails with the first difference.
///
/// ```no_run
/// use equipoise_conformance::{ProbeName, SetName, check};
/// use equipoise_schedule::{ScheduleName, device::Gpu};
///
/// fn example(gpu: &Gpu) -> Result<(), String> {
///     let schedule = ScheduleName::MergePath.into();
///     check(gpu, schedule, SetName::Csr, ProbeName::SumU32, &[3, 0, 400])
/// }
/// ```
pub fn check(
    gpu: &Gpu,
    options: ScheduleOptions,
    set: SetName,
    work: ProbeName,
    sizes: &[u32],
) -> Result<(), String> {
    match run_settings(gpu, &[options], set, work, sizes) {
        Ok(_) => Ok(()),
        Err(Failure::Wrong(problem)) => Err(problem),
        Err(Failure::Lost(error)) => Err(error.to_string()),
    }
}

/// Numbers of cubes for settings without one: enough for the work, and few.
const CUBES: [Option<u32>; 3] = [None, Some(1), Some(2)];

fn run_settings(
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

/// Runs the suite with a custom schedule and cubes of the given shape: rows and a frontier, all shapes of the battery, works
/// of every kind, 1, 2 and 5 cubes. Returns the number of runs, or the first difference.
///
/// ```no_run
/// use equipoise_conformance::{Size, check_schedule};
/// use equipoise_schedule::{
///     device::Gpu,
///     schedules::{Shape, ThreadMapped},
/// };
///
/// fn example(gpu: &Gpu) -> Result<usize, String> {
///     let shape = Shape { units: 64, plane: gpu.plane_size(), group: 64, items: 1 };
///     check_schedule::<ThreadMapped>(gpu, shape, Size::Small)
/// }
/// ```
pub fn check_schedule<S: Schedule>(gpu: &Gpu, shape: Shape, size: Size) -> Result<usize, String> {
    let subjects = [1, 2, 5].map(|cubes| Custom::<S> { shape, cubes, schedule: PhantomData });
    let mut runs = 0;
    for (set, work) in settings::custom_trials(gpu.plane_size()) {
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
