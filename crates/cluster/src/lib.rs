//! Graphs larger than one machine: each rank has a slice, and all algorithms use two exchanges.
//!
//! All ranks build a [`DistGraph`] together, from an [`EdgeSlice`] of each. A rank owns a range of vertices with all of their
//! edges; targets that other ranks own are its mirrors, without edges. An [`Exchange`] sends values from mirrors
//! to owners and from owners to mirrors, and is the only communication of algorithms.
//!
//! A [`Comm`] connects the ranks: a separate crate implements it with MPI, [`Alone`] is a single rank, and [`run_threads`]
//! makes threads the ranks.

mod agree;
mod alone;
mod bfs;
mod bitmap;
mod color;
mod comm;
#[cfg(feature = "cli")]
pub mod commands;
mod components;
mod error;
mod exchange;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub mod gpu;
mod graph;
mod hash;
mod ids;
mod memory;
mod pagerank;
mod partition;
mod parts;
mod read;
mod read_slice;
mod rounds;
mod row_order;
mod rows;
mod share;
mod slice;
mod spmv;
mod sssp;
mod threads;
mod trace;

pub use agree::agree;
pub use alone::Alone;
pub use bfs::{Bfs, BfsDirection, BfsOptions, BfsResult, bfs};
pub use color::{ColorOptions, Coloring, color};
pub use comm::{Comm, Reduction};
pub use components::{ComponentsOptions, ComponentsResult, components};
pub use error::{Error, Result};
pub use exchange::{Exchange, Traffic};
pub use graph::DistGraph;
pub use ids::SliceIds;
pub use memory::{building_bytes, check_memory};
pub use pagerank::{PageRank, PageRankOptions, pagerank};
pub use partition::Partition;
pub use parts::write_parts;
pub use read::read_slice;
pub use read_slice::{ReadSlice, SliceOptions};
pub use rounds::{Rounds, all_gather_in_rounds, all_to_all_in_rounds};
pub use slice::EdgeSlice;
pub use spmv::{Numbers, Spmv, SpmvOptions, operand, spmv};
pub use sssp::{Distances, ShortestPaths, Sssp, SsspOptions, sssp};
pub use threads::{ThreadComm, run_threads};
pub use trace::{Step, Trace};

/// No vertex.
///
/// ```
/// assert_eq!(equipoise_cluster::NONE, u64::MAX);
/// ```
pub const NONE: u64 = u64::MAX;
