//! Graph analytics in which how work is spread over threads can be swapped, measured and chosen.
//!
//! Open a device, load a graph onto it once, and call algorithms as methods: [`LoadedGraph`] has
//! [`bfs`], [`sssp`], [`apsp`], [`cdlp`], [`color`], [`communities`], [`components`], [`betweenness`], [`kcore`], [`lcc`], [`mis`], [`mst`],
//! [`pagerank`], [`paths`] and [`triangles`], [`LoadedMatrix`] has [sparse products](sparse) and
//! [`LoadedTensor`] has [`mttkrp`](tensor). Each
//! algorithm is a module with its options, its result, which carries a [`Trace`], [`Times`] and a
//! verifier, and a function that runs it on the cpu without ceremony.
//!
//! ```
//! use equipoise::prelude::*;
//!
//! let roads = Edges::from(vec![(0, 1, 4u32), (1, 2, 5), (0, 2, 12), (3, 4, 1)]);
//! let graph = GraphBuilder::new().undirected(true).build(roads)?;
//! let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
//! let paths = loaded.sssp(0, &SsspOptions::default())?;
//! assert_eq!(paths.distance(2)?, Some(9.0));
//! assert_eq!(paths.path_to(2)?, Some(vec![0, 1, 2]));
//! # Ok::<(), Error>(())
//! ```

pub mod algorithm;
pub mod apsp;
pub mod betweenness;
pub mod bfs;
mod bisect;
mod cache;
pub mod cdlp;
mod certificate;
pub mod color;
pub mod communities;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod compiled;
pub mod components;
pub mod device;
mod device_check;
mod digest;
mod distances;
mod error;
pub mod explain;
mod gpu_graph;
#[cfg(feature = "serde")]
mod json;
pub mod kcore;
mod kernels;
pub mod lcc;
mod learned;
mod limits;
mod loaded;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
pub mod mis;
pub mod mst;
mod named;
mod neighbors;
pub mod npy;
mod once;
mod overflow;
pub mod pagerank;
pub mod paths;
mod permute;
mod prefetch;
pub mod prelude;
mod random;
mod random_order;
mod rows;
mod run;
#[cfg(feature = "serde")]
mod seconds;
mod shape;
mod share;
pub mod sparse;
pub mod sssp;
mod team;
pub mod tensor;
mod times;
mod trace;
pub mod traversal;
mod tree;
pub mod triangles;
mod votes;
mod weights;

pub use distances::Distances;
pub use equipoise_graph::{self as graph, cancel};
pub use equipoise_select as select;
pub use error::{Error, Result};
pub use loaded::LoadedGraph;
pub use named::{named_vertex, named_vertices};
pub use sparse::{LoadedMatrix, LoadedVector};
pub use tensor::LoadedTensor;
pub use times::Times;
pub use trace::{Step, Trace};

/// In place of a level, parent or predecessor: the vertex was not reached.
///
/// ```
/// assert_eq!(equipoise::NONE, u32::MAX);
/// ```
pub const NONE: u32 = u32::MAX;

/// The examples of the README and of the guide are tests; some are of a GPU's.
#[cfg(all(doctest, any(feature = "cuda", feature = "wgpu")))]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/guide/src/rust.md")]
#[doc = include_str!("../../../docs/guide/src/kernels.md")]
struct Examples;
