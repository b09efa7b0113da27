//! `equipoise-lab conformance`: does a device run schedules and operators as it should?

use clap::builder::PossibleValuesParser;
use equipoise_cli::{
    checks::{self, CheckArguments},
    failure::Result,
};

use crate::conformance::SUITES;

const EXAMPLE: &str = "\
Examples:
  equipoise-lab conformance --device cuda
  equipoise-lab conformance --suite schedules --only merge-path --size large";

/// Check every schedule and every operator of the engine on a GPU
///
/// Runs every schedule on tile sets of many shapes, checking that each atom is visited exactly once
/// and each tile ended exactly once, and every operator on graphs of many shapes, compared with plain
/// Rust. Large inputs run under all settings. The exit code is 1 if anything is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// Run this suite only; may be given several times
    #[arg(long = "suite", value_name = "NAME", help_heading = "Run",
        value_parser = PossibleValuesParser::new(SUITES.map(|suite| suite.name)))]
    suites: Vec<String>,
    #[command(flatten)]
    checks: CheckArguments,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    checks::run("conformance", &SUITES, &arguments.suites, arguments.checks)
}
