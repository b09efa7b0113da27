//! The `equipoise` program as a library, for the programs that start it or share its command line: the one of that name,
//! the one of the Python package, and `equipoise-lab`.

#[cfg(unix)]
pub mod allocator;
pub mod arguments;
mod arrays;
mod choice;
pub mod cli;
mod columns;
mod commands;
mod edges;
pub mod endings;
pub mod failure;
pub mod files;
mod graph_command;
mod help;
mod histogram;
mod ids;
mod interrupt;
mod levels;
mod load;
pub mod machine;
mod measure;
mod memory;
pub mod output;
mod plan_file;
mod precision;
mod product;
pub mod program;
pub mod progress;
pub mod renamed;
mod rows;
pub mod runs;
pub mod screen;
mod search;
pub mod sources;
mod steps;
pub mod suite;
pub mod table;
mod tally;
pub mod threads;
mod trace_file;

use std::ffi::OsString;

use equipoise_base::numbers;

/// Runs the program `equipoise` with these arguments, its name first, and returns the exit code.
///
/// ```
/// assert_eq!(equipoise_cli::main(["equipoise", "info", "path:n=3"].map(Into::into)), 0);
/// assert_eq!(equipoise_cli::main(["equipoise", "inform"].map(Into::into)), 2);
/// ```
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    program::main::<cli::Cli>(arguments)
}
