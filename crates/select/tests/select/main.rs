//! Tests of models through their public interface.

// Clippy's exception for tests does not cover the helpers that tests share.
#![allow(clippy::unwrap_used)]

mod allocation;
mod choosing;
mod malformed;
mod models;
mod round_trip;
