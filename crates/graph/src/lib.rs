//! Graphs, sparse matrices and sparse tensors for Equipoise.
//!
//! [`Graph`] and [`Matrix`] share one storage: compressed sparse rows ([`Csr`]) with `u32` column
//! ids and `u64` offsets, owned or in a memory-mapped file. A [`GraphBuilder`] builds a graph from
//! edges in any order. [`SparseTensor`] has three modes, in coordinate form.
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
pub mod cancel;
mod csr;
mod edges;
mod error;
mod file_map;
mod fits_device;
pub mod generate;
mod graph;
mod ids;
mod integrity;
pub mod io;
mod limits;
mod matrix;
pub mod memory;
mod names;
mod nearest;
#[doc(hidden)]
pub mod numbers;
mod palette;
#[doc(hidden)]
pub mod parallel;
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
pub use error::{Error, Remedy, Result};
pub use graph::{Coo, Graph};
pub use ids::{VertexId, VertexIds};
pub use limits::{MAX_ON_DEVICE, MAX_VERTICES};
pub use matrix::{Matrix, Value};
pub use names::UnknownName;
#[doc(hidden)]
pub use palette::Palette;
pub use source::{Source, load, load_matrix, load_tensor};
pub use storage::Storage;
pub use tensor::{Mode, Slices, SparseTensor};
pub use vertex_names::VertexNames;
pub use weights::{WeightType, Weights};
