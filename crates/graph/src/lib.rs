//! Graphs, sparse matrices and sparse tensors for Equipoise.
//!
//! [`Graph`] and [`Matrix`] share one storage: compressed sparse rows ([`Csr`]) with `u32`
//! column ids and `u64` offsets, owned or lying in a memory-mapped file. A [`GraphBuilder`]
//! makes a graph from edges in any order. [`SparseTensor`] has three modes, in coordinate form.
//!
//! ```
//! use equipoise_graph::{Edges, GraphBuilder};
//!
//! let graph = GraphBuilder::new().undirected(true).build(Edges::from(vec![(0, 1), (1, 2)]))?;
//! assert_eq!(graph.vertices(), 3);
//! assert_eq!(graph.neighbors(1), [0, 2]);
//! # Ok::<(), equipoise_graph::Error>(())
//! ```

mod assemble;
mod builder;
mod csr;
mod edges;
mod error;
pub mod generate;
mod graph;
mod ids;
mod integrity;
pub mod io;
mod matrix;
pub mod memory;
mod nearest;
mod source;
pub mod stats;
mod storage;
mod symmetry;
mod tensor;
mod vertex_names;
mod weights;

pub use builder::{Duplicates, GraphBuilder, SelfLoops};
pub use csr::Csr;
pub use edges::Edges;
pub use equipoise_base::{MAX_ON_DEVICE, UnknownName, cancel};
#[doc(hidden)]
pub use equipoise_base::{named_enum, palette::Palette};
pub use error::{Error, Result};
pub use graph::{Coo, Graph};
pub use ids::{VertexId, VertexIds};
pub use matrix::{Matrix, Value};
pub use source::{Source, load, load_matrix, load_tensor};
pub use storage::Storage;
pub use tensor::{Mode, Slices, SparseTensor};
pub use vertex_names::VertexNames;
pub use weights::Weights;

/// The most vertices a graph, and the most rows or columns a matrix, can have.
///
/// One less than the number of `u32` values, so that `u32::MAX` can mean "no vertex".
///
/// ```
/// assert_eq!(equipoise_graph::MAX_VERTICES, 4_294_967_295);
/// ```
pub const MAX_VERTICES: u64 = u32::MAX as u64;
