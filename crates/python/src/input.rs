//! Arrays passed from Python: copied and validated.

use equipoise::graph::{MAX_VERTICES, Weights};
use pyo3::{buffer::PyBuffer, exceptions::PyTypeError, prelude::*};
use rayon::prelude::*;

use crate::errors::Failure;

/// A copy of an array of a supported type.
pub enum Numbers {
    I32(Vec<i32>),
    U32(Vec<u32>),
    I64(Vec<i64>),
    U64(Vec<u64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
}

impl<'py> FromPyObject<'_, 'py> for Numbers {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        macro_rules! first_that_fits {
            ($($kind:ident: $type:ty),+) => {
                $(if let Ok(buffer) = PyBuffer::<$type>::get(&object) {
                    return Ok(Self::$kind(buffer.to_vec(py)?));
                })+
            };
        }
        first_that_fits!(I32: i32, U32: u32, I64: i64, U64: u64, F32: f32, F64: f64);
        Err(PyTypeError::new_err("expected an array of whole or floating-point numbers"))
    }
}

/// Vertex numbers. Fails at the first invalid one, with its index.
pub fn vertices(numbers: Numbers, what: &str) -> Result<Vec<u32>, Failure> {
    match numbers {
        Numbers::I32(all) => converted(&all, |&number| vertex(number.into()), what),
        Numbers::U32(all) => converted(&all, |&number| vertex(number.into()), what),
        Numbers::I64(all) => converted(&all, |&number| vertex(number.into()), what),
        Numbers::U64(all) => converted(&all, |&number| vertex(number.into()), what),
        Numbers::F32(_) | Numbers::F64(_) => Err(Failure::Value(format!(
            "`{what}` has floating-point numbers: vertices are whole numbers"
        ))),
    }
}

fn vertex(number: i128) -> Result<u32, String> {
    match number {
        ..0 => Err(format!("is {number}: vertices are numbered from 0")),
        _ => u32::try_from(number)
            .ok()
            .filter(|&vertex| u64::from(vertex) < MAX_VERTICES)
            .ok_or_else(|| format!("is {number}: vertices are less than {MAX_VERTICES}")),
    }
}

/// Weights of the library's types; none is rounded. Fails at the first invalid one, with its index.
pub fn weights(numbers: Numbers) -> Result<Weights, Failure> {
    match numbers {
        Numbers::I32(all) => whole(&all, |&number| number.into()),
        Numbers::U32(all) => Ok(all.into()),
        Numbers::I64(all) => whole(&all, |&number| number.into()),
        Numbers::U64(all) => whole(&all, |&number| number.into()),
        Numbers::F32(all) => {
            converted(&all, |&number| check_weight(number.into()).map(|()| number), "weight")
                .map(Weights::from)
        }
        Numbers::F64(all) => floating(&all),
    }
}

fn whole<T: Sync>(numbers: &[T], wide: impl Fn(&T) -> i128 + Sync) -> Result<Weights, Failure> {
    let weight = |number: &T| match wide(number) {
        number @ ..0 => Err(format!("is {number}: weights are zero or more")),
        number => u32::try_from(number)
            .map_err(|_| format!("is {number}: whole weights are less than 2³²")),
    };
    Ok(converted(numbers, weight, "weight")?.into())
}

/// Integers if all weights are whole numbers, because integers add exactly and on every device;
/// else floating-point numbers.
fn floating(numbers: &[f64]) -> Result<Weights, Failure> {
    let numbers = converted(numbers, |&number| check_weight(number).map(|()| number), "weight")?;
    if numbers.par_iter().all(|&number| f64::from(number as u32) == number) {
        return Ok(numbers.par_iter().map(|&number| number as u32).collect::<Vec<_>>().into());
    }
    Ok(numbers.into())
}

/// Checks a weight; the error says what is wrong with it.
pub fn check_weight(number: f64) -> Result<(), String> {
    if (0.0..f64::INFINITY).contains(&number) {
        Ok(())
    } else {
        Err(format!("is {number}: weights are zero or more, and finite"))
    }
}

/// Converts all numbers; the error names the first that cannot be converted, and why.
fn converted<T: Sync, U: Send>(
    all: &[T],
    convert: impl Fn(&T) -> Result<U, String> + Sync,
    what: &str,
) -> Result<Vec<U>, Failure> {
    let result: Result<Vec<U>, String> = all.par_iter().map(&convert).collect();
    result.map_err(|any| {
        let first = all.par_iter().enumerate().find_map_first(|(index, number)| {
            convert(number).err().map(|problem| format!("`{what}[{index}]` {problem}"))
        });
        Failure::Value(first.unwrap_or(any))
    })
}
