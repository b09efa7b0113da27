//! Sparse linear algebra on a GPU.

mod dense;
mod matrix;
mod number;
mod policy;
mod reorder;
mod scatter;
mod spgemm;
mod spmm;
mod spmv;

pub use dense::DeviceDense;
pub use matrix::DeviceMatrix;
pub use number::Number;
pub use policy::{paper_schedule, spmm_schedule, spmv_schedule};
pub use reorder::{DeviceReordering, Reordering};
pub use scatter::ScatterPlan;
pub use spgemm::spgemm;
pub(crate) use spmm::Four;
pub use spmm::SpmmPlan;
pub use spmv::SpmvPlan;
