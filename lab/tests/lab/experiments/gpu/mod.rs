//! Measuring on a GPU: on the first that wgpu finds, which can be one in software.
#![cfg(feature = "wgpu")]
// Clippy's leave for tests does not reach the functions that tests share.
#![allow(clippy::unwrap_used)]

mod bfs;
mod color;
mod common;
mod spmv;
mod sssp;
