//! The numbers that GPUs compute with.

use cubecl::{
    ir::{StorageType, Type, features::AtomicUsage},
    prelude::*,
};
use equipoise_schedule::{Error, Result, device::Gpu};

use crate::sparse::device::prepared::ToGpu;

/// A number that GPUs compute with: `f32`, and `f64` where the GPU supports it.
pub trait Number: Float + CubeElement + ToGpu {}

impl Number for f32 {}
impl Number for f64 {}

/// Fails where a GPU does not compute with a type.
pub(super) fn check_type<T: Number>(gpu: &Gpu) -> Result<()> {
    if size_of::<T>() == size_of::<f64>() && !gpu.properties().f64 {
        return Err(Error::Unusable(format!(
            "{} does not compute with f64: use f32, or the cpu",
            gpu.properties().name
        )));
    }
    Ok(())
}

/// Fails where a count exceeds its limit.
pub(super) fn check_count(what: impl Into<String>, count: u64, limit: u32) -> Result<u32> {
    match u32::try_from(count) {
        Ok(count) if count <= limit => Ok(count),
        _ => Err(Error::TooMany { what: what.into(), count, limit: limit.into() }),
    }
}

/// Whether a GPU has atomic additions of a type.
pub(super) fn adds_atomically<T: Number>(gpu: &Gpu) -> bool {
    let atomic = Type::new(StorageType::Atomic(T::as_type_native_unchecked().elem_type()));
    gpu.client().properties().atomic_type_usage(atomic).contains(AtomicUsage::Add)
}
