//! The commands, one file each.

mod completions;
mod devices;
mod man;

use clap::Subcommand;

use crate::failure::Result;

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    Devices(devices::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

impl Command {
    /// Does it.
    pub fn run(self) -> Result<()> {
        match self {
            Command::Devices(arguments) => devices::run(arguments),
            Command::Completions(arguments) => completions::run(arguments),
            Command::Man(arguments) => man::run(arguments),
        }
    }
}
