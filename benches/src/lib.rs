//! What the benchmarks share: how they measure, and the programs they compare with.

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

/// The result of something that a benchmark does; the error is for a person to read.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
