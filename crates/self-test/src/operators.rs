//! The operators of the engine under every schedule, against plain Rust.

use equipoise::{Result, device::OpenDevice};
use equipoise_schedule::{conformance::run_operators, engine::Spread};

use super::{Check, Target};

/// Searches and advances in parts and under every schedule; settling, and gathers under every schedule.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
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
