//! The `equipoise` program, for whatever starts it: the program of that name, and the one that the Python package brings.

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

use std::ffi::OsString;

use equipoise_base::numbers;

use crate::{cli::Asked, failure::Result, screen::Screen};

/// Does what the arguments, the program's name first, ask for; the exit code, where it was not ended by a signal.
///
/// ```
/// assert_eq!(equipoise_cli::main(["equipoise", "info", "path:n=3"].map(Into::into)), 0);
/// assert_eq!(equipoise_cli::main(["equipoise", "inform"].map(Into::into)), 2);
/// ```
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    equipoise::graph::io::report_shortened_files();
    match run(arguments) {
        Ok(()) => 0,
        Err(failure) => {
            failure.report();
            failure.code()
        }
    }
}

fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<()> {
    match cli::read(arguments)? {
        Asked::Work { command, files, threads } => {
            let work = || threads::start(threads).and_then(|()| command.run(files));
            interrupt::watch().run(work).unwrap_or_else(|_| interrupt::end())
        }
        Asked::Text(text) => Screen::default().product(&text),
    }
}
