//! SpMM on a GPU: a work whose workers are several units wide.
//!
//! An atom is an entry times a row of the dense matrix. The units of a worker take four columns
//! each, so that they read neighbouring parts of that row together. Wider matrices take one launch
//! per tile of columns.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, Gpu},
    input::Input,
    plan::{Plan, ScheduleOptions},
    tiles::CsrRows,
    work::{Work, WorkExpand, WorkKind},
};

use super::{
    dense::DeviceDense,
    matrix::DeviceMatrix,
    number::{Number, check_type},
};
use crate::{Error, Result};

/// Four neighbouring columns.
pub(crate) type Four<F> = Vector<F, Const<4>>;

/// A row times a dense matrix, by workers of `LANES` units.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct RowTimesDense<F: Float, const LANES: u32> {
    columns: Input<u32>,
    values: Input<F>,
    dense: Input<Four<F>>,
    product: Array<Four<F>>,
    /// The fours per row of `dense` and `product`.
    width: u32,
    /// The four that lane 0 takes.
    first: u32,
}

impl<F: Float, const LANES: u32> WorkKind for RowTimesDense<F, LANES> {
    const ATOM_NEEDS_TILE: bool = false;
    const LANES: u32 = LANES;
}

#[cube]
impl<F: Float, const LANES: u32> Work for RowTimesDense<F, LANES> {
    type Value = Four<F>;

    fn identity() -> Four<F> {
        Four::<F>::new(F::new(0.0))
    }

    fn atom(&mut self, _row: u32, entry: u32) -> Four<F> {
        // Lanes beyond the last column do its work once more, and end nothing.
        let four = min(self.first + UNIT_POS % LANES, self.width - 1);
        let row = self.columns[entry as usize];
        Four::<F>::new(self.values[entry as usize]) * self.dense[(row * self.width + four) as usize]
    }

    fn combine(a: Four<F>, b: Four<F>) -> Four<F> {
        a + b
    }

    fn end(&mut self, row: u32, total: Four<F>) {
        let four = self.first + UNIT_POS % LANES;
        if four < self.width {
            self.product[(row * self.width + four) as usize] = total;
        }
    }
}

/// A matrix in a GPU's memory, made ready for products with dense matrices under one schedule.
///
/// ```no_run
/// use equipoise::Result;
/// use equipoise::graph::Matrix;
/// use equipoise::sparse::{Dense, gpu::{DeviceDense, DeviceMatrix, SpmmPlan}};
/// use equipoise_schedule::{ScheduleName, device::Gpu};
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let matrix = Matrix::from_entries(1, 2, &[(0, 1, 2.0f32)])?;
///     let matrix = DeviceMatrix::upload(gpu, &matrix)?;
///     let dense = DeviceDense::upload(gpu, &Dense::new(2, 2, vec![1.0, 2.0, 3.0, 4.0])?)?;
///     let product = DeviceDense::empty(gpu, 1, 2)?;
///     SpmmPlan::new(gpu, &matrix, 2, ScheduleName::Binned.into())?.run(&dense, &product)?;
///     assert_eq!(product.download(gpu)?.values(), [6.0, 8.0]);
///     Ok(())
/// }
/// ```
pub struct SpmmPlan<T: Number> {
    matrix: DeviceMatrix<T>,
    columns: u32,
    plan: Wide<T>,
}

/// The plan for each width of workers.
enum Wide<T: Number> {
    One(Plan<CsrRows, RowTimesDense<T, 1>>),
    Two(Plan<CsrRows, RowTimesDense<T, 2>>),
    Four(Plan<CsrRows, RowTimesDense<T, 4>>),
    Eight(Plan<CsrRows, RowTimesDense<T, 8>>),
}

impl<T: Number> SpmmPlan<T> {
    /// Prepares the schedule for products with dense matrices of `columns` columns.
    pub fn new(
        gpu: &Gpu,
        matrix: &DeviceMatrix<T>,
        columns: u32,
        schedule: ScheduleOptions,
    ) -> Result<Self> {
        check_type::<T>(gpu)?;
        let tiles = matrix.tiles();
        let lanes = columns.div_ceil(4).clamp(1, 8).next_power_of_two().min(gpu.plane_size());
        let plan = match lanes {
            1 => Wide::One(Plan::new(gpu, schedule, &tiles)?),
            2 => Wide::Two(Plan::new(gpu, schedule, &tiles)?),
            4 => Wide::Four(Plan::new(gpu, schedule, &tiles)?),
            _ => Wide::Eight(Plan::new(gpu, schedule, &tiles)?),
        };
        Ok(Self { matrix: matrix.clone(), columns, plan })
    }

    /// Enqueues `product = A·dense`.
    ///
    /// Fails where the shapes do not fit, or both matrices share a buffer.
    pub fn run(&self, dense: &DeviceDense<T>, product: &DeviceDense<T>) -> Result<()> {
        let (rows, columns) = (self.matrix.rows(), self.matrix.columns());
        let shapes = [dense.rows(), dense.columns(), product.rows(), product.columns()];
        if shapes != [columns, self.columns, rows, self.columns] {
            return Err(Error::Shape(format!(
                "a product of {} × {} cannot come of a sparse matrix of {rows} × {columns} and a \
                 dense one of {} × {} (planned for {} columns)",
                product.rows(),
                product.columns(),
                dense.rows(),
                dense.columns(),
                self.columns
            )));
        }
        if dense.values().is_same(product.values()) {
            return Err(Error::Shape("a matrix cannot be multiplied into itself".into()));
        }
        match &self.plan {
            Wide::One(plan) => self.run_tiles(plan, dense, product),
            Wide::Two(plan) => self.run_tiles(plan, dense, product),
            Wide::Four(plan) => self.run_tiles(plan, dense, product),
            Wide::Eight(plan) => self.run_tiles(plan, dense, product),
        }
        Ok(())
    }

    /// A launch for each tile of columns.
    fn run_tiles<const LANES: u32>(
        &self,
        plan: &Plan<CsrRows, RowTimesDense<T, LANES>>,
        dense: &DeviceDense<T>,
        product: &DeviceDense<T>,
    ) {
        let (indices, values) = (self.matrix.indices(), self.matrix.values());
        let fours = |buffer: &Buffer<T>| buffer.vector_arg(4);
        for first in (0..dense.width()).step_by(LANES as usize) {
            let work = || {
                RowTimesDenseLaunch::new(
                    indices.arg(),
                    values.arg(),
                    fours(dense.values()),
                    fours(product.values()),
                    dense.width(),
                    first,
                )
            };
            // SAFETY: each entry has an index and a value, each column a row of `dense`, and each row
            // one of `product`; the dense matrices are distinct.
            unsafe { plan.run(&self.matrix.tiles(), work) };
        }
    }
}
