//! `equipoise self-test`: does a device compute what it should?

use std::time::{Duration, Instant};

use clap::builder::PossibleValuesParser;
use equipoise::device::{Device, OpenDevice};
use equipoise_self_test::{SUITES, Suite, Target};
use serde::Serialize;

use crate::{
    arguments::ThreadArguments,
    failure::{Failure, Result},
    machine, numbers,
    screen::{Screen, ScreenArguments},
    tally::Tally,
};

const EXAMPLE: &str = "\
Examples:
  equipoise self-test
  equipoise self-test --size large
  equipoise self-test --suite schedules --only merge-path
  equipoise self-test --device cuda:1 --json";

/// So many problems are told; `--verbose` and `--json` tell all.
const TOLD: usize = 10;

/// Check that a device computes what it should: schedules and algorithms against the cpu
///
/// Runs every schedule on tile sets of many shapes, checking that each atom is visited exactly once
/// and each tile ended exactly once, and every algorithm that has code for the device on inputs of
/// many shapes, verifying each result. The exit code is 1 where anything is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// What to check: auto is the best device there is, cuda:1 the second of CUDA's
    #[arg(long, default_value_t, help_heading = "Run")]
    device: Device,
    /// Run this suite only; may be given several times
    #[arg(long = "suite", value_name = "NAME", help_heading = "Run",
        value_parser = PossibleValuesParser::new(SUITES.iter().map(|suite| suite.name)))]
    suites: Vec<String>,
    /// Check this schedule or strategy only, such as merge-path; may be given several times
    #[arg(long, value_name = "NAME", help_heading = "Run")]
    only: Vec<String>,
    /// How large the inputs are; with large ones all settings are tried, which takes minutes on a GPU
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

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let open = arguments.device.open()?;
    let device = machine::named(arguments.device, &open);
    let model = machine::model(&open);
    let size = arguments.size;
    let name = model.as_deref().map_or(String::new(), |model| format!(", {model}"));
    screen.fact("device", format_args!("{device}{name}; {size} inputs"))?;

    let start = Instant::now();
    let target = Target { device: open, large: size == "large", only: arguments.only };
    let mut suites = Vec::new();
    let asked = &arguments.suites;
    let wanted = |suite: &Suite| asked.is_empty() || asked.iter().any(|name| name == suite.name);
    for suite in SUITES.iter().filter(|suite| wanted(suite)) {
        suites.extend(outcome(suite, &target, &mut screen)?);
    }
    let (checks, failed) = suites
        .iter()
        .fold((0, 0), |sum, suite| (sum.0 + suite.tally.checks, sum.1 + suite.tally.failed));
    if checks == 0 && !target.only.is_empty() {
        let only = target.only.join(", ");
        return Err(Failure::new(format!("nothing was checked: {device} has no `{only}`")));
    }
    let time = start.elapsed();
    print_total(checks, failed, time, &mut screen)?;
    let (large, seconds) = (target.large, time.as_secs_f64());
    let command = "self-test";
    screen.json(&Document { command, device, model, large, suites, checks, failed, seconds })?;
    match failed {
        0 => Ok(()),
        failed => Err(Failure::new(format!("{failed} of {checks} checks failed on {device}"))),
    }
}

/// Runs a suite, unless the device has nothing of it.
fn outcome(suite: &Suite, target: &Target, screen: &mut Screen) -> Result<Option<Outcome>> {
    let &Suite { name, gpu_only, run } = suite;
    if gpu_only && matches!(target.device, OpenDevice::Cpu) {
        screen
            .line(format_args!("\n{name}: for GPUs only, as the cpu divides work its own way"))?;
        return Ok(None);
    }
    let start = Instant::now();
    let mut tally = Tally::default();
    run(target, &mut |check| tally.count(check))?;
    screen.line(format_args!("\n{}", tally.table(name)))?;
    let told = if screen.is_verbose() { tally.problems.len() } else { TOLD };
    for problem in tally.problems.iter().take(told) {
        screen.line(format_args!("FAILED {problem}"))?;
    }
    if tally.problems.len() > told {
        let more = tally.problems.len() - told;
        screen.line(format_args!("and {more} more: --verbose tells all"))?;
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
