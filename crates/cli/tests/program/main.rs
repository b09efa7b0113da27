//! The program, called like a user or a script does.

// Clippy's permission for tests does not cover the functions that tests share.
#![allow(clippy::unwrap_used)]

mod arrays;
mod cases;
mod claims;
mod command_line;
mod common;
#[cfg(unix)]
mod descriptors;
mod files;
#[cfg(feature = "wgpu")]
mod gpu;
mod guide;
mod headline;
mod ignored;
mod json;
mod lengths;
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
#[cfg(unix)]
mod streams;
mod sweep;
mod threads;
