//! A programming model for irregular work on GPUs.
//!
//! How work is spread over threads is a part of its own here: a *tile set* says what there is to
//! do, a *work* what is done with each piece, and a *schedule* who does it.

#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod bins;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub mod conformance;
pub mod device;
mod error;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub mod input;
#[cfg(feature = "lower")]
pub mod lower;
mod name;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub mod plan;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub mod primitives;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub mod ranges;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub mod schedules;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub mod share;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub mod tiles;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub mod work;

pub use error::{Error, Result};
pub use name::ScheduleName;
