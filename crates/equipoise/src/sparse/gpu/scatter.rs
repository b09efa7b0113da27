//! SpMV on a GPU by columns or by entries, which scatter, under any schedule.

use cubecl::prelude::*;
use equipoise_graph::Matrix;
use equipoise_schedule::{
    device::{Buffer, Gpu},
    engine::upload_columns,
    input::Input,
    plan::{Plan, ScheduleOptions, Tiles},
    tiles::{CooEntries, CscColumns, CsrRowsLaunch},
    work::{Work, WorkExpand, WorkKind},
};

use super::{
    matrix::DeviceMatrix,
    number::{Number, adds_atomically, check_count, check_type},
    spmv::check_vectors,
};
use crate::Result;

/// A column times its number of `x`: an atom adds an entry's product to a number of `y`.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct ColumnTimesNumber<F: Float> {
    rows: Input<u32>,
    values: Input<F>,
    x: Input<F>,
    y: Array<Atomic<F>>,
}

impl<F: Float> WorkKind for ColumnTimesNumber<F> {
    const REDUCES: bool = false;
}

#[cube]
impl<F: Float> Work for ColumnTimesNumber<F> {
    type Value = F;

    fn identity() -> F {
        F::new(0.0)
    }

    fn atom(&mut self, column: u32, entry: u32) -> F {
        let product = self.values[entry as usize] * self.x[column as usize];
        self.y[self.rows[entry as usize] as usize].fetch_add(product);
        product
    }

    fn combine(a: F, b: F) -> F {
        a + b
    }

    fn end(&mut self, _column: u32, _total: F) {}
}

/// Entries times the numbers of their columns: a tile is an entry.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct EntryTimesNumber<F: Float> {
    rows: Input<u32>,
    columns: Input<u32>,
    values: Input<F>,
    x: Input<F>,
    y: Array<Atomic<F>>,
}

impl<F: Float> WorkKind for EntryTimesNumber<F> {
    const REDUCES: bool = false;
    const ATOM_NEEDS_TILE: bool = false;
}

#[cube]
impl<F: Float> Work for EntryTimesNumber<F> {
    type Value = F;

    fn identity() -> F {
        F::new(0.0)
    }

    fn atom(&mut self, _entry: u32, entry: u32) -> F {
        let x = self.x[self.columns[entry as usize] as usize];
        let product = self.values[entry as usize] * x;
        self.y[self.rows[entry as usize] as usize].fetch_add(product);
        product
    }

    fn combine(a: F, b: F) -> F {
        a + b
    }

    fn end(&mut self, _entry: u32, _total: F) {}
}

/// A matrix in a GPU's memory by columns or by entries, made ready for products with vectors under
/// one schedule.
///
/// Atomic additions sum the numbers of a product, in an order that differs from run to run.
///
/// ```no_run
/// use equipoise::{Result, graph::Matrix, sparse::gpu::ScatterPlan};
/// use equipoise_schedule::{ScheduleName, device::Gpu};
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let matrix = Matrix::from_entries(2, 3, &[(0, 0, 2.0f32), (1, 2, -1.0)])?;
///     let plan = ScatterPlan::by_columns(gpu, &matrix, ScheduleName::MergePath.into())?;
///     let x = gpu.upload(&[1.0, 2.0, 3.0])?;
///     let y = gpu.empty(2)?;
///     plan.run(&x, &y)?;
///     assert_eq!(gpu.download(&y)?, [2.0, -3.0]);
///     Ok(())
/// }
/// ```
pub struct ScatterPlan<T: Number> {
    gpu: Gpu,
    rows: u32,
    columns: u32,
    kind: Kind<T>,
}

enum Kind<T: Number> {
    /// The transpose by rows is the matrix by columns.
    Columns { transpose: DeviceMatrix<T>, plan: Plan<CscColumns, ColumnTimesNumber<T>> },
    Entries {
        rows: Buffer<u32>,
        columns: Buffer<u32>,
        values: Buffer<T>,
        plan: Plan<CooEntries, EntryTimesNumber<T>>,
    },
}

impl<T: Number> ScatterPlan<T> {
    /// Whether a GPU computes with the type and adds it atomically.
    ///
    /// ```no_run
    /// use equipoise::sparse::gpu::ScatterPlan;
    /// use equipoise_schedule::device::Gpu;
    ///
    /// fn best_precision(gpu: &Gpu) -> &'static str {
    ///     if ScatterPlan::<f64>::is_possible(gpu) { "f64" } else { "f32" }
    /// }
    /// ```
    pub fn is_possible(gpu: &Gpu) -> bool {
        check_additions::<T>(gpu).is_ok()
    }

