//! Measures [Equipoise](equipoise), trains policies on the measurements, and reruns the papers'
//! experiments.
//!
//! [`experiments`] times every candidate of an algorithm and runs the papers' experiments.
//! [`learn`] trains a [`Model`](equipoise::select::Model) on such times and evaluates it.
//! [`report`] draws results as a single page. Only the public interface of Equipoise is used;
//! [`Lab`] is the command line of the program `equipoise-lab`.
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
mod conformance;
mod date;
pub mod experiments;
mod failure;
mod lab;
pub mod learn;
pub mod report;
mod scores;
mod summary;

pub use lab::Lab;
