//! The `equipoise` program.

mod arguments;
mod cli;
mod commands;
mod edges;
mod failure;
mod histogram;
mod interrupt;
mod load;
mod machine;
mod measure;
mod numbers;
mod output;
mod precision;
mod progress;
mod rows;
mod screen;
mod search;
mod sources;
mod steps;
mod table;
mod trace_file;

use std::process::ExitCode;

use failure::Result;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run() -> Result<()> {
    let command = cli::Cli::read()?.command;
    interrupt::clean_up_on_interrupt()?;
    command.run()
}
