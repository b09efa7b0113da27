//! Code shared by the benchmarks: measuring, and the programs to compare with.

pub mod copy;
pub mod cusparse;
pub mod direct;
pub mod gap;
pub mod library;
pub mod measure;
pub mod petgraph;
pub mod python;
pub mod small;
pub mod traversal;

/// The result of a benchmark's operations; errors are for people.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
