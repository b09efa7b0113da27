//! Sparse linear algebra on a GPU.

mod matrix;

pub use matrix::{DeviceMatrix, Number};
