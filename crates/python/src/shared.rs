//! Python arrays that are read in place.

use std::sync::Arc;

use equipoise::graph::{Storage, Weights};
use pyo3::{buffer::PyBuffer, exceptions::PyValueError, prelude::*};
use rayon::prelude::*;

use crate::{errors::Failure, input::check_weight};

/// An array that cannot be written to through the given object.
fn shared<T: pyo3::buffer::Element + bytemuck::Pod + Send + Sync>(
    array: &Bound<'_, PyAny>,
) -> PyResult<Storage<T>> {
    let buffer = PyBuffer::<T>::get(array)?;
    if !buffer.readonly() || !buffer.is_c_contiguous() {
        return Err(PyValueError::new_err("an array that is shared is read-only and contiguous"));
    }
    if buffer.item_count() == 0 {
        return Ok(Vec::new().into());
    }
    let (start, length) = (buffer.buf_ptr().cast::<T>(), buffer.item_count());
    // SAFETY: Python guarantees that many numbers of this type as long as the buffer is held.
    let numbers = unsafe { std::slice::from_raw_parts(start, length) };
    // SAFETY: the buffer is held as long as the numbers, and the given array was made read-only.
    // Writing to it through another view can cause a panic or a wrong result, but nothing worse: no
    // code relies on more.
    Ok(unsafe { Storage::shared(numbers, Arc::new(buffer)) })
}

/// Numbers of one of the types of values and weights.
pub enum SharedNumbers {
    U32(Storage<u32>),
    F32(Storage<f32>),
    F64(Storage<f64>),
}

impl<'py> FromPyObject<'_, 'py> for SharedNumbers {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if PyBuffer::<u32>::get(&object).is_ok() {
            shared(&object).map(Self::U32)
        } else if PyBuffer::<f32>::get(&object).is_ok() {
            shared(&object).map(Self::F32)
        } else {
            shared(&object).map(Self::F64)
        }
    }
}

impl SharedNumbers {
    /// Weights. Fails at the first negative or non-finite one, with its index.
    pub fn weights(self) -> Result<Weights, Failure> {
        let first_bad = |bad: Option<(usize, String)>| match bad {
            Some((index, problem)) => Err(Failure::Value(format!("`weight[{index}]` {problem}"))),
            None => Ok(()),
        };
        match self {
            Self::U32(all) => Ok(Weights::U32(all)),
            Self::F32(all) => {
                let bad = |(index, &number): (usize, &f32)| {
                    check_weight(number.into()).err().map(|problem| (index, problem))
                };
                first_bad(all.par_iter().enumerate().find_map_first(bad))?;
                Ok(Weights::F32(all))
            }
            Self::F64(all) => {
                let bad = |(index, &number): (usize, &f64)| {
                    check_weight(number).err().map(|problem| (index, problem))
                };
                first_bad(all.par_iter().enumerate().find_map_first(bad))?;
                Ok(Weights::F64(all))
            }
        }
    }
}

/// Compressed rows: the start of each, and the columns.
pub struct SharedRows {
    pub offsets: Storage<u64>,
    pub columns: Storage<u32>,
}

impl<'py> FromPyObject<'_, 'py> for SharedRows {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let (offsets, columns): (Bound<'py, PyAny>, Bound<'py, PyAny>) = object.extract()?;
        Ok(Self { offsets: shared(&offsets)?, columns: shared(&columns)? })
    }
}
