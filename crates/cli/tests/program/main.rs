//! The program as a person, or a person's script, runs it.

// Clippy does not see that helper functions of tests are tests.
#![allow(clippy::unwrap_used)]

mod arrays;
mod cases;
mod command_line;
mod common;
#[cfg(unix)]
mod descriptors;
mod files;
#[cfg(feature = "wgpu")]
mod gpu;
mod guide;
mod headline;
mod json;
#[cfg(unix)]
mod limits;
mod manners;
#[cfg(feature = "wgpu")]
mod models;
mod overwriting;
mod readme;
#[path = "../shared/mod.rs"]
mod shared;
mod signals;
mod standard_output;
mod stopping;
mod sweep;
mod threads;
