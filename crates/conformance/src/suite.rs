//! The suite as tests.

use equipoise_schedule::{ScheduleName, device::Gpu};

use crate::{Size, Variety, run_schedule};

/// Defines a module with a test per schedule: `conformance_suite!(name, gpu)`, where `gpu` is an expression for a [`Gpu`]
/// that may panic. Optional arguments are the [`Size`](crate::Size) (default `Small`) and the
/// [`Variety`](crate::Variety) (default `All`).
///
/// ```no_run
/// use equipoise_conformance::conformance_suite;
/// use equipoise_schedule::device::{Device, Gpu, OpenDevice};
///
/// fn gpu() -> Gpu {
///     match Device::Auto.open() {
///         Ok(OpenDevice::Gpu(gpu)) => gpu,
///         other => panic!("no GPU: {other:?}"),
///     }
/// }
///
/// conformance_suite!(best, gpu());
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! conformance_suite {
    ($name:ident, $gpu:expr) => {
        $crate::conformance_suite!($name, $gpu, $crate::Size::Small);
    };
    ($name:ident, $gpu:expr, $size:expr) => {
        $crate::conformance_suite!($name, $gpu, $size, $crate::Variety::All);
    };
    ($name:ident, $gpu:expr, $size:expr, $variety:expr) => {
        $crate::conformance_suite! {
            $name, $gpu, $size, $variety,
            thread_mapped: ThreadMapped,
            plane_mapped: PlaneMapped,
            cube_mapped: CubeMapped,
            group_mapped: GroupMapped,
            merge_path: MergePath,
            nonzero_split: NonzeroSplit,
            binned: Binned,
            persistent: Persistent,
            work_stealing: WorkStealing,
        }
    };
    ($name:ident, $gpu:expr, $size:expr, $variety:expr, $($test:ident: $schedule:ident,)+) => {
        mod $name {
            use super::*;

            $(
                #[test]
                fn $test() {
                    let schedule = $crate::ScheduleName::$schedule;
                    $crate::assert_conforms(&$gpu, schedule, $size, $variety);
                }
            )+

            #[test]
            fn every_schedule_has_a_test() {
                let tested = [$($crate::ScheduleName::$schedule),+];
                assert_eq!(tested, $crate::ScheduleName::ALL);
            }
        }
    };
}

/// Runs the suite with a schedule. Panics with the failed cases.
pub fn assert_conforms(gpu: &Gpu, schedule: ScheduleName, size: Size, variety: Variety) {
    let mut problems = Vec::new();
    let summary = run_schedule(gpu, schedule, size, variety, |case| {
        if let Err(problem) = &case.verdict {
            problems.push(format!("{}, {}, {}: {problem}", case.set, case.work, case.tiles));
        }
    });
    let problems = problems.join("\n  ");
    match summary {
        Err(error) => panic!("{schedule}: {error}\n  {problems}"),
        Ok(summary) if summary.failed > 0 => {
            panic!("{schedule}: {} of {} failed\n  {problems}", summary.failed, summary.cases)
        }
        Ok(summary) => assert!(summary.runs > 0, "{schedule}: nothing ran"),
    }
}
