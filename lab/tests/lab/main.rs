//! The library through its public interface, and the program as a person, or a person's script, runs it.

// Clippy does not see that helper functions of tests are tests.
#![allow(clippy::unwrap_used)]

mod experiments;
mod learn;
mod program;
mod report;
#[path = "../../../crates/cli/tests/shared/mod.rs"]
mod shared;
