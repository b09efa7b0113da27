//! The operators of the engine under every schedule, against plain Rust.

use equipoise::{Result, device::OpenDevice};
use equipoise_schedule::{ScheduleName, conformance::run_operators};

use super::{Check, Target};

/// A search, an advance and a gather under every schedule.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    let OpenDevice::Gpu(gpu) = &target.device else { return Ok(()) };
    let wanted = ScheduleName::ALL.iter().filter(|schedule| target.wants(schedule.name()));
    for &schedule in wanted {
        run_operators(gpu, schedule, |case| {
            let detail = |problem: &String| format!("{}: {problem}", case.operator);
            let verdict = case.verdict.as_ref().copied().map_err(detail);
            report(Check { subject: schedule.name(), input: case.graph, verdict });
        })?;
    }
    Ok(())
}
