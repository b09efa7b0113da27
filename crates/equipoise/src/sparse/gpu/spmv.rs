//! SpMV on a GPU: a work under any schedule.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, Gpu},
    input::Input,
    plan::{Plan, ScheduleOptions},
    tiles::CsrRows,
    work::{Work, WorkExpand, WorkKind},
};

use super::{
    matrix::DeviceMatrix,
    number::{Number, check_type},
};
use crate::{Error, Result};

/// A row times a vector: an atom is an entry's product, a tile a number of `y`.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct RowTimesVector<F: Float> {
    columns: Input<u32>,
    values: Input<F>,
    x: Input<F>,
    y: Array<F>,
}

impl<F: Float> WorkKind for RowTimesVector<F> {
    const ATOM_NEEDS_TILE: bool = false;
}

#[cube]
impl<F: Float> Work for RowTimesVector<F> {
    type Value = F;

    fn identity() -> F {
        F::new(0.0)
    }

    fn atom(&mut self, _row: u32, entry: u32) -> F {
        self.values[entry as usize] * self.x[self.columns[entry as usize] as usize]
    }

    fn combine(a: F, b: F) -> F {
        a + b
    }

    fn end(&mut self, row: u32, total: F) {
        self.y[row as usize] = total;
    }
}

/// A matrix in a GPU's memory, made ready for products with vectors under one schedule.
///
/// ```no_run
/// use equipoise::{Result, graph::Matrix, sparse::gpu::{DeviceMatrix, SpmvPlan}};
/// use equipoise_schedule::{ScheduleName, device::Gpu};
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let matrix = Matrix::from_entries(2, 3, &[(0, 0, 2.0f32), (1, 2, -1.0)])?;
///     let matrix = DeviceMatrix::upload(gpu, &matrix)?;
///     let plan = SpmvPlan::new(gpu, &matrix, ScheduleName::MergePath.into())?;
///     let x = gpu.upload(&[1.0, 2.0, 3.0])?;
///     let y = gpu.empty(2)?;
///     plan.run(&x, &y)?;
///     assert_eq!(gpu.download(&y)?, [2.0, -3.0]);
///     Ok(())
/// }
/// ```
pub struct SpmvPlan<T: Number> {
    matrix: DeviceMatrix<T>,
    plan: Plan<CsrRows, RowTimesVector<T>>,
}

impl<T: Number> SpmvPlan<T> {
    /// Prepares the schedule for the matrix.
    pub fn new(gpu: &Gpu, matrix: &DeviceMatrix<T>, schedule: ScheduleOptions) -> Result<Self> {
        check_type::<T>(gpu)?;
        let plan = Plan::new(gpu, schedule, &matrix.tiles())?;
        Ok(Self { matrix: matrix.clone(), plan })
    }

    /// Enqueues `y = A·x`.
    ///
    /// Fails unless `x` has one number per column and `y` one per row, in distinct buffers.
    pub fn run(&self, x: &Buffer<T>, y: &Buffer<T>) -> Result<()> {
        check_vectors(self.matrix.rows(), self.matrix.columns(), x, y)?;
        let (indices, values) = (self.matrix.indices(), self.matrix.values());
        let work = || RowTimesVectorLaunch::new(indices.arg(), values.arg(), x.arg(), y.arg());
        // SAFETY: each entry has an index and a value, each column a number of `x`, and each row one
        // of `y`; the vectors are distinct.
        unsafe { self.plan.run(&self.matrix.tiles(), work) };
        Ok(())
    }
}

/// Fails where the vectors do not fit a product with a matrix of this shape.
pub(super) fn check_vectors<T: Number>(
    rows: u32,
    columns: u32,
    x: &Buffer<T>,
    y: &Buffer<T>,
) -> Result<()> {
    if (y.len(), x.len()) != (rows as usize, columns as usize) {
        return Err(Error::Shape(format!(
            "the vectors have {} and {} numbers, but the matrix has {columns} columns and {rows} \
             rows",
            x.len(),
            y.len()
        )));
    }
    if x.is_same(y) {
        return Err(Error::Shape("a vector cannot be multiplied into itself".into()));
    }
    Ok(())
}
