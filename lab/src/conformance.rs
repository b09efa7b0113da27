//! The conformance suites of the schedules and of the engine's operators, as checks of a device.

use equipoise::{Result, device::OpenDevice};
use equipoise_conformance::{Case, Size, Variety, run_operators, run_schedule};
use equipoise_schedule::{ScheduleName, engine::Spread};
use equipoise_self_test::{Check, Suite, Target};

/// Both suites.
pub const SUITES: [Suite; 2] = [
    Suite { name: "schedules", gpu_only: true, run: schedules },
    Suite { name: "operators", gpu_only: true, run: operators },
];

/// Every schedule on every tile set of the battery: each atom is visited once, each tile ended once. Small inputs get the
/// usual works and settings only, as kernels take longer to compile than to run.
fn schedules(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    let OpenDevice::Gpu(gpu) = &target.device else { return Ok(()) };
    let (size, variety) =
        if target.large { (Size::Large, Variety::All) } else { (Size::Small, Variety::Usual) };
    let mut report = |case: &Case| {
        let detail = |problem: &String| format!("{}, {}: {problem}", case.set, case.work);
        let verdict = case.verdict.as_ref().copied().map_err(detail);
        report(Check { subject: case.schedule.name(), input: case.tiles.name(), verdict });
    };
    for &schedule in ScheduleName::ALL.iter().filter(|schedule| target.wants(schedule.name())) {
        run_schedule(gpu, schedule, size, variety, &mut report)?;
    }
    Ok(())
}

/// Every operator, in parts and under every schedule, compared with plain Rust.
fn operators(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    let OpenDevice::Gpu(gpu) = &target.device else { return Ok(()) };
    for spread in Spread::all().filter(|spread| target.wants(spread.name())) {
        run_operators(gpu, &spread, |case| {
            let detail = |problem: &String| format!("{}: {problem}", case.operator);
            let verdict = case.verdict.as_ref().copied().map_err(detail);
            report(Check { subject: spread.name(), input: case.graph, verdict });
        })?;
    }
    Ok(())
}
