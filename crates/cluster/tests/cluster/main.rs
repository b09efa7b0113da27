//! Graphs over several ranks, which are threads, compared with one machine.

// Clippy's permission for tests does not cover the functions that tests share.
#![allow(clippy::unwrap_used)]

mod algorithms;
mod bfs;
#[cfg(feature = "cli")]
mod commands;
mod components;
mod examples;
mod exchange;
#[cfg(feature = "wgpu")]
mod gpu;
mod graph;
mod reading;
mod threads;
mod whole;
