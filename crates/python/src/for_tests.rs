//! Functions for tests of what Python otherwise reaches only on CUDA. Releases do not have them.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use pyo3::prelude::*;

use crate::{
    dlpack::{DlDevice, DlType, Foreign, Vector},
    input::Numbers,
};

/// DLPack's kind of the cpu.
const CPU: i32 = 1;

static LIVING: AtomicUsize = AtomicUsize::new(0);

/// Numbers that count as living until they are dropped.
struct Counted(Vec<f64>);

impl Drop for Counted {
    fn drop(&mut self) {
        LIVING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A capsule of numbers of float64 on the host.
#[pyfunction]
pub fn host_capsule(
    py: Python<'_>,
    numbers: Numbers,
    versioned: bool,
) -> PyResult<Bound<'_, PyAny>> {
    let Numbers::F64(numbers) = numbers else { unreachable!("tests pass float64") };
    LIVING.fetch_add(1, Ordering::Relaxed);
    let owner = Arc::new(Counted(numbers));
    let (address, length) = (owner.0.as_ptr() as u64, owner.0.len());
    let device = DlDevice { kind: CPU, number: 0 };
    Vector { address, length, dtype: DlType::F64, device, owner }.capsule(py, versioned)
}

/// The number of capsules and consumers that keep numbers of [`host_capsule`].
#[pyfunction]
pub fn living_capsules() -> usize {
    LIVING.load(Ordering::Relaxed)
}

type Description = (u64, (i32, i32), String, Vec<i64>, Option<Vec<i64>>);

/// The address, device, type, shape and strides in a capsule of another library.
#[pyfunction]
pub fn described_capsule(capsule: &Bound<'_, PyAny>) -> PyResult<Description> {
    let Foreign { address, device, dtype, shape, strides } = Foreign::in_capsule(capsule)?;
    Ok((address, (device.kind, device.number), dtype.name(), shape, strides))
}
