//! Products on any device.

mod choice;
pub(super) mod prepared;
mod uploaded;

pub(crate) use choice::for_spmm;
pub use prepared::{PreparedSpgemm, PreparedSpmm, PreparedSpmv, ScheduleChoice};

use equipoise_graph::Matrix;
use equipoise_schedule::device::OpenDevice;

use super::{
    dense::Dense,
    features::MatrixFeatures,
    gpu::Number,
    learned::Learned,
    options::{SparseLayout, SparseOptions, SparseOrder, SparseSchedule},
    spgemm::{multiplications, spgemm},
    spmm::spmm,
    spmv::spmv,
    vector::LoadedVector,
};
use crate::{Error, Result};
use prepared::OnGpu;
use uploaded::different_devices;

/// A sparse matrix on a device.
///
/// ```
/// use equipoise::{LoadedMatrix, device::Device, graph::Matrix, sparse::SparseOptions};
///
/// let matrix = Matrix::from_entries(2, 3, &[(0, 0, 2.0f32), (1, 2, -1.0)])?;
/// let device = Device::Auto.open()?;
/// let loaded = LoadedMatrix::new(&device, &matrix)?;
/// let spmv = loaded.spmv(&SparseOptions::default())?;
/// let product = spmv.run(&[1.0, 2.0, 3.0])?;
/// assert_eq!(product.y, [2.0, -3.0]);
/// assert_eq!(product.schedule, spmv.choice().schedule);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub struct LoadedMatrix<'a, T: Number> {
    matrix: &'a Matrix<T>,
    /// `None` on the cpu.
    on_gpu: Option<Box<dyn OnGpu<T>>>,
}

impl<'a, T: Number> LoadedMatrix<'a, T> {
    /// Copies a matrix to a device; the cpu needs no copy.
    ///
    /// Fails where the matrix does not fit the device.
    pub fn new(device: &OpenDevice, matrix: &'a Matrix<T>) -> Result<Self> {
        let on_gpu = match device {
            OpenDevice::Cpu => None,
            OpenDevice::Gpu(gpu) => Some(T::to_gpu(gpu, matrix)?),
        };
        Ok(Self { matrix, on_gpu })
    }

    /// Prepares products with vectors.
    ///
    /// Fails where the device does not have the schedule, or does not compute with `T`.
    pub fn spmv(&self, options: &SparseOptions) -> Result<PreparedSpmv<'_, T>> {
        options.check()?;
        if let Some(on_gpu) = &self.on_gpu {
            return on_gpu.spmv(self.matrix, options);
        }
        check_no_layout(options)?;
        let choice = match Learned::on_cpu(options)? {
            Some(learned) => {
                let (candidate, reason) = learned.choose(&MatrixFeatures::new(self.matrix))?;
                ScheduleChoice { schedule: candidate.schedule.into(), reason: Some(reason) }
            }
            None => ScheduleChoice::on_cpu(options)?,
        };
        let (matrix, schedule) = (self.matrix, choice.schedule);
        let options = SparseOptions { schedule, ..options.clone() };
        let chained = options.clone();
        let multiply =
            Box::new(move |x: &[T]| matrix.while_unchanged(|| spmv(matrix, x, &options)));
        let chain = Box::new(move |x: &LoadedVector<T>| {
            let x = x.host_slice().ok_or_else(different_devices)?;
            let product = matrix.while_unchanged(|| spmv(matrix, x, &chained))?;
            Ok(LoadedVector::on_host(product.y))
        });
        Ok(PreparedSpmv { choice, multiply, chain })
    }

    /// Prepares products with dense matrices of `columns` columns.
    ///
    /// Fails where the device does not have the schedule, or does not compute with `T`.
    pub fn spmm(&self, columns: u32, options: &SparseOptions) -> Result<PreparedSpmm<'_, T>> {
        options.check()?;
        check_no_spmv_options(options)?;
        if let Some(on_gpu) = &self.on_gpu {
            return on_gpu.spmm(columns, options);
        }
        let (choice, matrix) = (ScheduleChoice::on_cpu(options)?, self.matrix);
        let options = options.clone();
        let multiply =
            move |dense: &Dense<T>| matrix.while_unchanged(|| spmm(matrix, dense, &options));
        Ok(PreparedSpmm { choice, multiply: Box::new(multiply) })
    }

    /// Prepares the product with a second sparse matrix, which is on the same device.
    ///
    /// A GPU multiplies in two passes over rows in bins by their number of products: the first
    /// counts the entries, the second fills them in. It has no schedule but `auto`.
    ///
    /// Fails where the device does not have the schedule, does not compute with `T`, or lacks the
    /// memory for the product, and where the shapes do not fit.
    pub fn spgemm<'m>(
        &'m self,
        right: &'m LoadedMatrix<'_, T>,
        options: &SparseOptions,
    ) -> Result<PreparedSpgemm<'m, T>> {
        options.check()?;
        check_no_spmv_options(options)?;
        let (a, b) = (self.matrix, right.matrix);
        match (&self.on_gpu, &right.on_gpu) {
            (Some(_), Some(_)) if options.schedule != SparseSchedule::Auto => {
                Err(Error::Option(format!(
                    "spgemm has its own two passes on a GPU and takes the schedule `auto` only, \
                     not `{}`",
                    options.schedule
                )))
            }
            (Some(left), Some(right)) => {
                let multiplications = multiplications(a, b)?;
                left.spgemm(right.as_ref(), multiplications).ok_or_else(different_devices)?
            }
            (None, None) => {
                let (choice, options) = (ScheduleChoice::on_cpu(options)?, options.clone());
                let multiply =
                    move || a.while_unchanged(|| b.while_unchanged(|| spgemm(a, b, &options)));
                Ok(PreparedSpgemm { choice, multiply: Box::new(multiply) })
            }
            _ => Err(different_devices()),
        }
    }
}

/// Fails where the options name an order or a layout.
fn check_no_layout(options: &SparseOptions) -> Result<()> {
    let option = match (options.reorder, options.layout) {
        (SparseOrder::None, SparseLayout::Csr) => return Ok(()),
        (SparseOrder::None, layout) => format!("layout `{layout}`"),
        (order, _) => format!("order `{order}`"),
    };
    Err(Error::Option(format!("the {option} is for spmv on a GPU only: leave it out here")))
}

/// Fails where the options name anything that only products with a vector support.
pub(crate) fn check_no_spmv_options(options: &SparseOptions) -> Result<()> {
    check_no_layout(options)?;
    match options.model {
        None => Ok(()),
        Some(_) => Err(Error::Option("a model is for spmv only: leave it out here".into())),
    }
}
