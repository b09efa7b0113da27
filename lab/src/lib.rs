//! Measures [Equipoise](equipoise), learns from what was measured, and reruns the papers' experiments.
//!
//! [`experiments`] times every candidate of an algorithm and runs the experiments of the papers. [`learn`] turns such
//! times into a [`Model`](equipoise::select::Model) and evaluates it. [`report`] draws results as one page. The library
//! of Equipoise is used as any user could use it; [`Lab`] is the command line of the program `equipoise-lab`.
//!
//! ```
//! use equipoise_cli::program;
//! use equipoise_lab::Lab;
//!
//! let unknown = ["equipoise-lab", "measures"].map(Into::into);
//! assert_eq!(program::main::<Lab>(unknown), 2);
//! ```

mod commands;
mod comparison;
mod date;
pub mod experiments;
mod failure;
mod lab;
pub mod learn;
pub mod report;
mod scores;
mod summary;

pub use lab::Lab;
