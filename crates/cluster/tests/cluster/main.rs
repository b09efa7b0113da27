//! Whole graphs over several ranks, each a thread, beside the same on one machine.

// Clippy's leave for tests does not reach the functions that tests share.
#![allow(clippy::unwrap_used)]

mod bfs;
mod components;
mod exchange;
mod graph;
mod threads;
mod whole;
