//! The library through its public interface, and the program.

// Clippy's permission for tests does not cover the functions that tests share.
#![allow(clippy::unwrap_used)]

mod experiments;
mod learn;
mod program;
mod report;
#[path = "../../../crates/cli/tests/shared/mod.rs"]
mod shared;
