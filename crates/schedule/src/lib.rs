//! A programming model for irregular work on GPUs.
//!
//! How work is spread over threads is a part of its own here: a *tile set* says what there is to
//! do, a *work* what is done with each piece, and a *schedule* who does it.

pub mod device;
mod error;

pub use error::{Error, Result};
