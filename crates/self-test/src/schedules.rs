//! The conformance suite of the schedules: each atom is visited once, each tile ended once.

use equipoise::Result;

use super::{Check, Target};

/// Every schedule on every tile set of the battery; with small inputs, which are for those who wait,
/// by the usual works and settings.
pub fn run(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    use equipoise::device::OpenDevice;
    use equipoise_schedule::{
        ScheduleName,
        conformance::{Case, Size, Variety, run_schedule},
    };

    let OpenDevice::Gpu(gpu) = &target.device else { return Ok(()) };
    let (size, variety) = match target.large {
        true => (Size::Large, Variety::All),
        false => (Size::Small, Variety::Usual),
    };
    let mut report = |case: &Case| {
        let detail = |problem: &String| format!("{}, {}: {problem}", case.set, case.work);
        let verdict = case.verdict.as_ref().copied().map_err(detail);
        report(Check { subject: case.schedule.name(), input: case.tiles.name(), verdict });
    };
    let wanted = ScheduleName::ALL.iter().filter(|schedule| target.wants(schedule.name()));
    for &schedule in wanted {
        run_schedule(gpu, schedule, size, variety, &mut report)?;
    }
    Ok(())
}
