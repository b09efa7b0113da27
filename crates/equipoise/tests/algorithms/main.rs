//! The algorithms on the cpu, through their public interface.

// Clippy's leave for tests does not reach the functions that tests share.
#![allow(clippy::unwrap_used)]

mod apsp;
mod apsp_hops;
mod apsp_verify;
mod betweenness;
mod bfs;
mod cancel;
mod color;
mod communities;
mod components;
mod crowded;
mod kcore;
mod mis;
mod mst;
mod mutants;
mod options;
mod overflow;
mod pagerank;
mod paths;
mod sparse;
mod sssp;
mod strong_components;
mod tensor;
mod triangles;
