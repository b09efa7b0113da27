//! Operators: graph algorithms as an operation on edges or vertices, and a loop.
//!
//! An algorithm is what happens along one edge ([`EdgeOp`]), to one vertex ([`VertexOp`]), or to a vertex with all of its
//! neighbours ([`GatherOp`], [`SettleOp`]). The engine owns the worklists, spreads the work over the GPU under any schedule
//! of the model, and runs the loop:
//!
//! | operator | what it does |
//! | --- | --- |
//! | [`advance`] | applies an operation to every edge that leaves the frontier; the ends that join are the next frontier, each once |
//! | [`pull`] | lets unreached vertices look for a neighbour in the frontier, up to the first |
//! | [`for_each`] | applies an operation to every vertex of a frontier |
//! | [`filter`] | keeps the vertices of a frontier that an operation selects |
//! | [`gather`], [`gather_rows`], [`RowsGather`], [`FrontierGather`] | reduces over the edges of every vertex, or of every vertex of a frontier |
//! | [`settle`] | lets vertices look at all of their neighbours until each vertex is settled |
//! | [`peel`] | removes vertices with few remaining neighbours, level by level |
//! | [`until_empty`] | advances until the frontier is empty: by a schedule, or in [parts](Spread::Parts) without the host |
//! | [`LevelSearch`] | a search by levels; the device chooses push or pull for each |
//! | [`NearFarSearch`] | a search in the order of distances, by near and far worklists |
//!
//! Kernels with a loop of their own let all cubes of a launch wait for each other by [`WaitingCubes`].
//!
//! Connected components: every vertex takes the smallest label in its reach.
//!
//! ```
//! use cubecl::prelude::*;
//! use equipoise_schedule::{
//!     Result,
//!     atomics::*,
//!     device::{Device, Gpu, OpenDevice},
//!     engine::*,
//! };
//!
//! #[derive(CubeType, CubeLaunch)]
//! struct Smallest {
//!     labels: AtomicArray,
//! }
//!
//! impl EdgeOpKind for Smallest {}
//!
//! #[cube]
//! impl EdgeOp for Smallest {
//!     fn label(&self, source: u32) -> u32 {
//!         self.labels.get(source)
//!     }
//!     fn along(&self, label: u32, _edge: u32) -> u32 {
//!         label
//!     }
//!     fn improves(&self, target: u32, label: u32) -> bool {
//!         label < self.labels.get(target)
//!     }
//!     fn relax(&mut self, target: u32, label: u32, _source: u32) -> bool {
//!         label < self.labels.fetch_min(target, label)
//!     }
//! }
//!
//! fn components(gpu: &Gpu, offsets: &[u32], targets: &[u32]) -> Result<Vec<u32>> {
//!     let graph = DeviceGraph::from_rows(gpu, offsets, targets)?;
//!     let all: Vec<u32> = (0..graph.vertices()).collect();
//!     let labels = gpu.upload(&all)?;
//!     let smallest =
//!         Operation::<Smallest>::checked(|| SmallestLaunch::new(AtomicArray::bind(gpu, &labels)));
//!     until_empty(&Frontier::all(&graph)?, Spread::Parts, &smallest)?;
//!     gpu.download(&labels)
//! }
//!
//! if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
//!     // Two edges, both ways: 0 to 2 and 3 to 4.
//!     let found = components(&gpu, &[0, 1, 1, 2, 3, 4], &[2, 0, 4, 3])?;
//!     assert_eq!(found, [0, 1, 0, 3, 3]);
//! }
//! # Ok::<(), equipoise_schedule::Error>(())
//! ```
//!
//! Each pair of a schedule and an operation is a separate kernel, compiled on its first launch. The program
//! contains each schedule once: operations are [erased](crate::erase) while kernels are defined.

mod advance;
#[allow(missing_docs, reason = "CubeCL's macros generate items without")]
mod barrier;
mod counts;
mod deep;
mod device_loop;
mod frontier;
mod gather;
mod graph;
mod kernels;
mod level_search;
#[allow(missing_docs, reason = "CubeCL's macros generate items without")]
mod levels;
mod near_far;
mod operation;
mod order;
mod pace;
mod peel;
mod pull_level;
mod relax;
mod representations;
#[allow(missing_docs, reason = "CubeCL's macros generate items without")]
mod rows;
#[allow(missing_docs, reason = "CubeCL's macros generate items without")]
mod settle;
mod state;
mod vertices;
#[allow(missing_docs, reason = "CubeCL's macros generate items without")]
mod waiting;
mod worklists;

pub use advance::{Spread, advance, until_empty};
pub use barrier::Barrier;
pub use frontier::Frontier;
pub use gather::{
    FrontierGather, GatherOp, GatherOpExpand, GatherOpKind, RowsGather, gather, gather_rows,
};
pub use graph::*;
pub use level_search::{Direction, LevelLimits, LevelSearch};
pub use levels::{DirectionNode, DirectionTree, LevelNumber, pulls};
pub use near_far::NearFarSearch;
pub use operation::*;
pub use pace::{LoopBatch, LoopMode};
pub use peel::peel;
pub use representations::FrontierParts;
pub use rows::*;
pub use settle::*;
pub use vertices::{filter, for_each, pull};
pub use waiting::{BarrierWords, BarrierWordsLaunch, WaitingCubes};
pub use worklists::parts_words;
