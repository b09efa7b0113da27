//! The `equipoise` program.

mod allocator;
mod arguments;
mod bench;
mod cli;
mod commands;
mod date;
mod edges;
mod failure;
mod histogram;
mod interrupt;
mod load;
mod machine;
mod measure;
mod measuring;
mod memory;
mod numbers;
mod output;
mod plan_file;
mod precision;
mod product;
mod progress;
mod rows;
mod scores;
mod screen;
mod search;
mod sources;
mod steps;
mod suite;
mod table;
mod tally;
mod trace_file;

use std::{env, process::ExitCode};

use failure::Result;

#[global_allocator]
static ALLOCATOR: allocator::Guarded = allocator::Guarded::new();

fn main() -> ExitCode {
    ALLOCATOR.put_by();
    quiet_drivers();
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

/// Mesa's Vulkan drivers print an error where this variable is missing, though only windows need
/// it.
fn quiet_drivers() {
    let variable = "XDG_RUNTIME_DIR";
    if env::var_os(variable).is_none() {
        // SAFETY: no other thread runs yet that could read the environment.
        unsafe { env::set_var(variable, env::temp_dir()) };
    }
}
