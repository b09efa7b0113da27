//! Arrays of Python that are looked at where they are.

use std::sync::Arc;

use equipoise::graph::{Storage, Weights};
use pyo3::{buffer::PyBuffer, exceptions::PyValueError, prelude::*};
use rayon::prelude::*;

use crate::{errors::Failure, input::is_weight};

/// An array that nobody can write to through the object that was given.
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
    // SAFETY: Python has that many numbers of this type there as long as the buffer is held.
    let numbers = unsafe { std::slice::from_raw_parts(start, length) };
    // SAFETY: the buffer is held as long as the numbers, and the array was made read-only for whoever has it.
    Ok(unsafe { Storage::shared(numbers, Arc::new(buffer)) })
}

/// Numbers of one of the kinds that values and weights have.
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
    /// Weights. Fails where one is below zero or not finite, with its place.
    pub fn weights(self) -> Result<Weights, Failure> {
        let first_bad = |bad: Option<(usize, String)>| match bad {
            Some((place, problem)) => Err(Failure::Value(format!("`weight[{place}]` {problem}"))),
            None => Ok(()),
        };
        match self {
            Self::U32(all) => Ok(Weights::U32(all)),
            Self::F32(all) => {
                let bad = |(place, &number): (usize, &f32)| {
                    is_weight(number.into()).err().map(|problem| (place, problem))
                };
                first_bad(all.par_iter().enumerate().find_map_first(bad))?;
                Ok(Weights::F32(all))
            }
            Self::F64(all) => {
                let bad = |(place, &number): (usize, &f64)| {
                    is_weight(number).err().map(|problem| (place, problem))
                };
                first_bad(all.par_iter().enumerate().find_map_first(bad))?;
                Ok(Weights::F64(all))
            }
        }
    }
}

/// Compressed rows: where each starts, and the columns.
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
