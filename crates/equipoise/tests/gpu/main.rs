//! The algorithms on a GPU: on the first that wgpu finds, which can be one in software.
#![cfg(feature = "wgpu")]
// Clippy's leave for tests does not reach the functions that tests share.
#![allow(clippy::unwrap_used)]

mod apsp;
mod betweenness;
mod bfs_policy;
mod color;
mod color_policy;
mod communities;
mod components;
mod kcore;
mod loaded;
mod memory;
mod mis;
mod model_devices;
mod models;
mod mst;
mod on;
mod options;
mod overflow;
mod pagerank;
mod paths;
mod search;
mod search_options;
mod sparse;
mod sparse_device;
mod spgemm;
mod spmv_policy;
mod sssp_policy;
mod stopping;
mod strong_components;
mod tensor;
mod triangles;
mod verify;
