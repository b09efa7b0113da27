//! The program as a person, or a person's script, runs it.

mod bench;
mod cases;
mod command_line;
mod common;
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
