//! The terminal interface that the programs of Equipoise share: the arguments that name and read a
//! graph, the files that a command reads and writes, failures with their exit codes, the screen,
//! tables, and rows of results.
//!
//! ```
//! use equipoise_terminal::{failure::Failure, table::{Column, draw}};
//!
//! assert_eq!(Failure::usage("no such option").code(), 2);
//! assert!(draw(&[Column::Right("level")], [vec!["3".into()]]).ends_with(" 3"));
//! ```

pub mod arguments;
pub mod endings;
#[cfg(feature = "equipoise")]
mod engine;
pub mod failure;
pub mod files;
pub mod ids;
pub mod output;
pub mod rows;
pub mod screen;
pub mod table;
pub mod values;
