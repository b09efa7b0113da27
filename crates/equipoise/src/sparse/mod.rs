//! Sparse linear algebra: a sparse matrix times a vector ([`spmv`]), a dense matrix ([`spmm`])
//! or a sparse matrix ([`spgemm`]), in `f32` and `f64`.
//!
//! The work is divided by a [`SparseSchedule`]. On the cpu, results are the same to the last bit
//! for any number of threads: wherever the division could change a result, it depends on the matrix
//! only.
//!
//! [`spmv`], [`spmm`] and [`spgemm`] run on the cpu; [`LoadedMatrix`] runs all three on any device.

mod candidate;
mod cpu;
mod dense;
mod device;
mod features;
pub mod gpu;
mod learned;
mod options;
mod spgemm;
mod spmm;
mod spmv;
mod vector;
mod verify;

pub use candidate::SpmvCandidate;
pub(crate) use cpu::{
    parts::{Part, parts},
    rows::{RowSums, fill_row, multiply_rows},
};
pub use dense::Dense;
pub use device::{LoadedMatrix, PreparedSpgemm, PreparedSpmm, PreparedSpmv, ScheduleChoice};
pub(crate) use device::{check_no_spmv_options, for_spmm};
pub use features::MatrixFeatures;
pub use gpu::Number;
pub use options::{SparseLayout, SparseOptions, SparseOrder, SparsePolicy, SparseSchedule};
pub use spgemm::{Spgemm, multiplications, spgemm};
pub use spmm::{Spmm, spmm};
pub use spmv::{Spmv, spmv};
pub use vector::LoadedVector;
pub(crate) use verify::{PlainRow, ReferenceSum, check_dense};
