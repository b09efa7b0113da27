//! The `equipoise` program as a library, for programs that start it or share its command line:
//! `equipoise`, the Python package, and `equipoise-lab`.

#[cfg(unix)]
pub mod allocator;
pub mod arguments;
mod arrays;
pub mod checks;
mod choice;
pub mod cli;
mod columns;
mod commands;
mod edges;
mod help;
mod histogram;
mod interrupt;
pub mod launcher;
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
mod rows;
pub mod runs;
mod search;
pub mod sources;
mod steps;
pub mod suite;
mod tally;
pub mod threads;
mod trace_file;

use std::ffi::OsString;

use equipoise::graph::numbers;
use equipoise_terminal::ids;
pub use equipoise_terminal::{endings, failure, files, screen, table, values};

/// Runs the program `equipoise` with `arguments`, whose first is the program's name, and returns
/// the exit code.
///
/// ```
/// assert_eq!(equipoise_cli::main(["equipoise", "info", "path:n=3"].map(Into::into)), 0);
/// assert_eq!(equipoise_cli::main(["equipoise", "inform"].map(Into::into)), 2);
/// ```
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    program::main::<cli::Cli>(arguments)
}
