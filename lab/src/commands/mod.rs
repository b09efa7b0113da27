//! The commands, one file each.

mod bench;
mod evaluate;
mod measure;
mod train;

use clap::Subcommand;
use equipoise_cli::{failure::Result, files::Files};

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    Bench(bench::Arguments),
    Measure(measure::Arguments),
    Train(train::Arguments),
    Evaluate(evaluate::Arguments),
}

impl Command {
    /// Runs the command. `files` are those that the arguments name; a command adds those that are named elsewhere.
    pub fn run(self, files: Files) -> Result<()> {
        match self {
            Command::Bench(arguments) => bench::run(arguments, files),
            Command::Measure(arguments) => measure::run(arguments, files),
            Command::Train(arguments) => train::run(arguments),
            Command::Evaluate(arguments) => evaluate::run(arguments),
        }
    }
}
