//! Sparse linear algebra on a GPU.

mod matrix;
mod spgemm;

pub use matrix::{DeviceMatrix, Number};
pub use spgemm::spgemm;
