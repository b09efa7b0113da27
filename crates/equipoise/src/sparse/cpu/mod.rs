//! The loops of products on the cpu, for each type of numbers.
//!
//! A generic function is compiled in the crate that calls it, and programs are compiled for size.
//! These tables make this crate compile the loops, with its own optimisation.

mod accumulator;
pub(super) mod parts;
pub(super) mod rows;
pub(super) mod spgemm;
pub(super) mod spmm;
pub(super) mod spmv;
#[cfg(test)]
mod tests;
mod verify_spgemm;

use std::any::Any;

use equipoise_graph::{Matrix, Value};

use super::dense::Dense;
use crate::Result;
use parts::Part;
use spgemm::Factors;

/// The loops for numbers of type `T`.
#[allow(clippy::type_complexity, reason = "each is the type of the function that it names")]
pub(super) struct Loops<T: Value> {
    pub spmv: fn(&Matrix<T>, &[T], &[Part]) -> Vec<T>,
    pub spmm: fn(&Matrix<T>, &Dense<T>, &[Part]) -> Vec<T>,
    pub spgemm: fn(&Factors<'_, T>, &[u64], &[Part]) -> Result<Matrix<T>>,
    pub verify_spmv: fn(&[T], &Matrix<T>, &[T]) -> Result<()>,
    pub verify_spmm: fn(&Dense<T>, &Matrix<T>, &Dense<T>) -> Result<()>,
    /// Returns the number of multiplications.
    pub verify_spgemm: fn(&Matrix<T>, &Matrix<T>, &Matrix<T>) -> Result<u64>,
}

static F32: Loops<f32> = Loops::new();
static F64: Loops<f64> = Loops::new();

impl<T: Value> Loops<T> {
    const fn new() -> Self {
        Self {
            spmv: spmv::multiply,
            spmm: spmm::multiply,
            spgemm: spgemm::multiply,
            verify_spmv: spmv::verify,
            verify_spmm: spmm::verify,
            verify_spgemm: verify_spgemm::verify,
        }
    }

    pub fn get() -> &'static Self {
        let tables: [&'static dyn Any; 2] = [&F32, &F64];
        let table = tables.into_iter().find_map(|table| table.downcast_ref());
        table.unwrap_or_else(|| unreachable!("`Value` is sealed: {} is neither", T::NAME))
    }
}
