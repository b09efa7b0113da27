//! Sparse linear algebra on a GPU.

mod dense;
mod matrix;
mod policy;
mod reorder;
mod scatter;
mod spgemm;
mod spmm;
mod spmv;

pub use dense::DeviceDense;
pub use matrix::{DeviceMatrix, Number};
pub use policy::{Measured, PaperHeuristic, SchedulePolicy};
pub use reorder::{DeviceReordering, Reordering};
pub use scatter::ScatterPlan;
pub use spgemm::spgemm;
pub(crate) use spmm::Four;
pub use spmm::SpmmPlan;
pub use spmv::SpmvPlan;

use cubecl::ir::{StorageType, Type, features::AtomicUsage};
use equipoise_schedule::device::Gpu;

pub use super::MatrixFeatures;
use crate::{Error, Result};

/// Fails where a GPU does not compute with a type.
fn check_type<T: Number>(gpu: &Gpu) -> Result<()> {
    if size_of::<T>() == size_of::<f64>() && !gpu.properties().f64 {
        return Err(Error::from(equipoise_schedule::Error::Unusable(format!(
            "{} does not compute with f64: use f32, or the cpu",
            gpu.properties().name
        ))));
    }
    Ok(())
}

/// Whether a GPU has atomic additions of a type.
fn adds_atomically<T: Number>(gpu: &Gpu) -> bool {
    let atomic = Type::new(StorageType::Atomic(T::as_type_native_unchecked().elem_type()));
    gpu.client().properties().atomic_type_usage(atomic).contains(AtomicUsage::Add)
}
