//! The algorithms on a GPU: on the first that wgpu finds, which can be one in software.
#![cfg(feature = "wgpu")]
// Clippy's permission for tests does not cover the functions that tests share.
#![allow(clippy::unwrap_used)]

#[path = "../support/every.rs"]
mod every;
#[path = "../support/graphs.rs"]
mod graphs;
#[cfg(feature = "serde")]
#[path = "../support/sweep.rs"]
mod sweep;

mod apsp;
mod bfs_policy;
mod color;
mod color_policy;
mod common;
mod every_algorithm;
mod graphalytics;
mod loaded;
mod memory;
mod model_devices;
mod models;
mod on_gpu;
#[cfg(feature = "serde")]
mod options;
mod overflow;
mod paths;
mod search;
mod search_options;
mod sparse;
mod sparse_device;
mod spgemm;
mod spmv_policy;
mod sssp_policy;
mod stopping;
mod tensor;
mod verify;
mod verify_in_place;
mod whole_graphs;
