//! `equipoise self-test`: checks that a device computes correct results.

use clap::builder::PossibleValuesParser;
use equipoise_self_test::suites;

use crate::{
    checks::{self, CheckArguments},
    failure::Result,
};

const EXAMPLE: &str = "\
Examples:
  equipoise self-test
  equipoise self-test --size large
  equipoise self-test --suite spmv --only merge-path
  equipoise self-test --device cuda:1 --json";

/// Check that a device computes what it should: every algorithm against the cpu
///
/// Runs every algorithm that has code for the device on inputs of many shapes, and verifies each
/// result. The exit code is 1 if anything is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// Run this suite only; may be given several times
    #[arg(long = "suite", value_name = "NAME", help_heading = "Run",
        value_parser = PossibleValuesParser::new(suites().iter().map(|suite| suite.name)))]
    suites: Vec<String>,
    #[command(flatten)]
    checks: CheckArguments,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    checks::run("self-test", &suites(), &arguments.suites, arguments.checks)
}
