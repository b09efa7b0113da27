//! Operators: graph algorithms as an operation on edges or vertices, and a loop.
//!
//! An algorithm says what happens along one edge ([`EdgeOp`]), to one vertex ([`VertexOp`]), or to
//! a vertex with all of its neighbours ([`GatherOp`]). The engine owns the worklists, spreads the
//! work over the GPU under any schedule of the model, and runs the loop:
//!
//! | operator | what it does |
//! | --- | --- |
//! | [`advance`] | applies an operation to every edge that leaves the frontier; the far ends it names are the next frontier, each once |
//! | [`for_each`] | applies an operation to every vertex of a frontier |
//! | [`filter`] | keeps the vertices of a frontier for which an operation says so |
//! | [`gather`] | reduces over the edges of every vertex |
//! | [`until_empty`] | advances until the frontier is empty, narrow iterations many in a launch |
//!
//! Connected components: every vertex takes the smallest label in its reach.
//!
//! ```
//! use cubecl::prelude::*;
//! use equipoise_schedule::{
//!     Result, ScheduleName,
//!     device::{Device, Gpu, OpenDevice},
//!     engine::*,
//! };
//!
//! #[derive(CubeType, CubeLaunch)]
//! struct Smallest {
//!     labels: Array<Atomic<u32>>,
//! }
//!
//! #[cube]
//! impl EdgeOp for Smallest {
//!     fn relax(&mut self, source: u32, target: u32, _edge: u32) -> bool {
//!         let label = self.labels[source as usize].load();
//!         label < self.labels[target as usize].fetch_min(label)
//!     }
//! }
//!
//! fn components(gpu: &Gpu, offsets: &[u32], targets: &[u32]) -> Result<Vec<u32>> {
//!     let graph = DeviceGraph::from_rows(gpu, offsets, targets)?;
//!     let all: Vec<u32> = (0..graph.vertices()).collect();
//!     let labels = gpu.upload(&all)?;
//!     let smallest = Operation::<Smallest>::checked(|| SmallestLaunch::new(labels.arg()));
//!     until_empty(Frontier::all(&graph)?, ScheduleName::MergePath.into(), &smallest)?;
//!     gpu.download(&labels)
//! }
//!
//! # fn main() -> Result<()> {
//! if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
//!     // Two edges, both ways: 0 to 2 and 3 to 4.
//!     let found = components(&gpu, &[0, 1, 1, 2, 3, 4], &[2, 0, 4, 3])?;
//!     assert_eq!(found, [0, 1, 0, 3, 3]);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Each pair of a schedule and an operation is a kernel of its own, compiled when it is first
//! launched; in the program, it takes room for each schedule once an operation.

mod advance;
mod device_loop;
mod frontier;
mod gather;
mod graph;
mod operation;
mod vertices;

pub use advance::{EdgeOp, EdgeOpExpand, advance};
pub use device_loop::until_empty;
pub use frontier::Frontier;
pub use gather::{GatherOp, GatherOpExpand, gather};
pub use graph::DeviceGraph;
pub use operation::Operation;
pub use vertices::{VertexOp, VertexOpExpand, filter, for_each};
