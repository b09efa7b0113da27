//! The algorithms on the CPU, through their public interface.

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
mod apsp_hops;
mod apsp_verify;
mod betweenness;
mod bfs;
mod cancel;
mod cdlp;
#[cfg(unix)]
mod changed;
mod color;
mod communities;
mod communities_leiden;
mod components;
mod crowded;
mod every_algorithm;
mod kcore;
mod lcc;
mod lengths;
mod mis;
mod mst;
mod mutants;
#[cfg(feature = "serde")]
mod options;
mod oracles;
mod overflow;
mod pagerank;
mod paths;
mod paths_diameter;
mod sparse;
mod sssp;
mod strong_components;
mod tensor;
mod triangles;

/// Runs work in a pool of its own with this many threads.
fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}
