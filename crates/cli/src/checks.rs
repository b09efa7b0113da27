//! Checks of a device, suite by suite: what `equipoise self-test` and `equipoise-lab conformance` share.

use std::time::{Duration, Instant};

use equipoise::device::{Device, OpenDevice};
use equipoise_self_test::{Suite, Target};
use serde::Serialize;

use crate::{
    arguments::ThreadArguments,
    failure::{Failure, Result},
    machine, numbers,
    screen::{Screen, ScreenArguments},
    tally::Tally,
};

/// The most problems that are printed per suite; `--verbose` and `--json` print all.
const PRINTED_PROBLEMS: usize = 10;

/// The device to check, and how thoroughly.
#[derive(Debug, clap::Args)]
pub struct CheckArguments {
    /// What to check: auto is the best device, cuda:1 the second of CUDA's
    #[arg(long, default_value_t, help_heading = "Run")]
    device: Device,
    /// Check this schedule or strategy only, such as merge-path; may be given several times
    #[arg(long, value_name = "NAME", help_heading = "Run")]
    only: Vec<String>,
    /// How large the inputs are; large ones take minutes on a GPU
    #[arg(long, help_heading = "Run", default_value = "small", value_parser = ["small", "large"])]
    size: String,
    #[command(flatten)]
    threads: ThreadArguments,
    #[command(flatten)]
    screen: ScreenArguments,
}

#[derive(Serialize)]
struct Document {
    command: &'static str,
    device: Device,
    model: Option<String>,
    large: bool,
    suites: Vec<Outcome>,
    checks: usize,
    failed: usize,
    seconds: f64,
}

#[derive(Serialize)]
struct Outcome {
    name: &'static str,
    seconds: f64,
    #[serde(flatten)]
    tally: Tally,
}

/// Runs the suites named in `selected`, all of them if it is empty, and prints the verdicts. Fails if any check does.
pub fn run(
    command: &'static str,
    suites: &[Suite],
    selected: &[String],
    arguments: CheckArguments,
) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let open = arguments.device.open()?;
    let device = machine::named(arguments.device, &open);
    let model = machine::model(&open);
    let size = arguments.size;
    let name = model.as_deref().map_or(String::new(), |model| format!(", {model}"));
    screen.fact("device", format_args!("{device}{name}; {size} inputs"))?;

    let start = Instant::now();
    let target = Target { device: open, large: size == "large", only: arguments.only };
    let mut outcomes = Vec::new();
    let is_selected =
        |suite: &&Suite| selected.is_empty() || selected.iter().any(|name| name == suite.name);
    for suite in suites.iter().filter(is_selected) {
        outcomes.extend(outcome(suite, &target, &mut screen)?);
    }
    let (checks, failed) = outcomes
        .iter()
        .fold((0, 0), |sum, suite| (sum.0 + suite.tally.checks, sum.1 + suite.tally.failed));
    if checks == 0 && !target.only.is_empty() {
        let only = target.only.join(", ");
        return Err(Failure::new(format!("nothing was checked: {device} has no `{only}`")));
    }
    let time = start.elapsed();
    print_total(checks, failed, time, &mut screen)?;
    let (large, seconds) = (target.large, time.as_secs_f64());
    let suites = outcomes;
    screen.json(&Document { command, device, model, large, suites, checks, failed, seconds })?;
    match failed {
        0 => Ok(()),
        failed => Err(Failure::new(format!("{failed} of {checks} checks failed on {device}"))),
    }
}

/// Runs a suite; `None` if the device supports none of it.
fn outcome(suite: &Suite, target: &Target, screen: &mut Screen) -> Result<Option<Outcome>> {
    let &Suite { name, gpu_only, run } = suite;
    if gpu_only && matches!(target.device, OpenDevice::Cpu) {
        screen.line(format_args!("\n{name}: for GPUs only"))?;
        return Ok(None);
    }
    let start = Instant::now();
    let mut tally = Tally::default();
    run(target, &mut |check| tally.count(check))?;
    screen.line(format_args!("\n{}", tally.table(name)))?;
    let problems = tally.problems.len();
    let printed = if screen.is_verbose() { problems } else { PRINTED_PROBLEMS };
    for problem in tally.problems.iter().take(printed) {
        screen.line(format_args!("FAILED {problem}"))?;
    }
    if problems > printed {
        screen.line(format_args!("and {} more: --verbose tells all", problems - printed))?;
    }
    Ok(Some(Outcome { name, seconds: start.elapsed().as_secs_f64(), tally }))
}

fn print_total(checks: usize, failed: usize, time: Duration, screen: &mut Screen) -> Result<()> {
    let time = numbers::time(time);
    let checks = numbers::counted(checks as u64, "check", "checks");
    let verdict = match failed {
        0 => "all passed".to_owned(),
        failed => format!("{failed} failed"),
    };
    screen.line("")?;
    screen.fact("total", format_args!("{checks} in {time}: {verdict}"))
}
