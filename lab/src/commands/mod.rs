//! The commands, one file per command.

mod bench;
mod conformance;
mod evaluate;
mod measure;
mod train;

use clap::Subcommand;
use equipoise_cli::{failure::Result, files::Files};

/// A command with its arguments.
#[derive(Debug, Subcommand)]
pub enum Command {
    Bench(bench::Arguments),
    Measure(measure::Arguments),
    Train(train::Arguments),
    Evaluate(evaluate::Arguments),
    Conformance(conformance::Arguments),
}

impl Command {
    /// Runs the command. `files` are those named by the arguments; a command adds those named
    /// elsewhere.
    pub fn run(self, files: Files) -> Result<()> {
        match self {
            Command::Bench(arguments) => bench::run(arguments, files),
            Command::Measure(arguments) => measure::run(arguments, files),
            Command::Train(arguments) => train::run(arguments),
            Command::Evaluate(arguments) => evaluate::run(arguments),
            Command::Conformance(arguments) => conformance::run(arguments),
        }
    }
}
