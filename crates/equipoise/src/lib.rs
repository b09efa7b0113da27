//! Graph analytics in which how work is spread over threads can be swapped, measured and chosen.
//!
//! Each algorithm has an options struct, a function that runs it, a result that carries its
//! [`Trace`] and [`Times`], and a verifier.

mod apsp;
mod bfs;
mod color;
pub mod device;
mod distances;
mod error;
mod gpu_graph;
mod learned;
mod limits;
mod loaded;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
pub mod npy;
mod overflow;
mod prefetch;
mod rows;
mod search;
#[cfg(feature = "serde")]
mod seconds;
mod share;
mod sparse;
mod sssp;
mod times;
mod trace;
mod tree;

pub use apsp::{Apsp, ApspOptions, ApspOutput, ApspStrategy, Numbers, PairDistances, apsp};
pub use bfs::{Bfs, BfsOptions, BfsSearch, Candidate, LevelStepper, bfs, bfs_many, bfs_pulled_at};
pub use color::{
    ActiveDegrees, ColorCandidate, ColorDegrees, ColorOptions, ColorPreference, ColorProgress,
    ColorRule, ColorStrategy, ColorSwitch, ColorSwitchModel, Coloring, QueueUse, color,
};
pub use distances::Distances;
pub use equipoise_graph as graph;
pub use equipoise_select as select;
pub use error::{Error, Result};
pub use loaded::LoadedGraph;
pub use search::{Count, IterationPlan, Strategy, TraversalSettings, graph_shape, level_steps};
pub use sparse::gpu;
pub use sparse::{
    Choice, Dense, LoadedMatrix, LoadedVector, MatrixFeatures, Number, PreparedSpgemm,
    PreparedSpmm, PreparedSpmv, SparseOptions, SparseOrder, SparsePolicy, SparseSchedule, Spgemm,
    Spmm, Spmv, SpmvCandidate, spgemm, spmm, spmv,
};
pub use sssp::{Sssp, SsspCandidate, SsspOptions, SsspSearch, SsspWidth, sssp, sssp_many};
pub use times::Times;
pub use trace::{Step, Trace};

pub mod prelude;

/// In place of a level, parent or predecessor: the vertex was not reached.
///
/// ```
/// assert_eq!(equipoise::NONE, u32::MAX);
/// ```
pub const NONE: u32 = u32::MAX;

/// The examples of the README are tests; the last one is of a GPU's.
#[cfg(all(doctest, any(feature = "cuda", feature = "wgpu")))]
#[doc = include_str!("../../../README.md")]
struct Readme;
