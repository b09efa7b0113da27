//! The program, called like a user or a script does.

mod bench;
mod cases;
mod command_line;
mod common;
#[cfg(feature = "wgpu")]
mod conformance;
mod guide;
#[cfg(feature = "wgpu")]
mod learning;
#[cfg(feature = "wgpu")]
mod learning_spmv;
mod overwriting;
#[cfg(feature = "wgpu")]
mod policies;
#[cfg(feature = "wgpu")]
mod product;
mod signals;
mod standard_output;
mod sweep;
