//! Measuring on a GPU: on the first that wgpu finds, which can be one in software.

mod bfs;
mod color;
pub mod common;
mod spmv;
mod sssp;
