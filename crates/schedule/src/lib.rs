//! A programming model for irregular work on GPUs.
//!
//! It separates how work is spread over threads from what is done:
//!
//! - An **atom** is a piece of work of equal cost: an entry of a sparse matrix, an edge of a graph. A **tile** is a
//!   group of any number of atoms: a row with its entries, a vertex with its edges. A [tile set](tiles) defines the
//!   tiles and atoms.
//! - A [work](work::Work) defines what is done with an atom, how the values of atoms are combined, and what is done
//!   with the total of a tile.
//! - A [schedule](schedules) assigns atoms to the units, planes or cubes of a GPU.
//!
//! Any schedule works with any work and any tile set, so that schedules can be swapped and measured alone. A
//! [`Plan`](plan::Plan) puts the three together; a custom kernel can loop over a [`Share`](share::Share) instead. All
//! of it runs on a [device]. The crate `equipoise-conformance` checks schedules and operators on one.
//!
//! The sums of the rows of a matrix, in full:
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
//!     let rows = CsrRows::from_offsets(&offsets, 5)?;
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
//! The crate has three layers: [`device`], [`model`] and [`engine`], each on those before it. The modules of
//! [`model`] are re-exported here. The folder `examples` has a custom work, schedule, tile set and kernel.

pub mod device;
pub mod engine;
mod error;
#[cfg(feature = "lower")]
pub mod lower;
pub mod model;

pub use error::{Error, Result};
pub use model::{
    ScheduleName, atomics, erase, input, plan, primitives, ranges, schedules, share, tiles, work,
};
