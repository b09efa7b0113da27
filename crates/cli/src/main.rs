//! The `equipoise` program.

mod cli;
mod commands;
mod failure;
mod numbers;
mod screen;
mod table;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match cli::Cli::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
