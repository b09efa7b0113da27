//! A programming model for irregular work on GPUs.
//!
//! How work is spread over threads is a part of its own here: a *tile set* says what there is to
//! do, a *work* what is done with each piece, and a *schedule* who does it.

#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub mod device;
mod error;
pub mod input;
#[cfg(feature = "lower")]
pub mod lower;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub mod primitives;
pub mod schedules;
pub mod tiles;
pub mod work;

pub use error::{Error, Result};
