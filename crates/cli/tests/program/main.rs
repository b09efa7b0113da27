//! The program as a person, or a person's script, runs it.

// Clippy does not see that helper functions of tests are tests.
#![allow(clippy::unwrap_used)]

mod arrays;
mod bench;
mod cases;
mod common;
#[cfg(unix)]
mod descriptors;
mod files;
#[cfg(feature = "wgpu")]
mod gpu;
mod guide;
mod json;
#[cfg(feature = "wgpu")]
mod learning;
#[cfg(feature = "wgpu")]
mod learning_spmv;
#[cfg(unix)]
mod limits;
mod manners;
mod overwriting;
#[cfg(feature = "wgpu")]
mod policies;
mod readme;
mod signals;
mod standard_output;
mod stopping;
mod sweep;
mod threads;
