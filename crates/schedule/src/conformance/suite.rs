//! The suite as tests.

use super::{Size, Variety, run_schedule};
use crate::{ScheduleName, device::Gpu};

/// Makes a module with a test of each schedule on one device: `conformance_suite!(name, gpu)`,
/// where `gpu` is an expression that gives a [`Gpu`](crate::device::Gpu), and panics where there
/// is none. A third argument is the [`Size`](crate::conformance::Size), otherwise `Size::Small`, and a fourth
/// the [`Variety`](crate::conformance::Variety), otherwise `Variety::All`.
///
/// ```no_run
/// use equipoise_schedule::{conformance_suite, device::{Device, Gpu, OpenDevice}};
///
/// fn gpu() -> Gpu {
///     match Device::Auto.open() {
///         Ok(OpenDevice::Gpu(gpu)) => gpu,
///         other => panic!("there is no GPU: {other:?}"),
///     }
/// }
///
/// conformance_suite!(best, gpu());
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! conformance_suite {
    ($name:ident, $gpu:expr) => {
        $crate::conformance_suite!($name, $gpu, $crate::conformance::Size::Small);
    };
    ($name:ident, $gpu:expr, $size:expr) => {
        $crate::conformance_suite!($name, $gpu, $size, $crate::conformance::Variety::All);
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
                    $crate::conformance::assert_conforms(&$gpu, schedule, $size, $variety);
                }
            )+

            #[test]
            fn no_schedule_is_left_out() {
                let tested = [$($crate::ScheduleName::$schedule),+];
                assert_eq!(tested, $crate::ScheduleName::ALL);
            }
        }
    };
}

/// Runs the suite with a schedule and panics with the cases that failed.
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
        Ok(summary) => assert!(summary.runs > 0, "{schedule}: nothing was run"),
    }
}
