//! Products on whichever device is there: the caller names no runtime.

mod choice;
mod on_gpu;

pub(crate) use choice::for_spmm;

use std::any::Any;

use equipoise_graph::Matrix;
use equipoise_schedule::device::{Gpu, OpenDevice};

use super::{
    Dense, LoadedVector, MatrixFeatures, Number, SparseLayout, SparseOptions, SparseOrder,
    SparseSchedule, Spgemm, Spmm, Spmv, learned::Learned, spgemm, spmm, spmv,
};
use crate::{Error, Result};

/// A matrix on a device, to be multiplied there.
///
/// ```
/// use equipoise::{LoadedMatrix, device::Device, graph::Matrix, sparse::SparseOptions};
///
/// let matrix = Matrix::from_entries(2, 3, &[(0, 0, 2.0f32), (1, 2, -1.0)])?;
/// let device = Device::Auto.open()?;
/// let there = LoadedMatrix::new(&device, &matrix)?;
/// let spmv = there.spmv(&SparseOptions::default())?;
/// let product = spmv.run(&[1.0, 2.0, 3.0])?;
/// assert_eq!(product.y, [2.0, -3.0]);
/// assert_eq!(product.schedule, spmv.choice().schedule);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub struct LoadedMatrix<'a, T: Number> {
    matrix: &'a Matrix<T>,
    /// Nothing on the cpu, where the matrix is already.
    there: Option<Box<dyn OnGpu<T>>>,
}

/// A matrix in the memory of a GPU of whichever runtime.
pub trait OnGpu<T: Number>: Any + Send + Sync {
    fn spmv(&self, matrix: &Matrix<T>, options: &SparseOptions) -> Result<PreparedSpmv<'_, T>>;
    fn spmm(&self, columns: u32, options: &SparseOptions) -> Result<PreparedSpmm<'_, T>>;
    /// Nothing where the second matrix is on another device.
    fn spgemm<'m>(
        &'m self,
        right: &'m (dyn OnGpu<T> + 'static),
        multiplications: u64,
    ) -> Option<Result<PreparedSpgemm<'m, T>>>;
}

/// Which schedule multiplies, and why.
///
/// ```
/// use equipoise::LoadedMatrix;
/// use equipoise::device::Device;
/// use equipoise::graph::Matrix;
/// use equipoise::sparse::{SparseOptions, SparseSchedule};
///
/// let matrix = Matrix::from_entries(1, 1, &[(0, 0, 2.0f32)])?;
/// let there = LoadedMatrix::new(&Device::Cpu.open()?, &matrix)?;
/// let spmv = there.spmv(&SparseOptions::default())?;
/// assert_eq!(spmv.choice().schedule, SparseSchedule::MergePath);
/// assert_eq!(spmv.choice().reason.as_deref(), Some("always on a cpu"));
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Choice {
    /// The schedule; `auto` where the device has but one way.
    pub schedule: SparseSchedule,
    /// What decided it, where `auto` was asked for.
    pub reason: Option<String>,
}

impl Choice {
    /// What a model chooses, if one is to.
    fn learned<T: Number>(options: &SparseOptions, matrix: &Matrix<T>) -> Result<Option<Self>> {
        let Some(learned) = Learned::on_cpu(options)? else { return Ok(None) };
        let (candidate, reason) = learned.choose(&MatrixFeatures::of(matrix))?;
        Ok(Some(Self { schedule: candidate.schedule.into(), reason: Some(reason) }))
    }

    pub(crate) fn of_cpu(options: &SparseOptions) -> Result<Self> {
        let asked = options.schedule;
        let reason = (asked == SparseSchedule::Auto).then(|| "always on a cpu".to_owned());
        Ok(Self { schedule: asked.on_cpu()?.name(), reason })
    }
}

/// Declares what a product made ready on a device looks like, whatever it is multiplied by.
macro_rules! product_on {
    (
        $(#[$doc:meta])* $name:ident, $result:ident ( $($operand:ident: $type:ty)? )
        $(, { $field:ident: $also:ty })?
    ) => {
        $(#[$doc])*
        pub struct $name<'m, T: Number> {
            choice: Choice,
            multiply: Box<dyn Fn($(&$type)?) -> Result<$result<T>> + 'm>,
            $($field: $also,)?
        }

        impl<T: Number> $name<'_, T> {
            /// The schedule it goes by.
            pub fn choice(&self) -> &Choice {
                &self.choice
            }

            /// Multiplies. `kernel` and `overhead` in the result's times are together the host's
            /// clock from before the first launch until the last has ended; on a GPU, overhead is
            /// what waiting for nothing takes. Copies to and from the device are apart from
            /// them, and what was done once for all runs counts in each.
            pub fn run(&self $(, $operand: &$type)?) -> Result<$result<T>> {
                (self.multiply)($($operand)?)
            }
        }
    };
}

