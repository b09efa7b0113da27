//! A programming model for irregular work on GPUs.
//!
//! How work is spread over threads is a part of its own here, apart from what is done:
//!
//! - An **atom** is a piece of work, each about as long as another: an entry of a sparse matrix, an
//!   edge of a graph. A **tile** is a group of atoms, of any number: a row with its entries, a
//!   vertex with its edges. A [tile set](tiles) says what tiles and atoms there are.
//! - A [work](work::Work) says what is done with an atom, how what atoms give is put together, and
//!   what is done with the total of a tile.
//! - A [schedule](schedules) says which unit, plane or cube of a GPU does which atoms.
//!
//! Any schedule goes with any work and any tile set, so that one can be swapped, measured and
//! chosen without touching the others. A [`Plan`](plan::Plan) puts the three together; a kernel of
//! one's own can loop over a [`Share`](share::Share) instead. All of it runs on a
//! [device], and [`conformance`] proves that it does so rightly.
//!
//! The sums of a matrix' rows, in full:
//!
//! ```no_run
//! use cubecl::prelude::*;
//! use equipoise_schedule::{
//!     Result, ScheduleName,
//!     device::{Device, Gpu, OpenDevice},
//!     input::Input,
//!     plan::Plan,
//!     tiles::CsrRows,
//!     work::*,
//! };
//!
//! #[derive(CubeType, CubeLaunch)]
//! struct RowSums {
//!     values: Input<f32>,
//!     sums: Array<f32>,
//! }
//!
//! impl WorkKind for RowSums {}
//!
//! #[cube]
//! impl Work for RowSums {
//!     type Value = f32;
//!
//!     fn identity() -> f32 {
//!         0f32.runtime()
//!     }
//!
//!     fn atom(&mut self, _row: u32, entry: u32) -> f32 {
//!         self.values[entry as usize]
//!     }
//!
//!     fn combine(a: f32, b: f32) -> f32 {
//!         a + b
//!     }
//!
//!     fn end(&mut self, row: u32, total: f32) {
//!         self.sums[row as usize] = total;
//!     }
//! }
//!
//! fn row_sums(gpu: &Gpu) -> Result<Vec<f32>> {
//!     // Three rows, with 2, 0 and 3 entries.
//!     let offsets = gpu.upload(&[0, 2, 2, 5])?;
//!     let values = gpu.upload(&[1f32, 2.0, 3.0, 4.0, 5.0])?;
//!     let sums = gpu.empty(3)?;
//!     let rows = CsrRows::of(&offsets, 5)?;
//!     let plan = Plan::<_, RowSums>::new(gpu, ScheduleName::MergePath.into(), &rows)?;
//!     plan.run_checked(&rows, || RowSumsLaunch::new(values.arg(), sums.arg()));
//!     gpu.download(&sums)
//! }
//!
//! fn main() -> Result<()> {
//!     if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
//!         assert_eq!(row_sums(&gpu)?, [3.0, 0.0, 12.0]);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! The folder `examples` has a work, a schedule, a tile set and a kernel of one's own.

mod any_plan;
#[allow(missing_docs, reason = "what CubeCL's macros generate has none")]
pub mod atomics;
mod bins;
pub mod conformance;
mod counted_plan;
mod cuts;
pub mod device;
#[cfg(feature = "graphs")]
pub mod engine;
#[allow(missing_docs, reason = "what CubeCL's macros call has none")]
pub mod erase;
mod error;
pub mod input;
#[cfg(feature = "lower")]
pub mod lower;
mod name;
mod options;
pub mod plan;
pub mod primitives;
mod queues;
#[allow(missing_docs, reason = "what CubeCL's macros generate has none")]
pub mod ranges;
#[allow(missing_docs, reason = "what CubeCL's macros generate has none")]
pub mod schedules;
mod shape;
#[allow(missing_docs, reason = "what CubeCL's macros generate has none")]
pub mod share;
pub mod tiles;
#[allow(missing_docs, reason = "what CubeCL's macros generate has none")]
pub mod work;

pub use error::{Error, Result};
pub use name::ScheduleName;