    /// Copies a matrix by columns, and prepares the schedule, whose tiles are columns.
    ///
    /// Fails where the GPU does not add numbers of the type atomically.
    pub fn by_columns(gpu: &Gpu, matrix: &Matrix<T>, schedule: ScheduleOptions) -> Result<Self> {
        check_additions::<T>(gpu)?;
        let transpose = DeviceMatrix::upload(gpu, &matrix.transpose()?)?;
        let plan = Plan::new(gpu, schedule, &columns(&transpose))?;
        Ok(Self::new(gpu, matrix, Kind::Columns { transpose, plan }))
    }

    /// Copies a matrix by entries, and prepares the schedule, whose tiles are entries.
    ///
    /// Fails where the GPU does not add numbers of the type atomically.
    pub fn by_entries(gpu: &Gpu, matrix: &Matrix<T>, schedule: ScheduleOptions) -> Result<Self> {
        check_additions::<T>(gpu)?;
        matrix.check()?;
        let entries = check_count("the matrix", matrix.entries(), u32::MAX)?;
        let kind = Kind::Entries {
            plan: Plan::new(gpu, schedule, &CooEntries::new(entries))?,
            rows: gpu.upload(&matrix.csr().row_of_each_entry()?)?,
            columns: upload_columns(gpu, matrix.csr())?,
            values: gpu.upload(matrix.values())?,
        };
        Ok(Self::new(gpu, matrix, kind))
    }

    fn new(gpu: &Gpu, matrix: &Matrix<T>, kind: Kind<T>) -> Self {
        Self { gpu: gpu.clone(), rows: matrix.rows(), columns: matrix.columns(), kind }
    }

    /// Enqueues `y = A·x`.
    ///
    /// Fails unless `x` has one number per column and `y` one per row, in distinct buffers.
    pub fn run(&self, x: &Buffer<T>, y: &Buffer<T>) -> Result<()> {
        check_vectors(self.rows, self.columns, x, y)?;
        self.gpu.fill(y, T::from_f64(0.0))?;
        match &self.kind {
            Kind::Columns { transpose, plan } => {
                let (rows, values) = (transpose.indices(), transpose.values());
                let work =
                    || ColumnTimesNumberLaunch::new(rows.arg(), values.arg(), x.arg(), y.arg());
                // SAFETY: each entry has a row and a value, each column a number of `x`, and each
                // row one of `y`; the vectors are distinct.
                unsafe { plan.run(&columns(transpose), work) };
            }
            Kind::Entries { rows, columns, values, plan } => {
                let work = || {
                    let (rows, columns) = (rows.arg(), columns.arg());
                    EntryTimesNumberLaunch::new(rows, columns, values.arg(), x.arg(), y.arg())
                };
                // SAFETY: as above, and each entry has a column.
                unsafe { plan.run(&CooEntries::new(values.len() as u32), work) };
            }
        }
        Ok(())
    }
}

/// The columns of a matrix as tiles, given its transpose by rows.
fn columns<T: Number>(transpose: &DeviceMatrix<T>) -> Tiles<'_, CscColumns> {
    let (offsets, columns) = (transpose.offsets(), transpose.rows());
    Tiles::new(columns, transpose.entries(), move || CsrRowsLaunch::new(offsets.arg(), columns))
}

/// Fails where a GPU does not compute with a type, or does not add it atomically.
fn check_additions<T: Number>(gpu: &Gpu) -> Result<()> {
    check_type::<T>(gpu)?;
    if adds_atomically::<T>(gpu) {
        return Ok(());
    }
    let bits = size_of::<T>() * 8;
    let reason = format!(
        "{} has no atomic additions of f{bits}, which the layouts csc and coo need: use csr",
        gpu.properties().name
    );
    Err(equipoise_schedule::Error::Unusable(reason).into())
}

// Clippy's exception for tests does not cover their helper functions.
#[cfg(all(test, feature = "lower", target_os = "linux"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use equipoise_schedule::{
        ScheduleName,
        lower::{self, Nvrtc},
    };

    use super::*;

    fn launch<T: Number>(gpu: &Gpu) {
        let matrix = Matrix::from_entries(2, 3, &[(0, 1, T::from_f64(1.0))]).unwrap();
        let (x, y) = (gpu.empty(3).unwrap(), gpu.empty(2).unwrap());
        let schedule = ScheduleName::MergePath.into();
        ScatterPlan::by_columns(gpu, &matrix, schedule).unwrap().run(&x, &y).unwrap();
        ScatterPlan::by_entries(gpu, &matrix, schedule).unwrap().run(&x, &y).unwrap();
    }

    #[test]
    fn every_kernel_compiles() {
        let gpu = lower::gpu();
        launch::<f32>(&gpu);
        if ScatterPlan::<f64>::is_possible(&gpu) {
            launch::<f64>(&gpu);
        }
        let kernels = lower::kernels(&gpu).unwrap();
        for name in ["ColumnTimesNumber", "EntryTimesNumber"] {
            assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
        }
        let compiled = Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels));
        compiled.unwrap_or_else(|error| panic!("{error}"));
    }
}