product_on! {
    /// A matrix made ready, on a device, to be multiplied by vectors.
    ///
    /// ```
    /// use equipoise::{LoadedMatrix, device::Device, graph::Matrix, sparse::SparseOptions};
    ///
    /// let matrix = Matrix::from_entries(1, 2, &[(0, 1, 2.0f32)])?;
    /// let there = LoadedMatrix::new(&Device::Cpu.open()?, &matrix)?;
    /// let spmv = there.spmv(&SparseOptions::default())?;
    /// assert_eq!(spmv.run(&[1.0, 4.0])?.y, [8.0]);
    /// assert_eq!(spmv.run(&[1.0, 5.0])?.y, [10.0]);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    PreparedSpmv, Spmv(x: [T]), { chain: Box<Chain<'m, T>> }
}

/// Multiplies a vector that is on the device, and leaves the product there.
type Chain<'m, T> = dyn Fn(&LoadedVector<T>) -> Result<LoadedVector<T>> + 'm;

impl<T: Number> PreparedSpmv<'_, T> {
    /// Multiplies by a vector that is on the same device, and leaves the product there, as the next
    /// one's input or for a kernel of one's own. On a GPU the product is enqueued, and not waited
    /// for.
    ///
    /// Fails where the vector is on another device, or has not one number a column.
    ///
    /// ```
    /// use equipoise::prelude::*;
    ///
    /// let device = Device::Auto.open()?;
    /// let matrix = Matrix::from_entries(1, 2, &[(0, 1, 2.0f32)])?;
    /// let loaded = LoadedMatrix::new(&device, &matrix)?;
    /// let product = loaded.spmv(&SparseOptions::default())?;
    /// let y = product.multiply(&LoadedVector::new(&device, &[1.0, 4.0])?)?;
    /// assert_eq!(y.download()?, [8.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn multiply(&self, x: &LoadedVector<T>) -> Result<LoadedVector<T>> {
        (self.chain)(x)
    }
}

product_on! {
    /// A matrix made ready, on a device, to be multiplied by dense ones.
    ///
    /// ```
    /// use equipoise::LoadedMatrix;
    /// use equipoise::device::Device;
    /// use equipoise::graph::Matrix;
    /// use equipoise::sparse::{Dense, SparseOptions};
    ///
    /// let matrix = Matrix::from_entries(1, 2, &[(0, 1, 2.0f32)])?;
    /// let there = LoadedMatrix::new(&Device::Cpu.open()?, &matrix)?;
    /// let spmm = there.spmm(2, &SparseOptions::default())?;
    /// let dense = Dense::new(2, 2, vec![1.0, 2.0, 3.0, 4.0])?;
    /// assert_eq!(spmm.run(&dense)?.product.values(), [6.0, 8.0]);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    PreparedSpmm, Spmm(dense: Dense<T>)
}

product_on! {
    /// Two matrices made ready, on a device, to be multiplied.
    ///
    /// ```
    /// use equipoise::{LoadedMatrix, device::Device, graph::Matrix, sparse::SparseOptions};
    ///
    /// let matrix = Matrix::from_entries(2, 2, &[(0, 1, 2.0f32), (1, 0, 3.0)])?;
    /// let there = LoadedMatrix::new(&Device::Cpu.open()?, &matrix)?;
    /// let square = there.spgemm(&there, &SparseOptions::default())?.run()?;
    /// assert_eq!(square.product.row(0), (&[0][..], &[6.0][..]));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    PreparedSpgemm, Spgemm()
}

impl<'a, T: Number> LoadedMatrix<'a, T> {
    /// Copies a matrix to a device; for the cpu there is nothing to do.
    ///
    /// Fails where the matrix does not fit the device.
    pub fn new(device: &OpenDevice, matrix: &'a Matrix<T>) -> Result<Self> {
        let there = match device {
            OpenDevice::Cpu => None,
            OpenDevice::Gpu(gpu) => Some(T::to_gpu(gpu, matrix)?),
        };
        Ok(Self { matrix, there })
    }

