//! Models through their public interface.

// Clippy's leave for tests does not reach the functions that tests share.
#![allow(clippy::unwrap_used)]

mod allocation;
mod choosing;
mod malformed;
mod models;
mod round_trip;
