//! Learning through its public interface.

// Clippy's leave for tests does not reach the functions that tests share.
#![allow(clippy::unwrap_used)]

mod comparing;
mod determinism;
mod embedded;
mod ensembles;
mod evaluating;
mod holding_out;
mod pictures;
mod recording;
mod rules;
mod splitting;
mod tables;
mod weighting;
