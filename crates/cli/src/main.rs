//! The `equipoise` program.

#[cfg(unix)]
mod allocator;
mod arguments;
mod arrays;
mod choice;
mod cli;
mod columns;
mod commands;
mod comparison;
mod date;
mod edges;
mod endings;
mod failure;
mod files;
mod graph_command;
mod help;
mod histogram;
mod ids;
mod interrupt;
mod levels;
mod load;
mod machine;
mod measure;
mod memory;
mod numbers;
mod output;
mod plan_file;
mod precision;
mod product;
mod progress;
mod renamed;
mod rows;
mod scores;
mod screen;
mod search;
mod sources;
mod steps;
mod suite;
mod summary;
mod table;
mod tally;
mod threads;
mod trace_file;

use std::{env, ffi::OsString, process::ExitCode};

use crate::{cli::Asked, failure::Result, screen::Screen};

#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: allocator::Guarded = allocator::Guarded::new();

fn main() -> ExitCode {
    #[cfg(unix)]
    ALLOCATOR.put_by();
    quiet_drivers();
    equipoise::graph::io::report_shortened_files();
    match run(env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Does what the arguments, the program's name first, ask for.
fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<()> {
    match cli::read(arguments)? {
        Asked::Work { command, files, threads } => {
            interrupt::watch();
            threads::start(threads)?;
            command.run(files)
        }
        Asked::Text(text) => Screen::default().product(&text),
    }
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
