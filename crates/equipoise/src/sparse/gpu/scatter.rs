//! SpMV on a GPU by columns or by entries: works that scatter, under any schedule.

use cubecl::prelude::*;
use equipoise_graph::Matrix;
use equipoise_schedule::{
    device::{Buffer, Gpu},
    input::Input,
    plan::{Plan, ScheduleOptions, Tiles},
    tiles::{CooEntries, CscColumns, CscColumnsLaunch},
    work::{Work, WorkExpand, WorkKind},
};

use super::{DeviceMatrix, Number, adds_atomically, check_type};
use crate::{Error, Result};

/// A column times its number of the vector: an atom adds an entry's product to a number of `y`.
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

/// Entries times the numbers of their columns.
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

/// A matrix in a GPU's memory by columns or by entries, made ready to be multiplied by vectors under
/// one schedule.
///
/// The numbers of a product are added up by atomic additions, in an order that differs from run to
/// run.
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
    Columns {
        transpose: DeviceMatrix<T>,
        plan: Plan<CscColumns, ColumnTimesNumber<T>>,
    },
    Entries {
        entries: Entries<T>,
        plan: Plan<CooEntries, EntryTimesNumber<T>>,
    },
}

/// The entries of a matrix.
struct Entries<T> {
    rows: Buffer<u32>,
    columns: Buffer<u32>,
    values: Buffer<T>,
}

impl<T: Number> ScatterPlan<T> {
    /// Whether a GPU can do it: whether it computes with the type and adds it atomically.
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

    /// Copies a matrix by columns, and prepares the schedule: a column is a tile.
    ///
    /// Fails where the GPU does not add numbers of the type atomically.
    pub fn by_columns(gpu: &Gpu, matrix: &Matrix<T>, schedule: ScheduleOptions) -> Result<Self> {
        check_additions::<T>(gpu)?;
        let transpose = DeviceMatrix::upload(gpu, &matrix.transpose()?)?;
        let plan = Plan::new(gpu, schedule, &columns(&transpose))?;
        Ok(Self::new(gpu, matrix, Kind::Columns { transpose, plan }))
    }

    /// Copies a matrix by entries, and prepares the schedule: an entry is a tile.
    ///
    /// Fails where the GPU does not add numbers of the type atomically.
    pub fn by_entries(gpu: &Gpu, matrix: &Matrix<T>, schedule: ScheduleOptions) -> Result<Self> {
        check_additions::<T>(gpu)?;
        matrix.check()?;
        let plan = Plan::new(gpu, schedule, &CooEntries::of(device_count(matrix.entries())?))?;
        let entries = Entries {
            rows: gpu.upload(&rows_of_entries(matrix))?,
            columns: gpu.upload(matrix.csr().indices())?,
            values: gpu.upload(matrix.values())?,
        };
        Ok(Self::new(gpu, matrix, Kind::Entries { entries, plan }))
    }

    fn new(gpu: &Gpu, matrix: &Matrix<T>, kind: Kind<T>) -> Self {
        Self { gpu: gpu.clone(), rows: matrix.rows(), columns: matrix.columns(), kind }
    }

    /// Enqueues `y = A·x`.
    ///
    /// Fails where `x` has not one number a column, or `y` not one a row, or both are one vector.
    pub fn run(&self, x: &Buffer<T>, y: &Buffer<T>) -> Result<()> {
        super::spmv::check_vectors(self.rows, self.columns, x, y)?;
        self.gpu.fill(y, T::from_f64(0.0))?;
        match &self.kind {
            Kind::Columns { transpose, plan } => {
                let (rows, values) = (transpose.indices(), transpose.values());
                let work =
                    || ColumnTimesNumberLaunch::new(rows.arg(), values.arg(), x.arg(), y.arg());
                // SAFETY: there is a row and a value for each entry, and a place of `x` for each
                // column and of `y` for each row; they are not the same.
                unsafe { plan.run(&columns(transpose), work) };
            }
            Kind::Entries { entries: Entries { rows, columns, values }, plan } => {
                let work = || {
                    EntryTimesNumberLaunch::new(
                        rows.arg(),
                        columns.arg(),
                        values.arg(),
                        x.arg(),
                        y.arg(),
                    )
                };
                // SAFETY: as above, and there is a column for each entry.
                unsafe { plan.run(&CooEntries::of(values.len() as u32), work) };
            }
        }
        Ok(())
    }
}

/// The columns of a matrix as tiles, given its transpose by rows.
fn columns<T: Number>(transpose: &DeviceMatrix<T>) -> Tiles<'_, CscColumns> {
    let (offsets, columns) = (transpose.offsets(), transpose.rows());
    Tiles::new(columns, transpose.entries(), move || CscColumnsLaunch::new(offsets.arg(), columns))
}

/// The row of each entry.
fn rows_of_entries<T: Number>(matrix: &Matrix<T>) -> Vec<u32> {
    let lengths = matrix.csr().offsets().windows(2).map(|ends| (ends[1] - ends[0]) as usize);
    (0..).zip(lengths).flat_map(|(row, length)| std::iter::repeat_n(row, length)).collect()
}

fn device_count(entries: u64) -> Result<u32> {
    u32::try_from(entries).map_err(|_| {
        Error::from(equipoise_schedule::Error::TooMany {
            what: "the matrix".into(),
            count: entries,
            limit: u32::MAX.into(),
        })
    })
}

/// Fails where a GPU does not compute with a type, or cannot add up numbers of it that several units
/// have.
fn check_additions<T: Number>(gpu: &Gpu) -> Result<()> {
    check_type::<T>(gpu)?;
    if adds_atomically::<T>(gpu) {
        return Ok(());
    }
    let bits = size_of::<T>() * 8;
    Err(Error::from(equipoise_schedule::Error::Unusable(format!(
        "{} has no atomic additions of f{bits}, which the layouts csc and coo need: use csr",
        gpu.properties().name
    ))))
}

// Clippy's leave for tests does not reach the functions that tests share.
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