    /// Prepares products with vectors.
    ///
    /// Fails where the device does not have the schedule, or does not compute with `T`.
    pub fn spmv(&self, options: &SparseOptions) -> Result<PreparedSpmv<'_, T>> {
        options.check()?;
        match &self.there {
            Some(there) => there.spmv(self.matrix, options),
            None => {
                as_it_is(options)?;
                let choice = match Choice::learned(options, self.matrix)? {
                    Some(choice) => choice,
                    None => Choice::of_cpu(options)?,
                };
                let (matrix, schedule) = (self.matrix, choice.schedule);
                let options = SparseOptions { schedule, ..options.clone() };
                let chained = options.clone();
                let multiply = Box::new(move |x: &[T]| spmv(matrix, x, &options));
                let chain = Box::new(move |x: &LoadedVector<T>| {
                    let x = x.here().ok_or_else(elsewhere)?;
                    Ok(LoadedVector::on_host(spmv(matrix, x, &chained)?.y))
                });
                Ok(PreparedSpmv { choice, multiply, chain })
            }
        }
    }

    /// Prepares products with dense matrices of so many columns.
    ///
    /// Fails where the device does not have the schedule, or does not compute with `T`.
    pub fn spmm(&self, columns: u32, options: &SparseOptions) -> Result<PreparedSpmm<'_, T>> {
        options.check()?;
        without_what_is_for_spmv(options)?;
        match &self.there {
            Some(there) => there.spmm(columns, options),
            None => {
                let (choice, matrix, options) =
                    (Choice::of_cpu(options)?, self.matrix, options.clone());
                let multiply = move |dense: &Dense<T>| spmm(matrix, dense, &options);
                Ok(PreparedSpmm { choice, multiply: Box::new(multiply) })
            }
        }
    }

    /// Prepares the product with a second sparse matrix, which is on the same device.
    ///
    /// A GPU has one way to multiply, in two passes: rows in bins by the products they add up,
    /// counted first and then filled in. It takes no schedule but `auto`.
    ///
    /// Fails where the device does not have the schedule, does not compute with `T`, or has no
    /// room for the product, and where the shapes do not fit.
    pub fn spgemm<'m>(
        &'m self,
        right: &'m LoadedMatrix<'_, T>,
        options: &SparseOptions,
    ) -> Result<PreparedSpgemm<'m, T>> {
        options.check()?;
        without_what_is_for_spmv(options)?;
        match (&self.there, &right.there) {
            (Some(left), Some(there)) => {
                if options.schedule != SparseSchedule::Auto {
                    return Err(Error::Option(format!(
                        "spgemm has its own two passes on a GPU and takes the schedule `auto` \
                         only, not `{}`",
                        options.schedule
                    )));
                }
                let multiplications = super::spgemm::multiplications(self.matrix, right.matrix)?;
                left.spgemm(there.as_ref(), multiplications).ok_or_else(elsewhere)?
            }
            (None, None) => {
                let (choice, options) = (Choice::of_cpu(options)?, options.clone());
                let (left, right) = (self.matrix, right.matrix);
                Ok(PreparedSpgemm {
                    choice,
                    multiply: Box::new(move || spgemm(left, right, &options)),
                })
            }
            _ => Err(elsewhere()),
        }
    }
}

fn elsewhere() -> Error {
    Error::Option("both factors of a product must be on the same device".into())
}

/// Fails where an order or a layout is asked for that is only for something else.
fn as_it_is(options: &SparseOptions) -> Result<()> {
    let asked = match (options.reorder, options.layout) {
        (SparseOrder::None, SparseLayout::Csr) => return Ok(()),
        (SparseOrder::None, layout) => format!("layout `{layout}`"),
        (by, _) => format!("order `{by}`"),
    };
    Err(Error::Option(format!("the {asked} is for spmv on a GPU only: leave it out here")))
}

/// Fails where something is asked for that is only for products with a vector.
pub(crate) fn without_what_is_for_spmv(options: &SparseOptions) -> Result<()> {
    as_it_is(options)?;
    match options.model {
        None => Ok(()),
        Some(_) => Err(Error::Option("a model is for spmv only: leave it out here".into())),
    }
}

/// What can be copied to a GPU.
///
/// Its functions are not generic, so that all that is compiled for each type and runtime is
/// compiled here, not in every program that uses this crate.
pub trait ToGpu: Sized {
    fn to_gpu(gpu: &Gpu, matrix: &Matrix<Self>) -> Result<Box<dyn OnGpu<Self>>>
    where
        Self: Number;
}

impl ToGpu for f32 {
    fn to_gpu(gpu: &Gpu, matrix: &Matrix<f32>) -> Result<Box<dyn OnGpu<f32>>> {
        on_gpu::upload(gpu, matrix)
    }
}

impl ToGpu for f64 {
    fn to_gpu(gpu: &Gpu, matrix: &Matrix<f64>) -> Result<Box<dyn OnGpu<f64>>> {
        on_gpu::upload(gpu, matrix)
    }
}
