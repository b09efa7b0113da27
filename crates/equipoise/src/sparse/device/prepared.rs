//! Products made ready on a device, and the interface of a matrix on a GPU that makes them.

use std::any::Any;

use equipoise_graph::{Matrix, Value};
use equipoise_schedule::device::Gpu;

use crate::{
    Result,
    sparse::{
        dense::Dense,
        options::{SparseOptions, SparseSchedule},
        spgemm::Spgemm,
        spmm::Spmm,
        spmv::Spmv,
        vector::LoadedVector,
    },
};

/// The schedule of a product, and why it was chosen.
///
/// ```
/// use equipoise::LoadedMatrix;
/// use equipoise::device::Device;
/// use equipoise::graph::Matrix;
/// use equipoise::sparse::{SparseOptions, SparseSchedule};
///
/// let matrix = Matrix::from_entries(1, 1, &[(0, 0, 2.0f32)])?;
/// let loaded = LoadedMatrix::new(&Device::Cpu.open()?, &matrix)?;
/// let spmv = loaded.spmv(&SparseOptions::default())?;
/// assert_eq!(spmv.choice().schedule, SparseSchedule::MergePath);
/// assert_eq!(spmv.choice().reason.as_deref(), Some("always on a cpu"));
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ScheduleChoice {
    /// The schedule; `auto` where the device has only one way.
    pub schedule: SparseSchedule,
    /// Why it was chosen, where the options say `auto`.
    pub reason: Option<String>,
}

impl ScheduleChoice {
    /// The choice on the cpu.
    pub(crate) fn on_cpu(options: &SparseOptions) -> Result<Self> {
        let is_auto = options.schedule == SparseSchedule::Auto;
        let reason = is_auto.then(|| "always on a cpu".to_owned());
        Ok(Self { schedule: options.schedule.on_cpu()?, reason })
    }
}

/// A matrix in the memory of a GPU.
pub trait OnGpu<T: Value>: Any + Send + Sync {
    fn spmv(&self, matrix: &Matrix<T>, options: &SparseOptions) -> Result<PreparedSpmv<'_, T>>;
    fn spmm(&self, columns: u32, options: &SparseOptions) -> Result<PreparedSpmm<'_, T>>;
    /// `None` where the second matrix is on another device.
    fn spgemm<'m>(
        &'m self,
        right: &'m (dyn OnGpu<T> + 'static),
        multiplications: u64,
    ) -> Option<Result<PreparedSpgemm<'m, T>>>;
}

/// A number whose matrices can be copied to a GPU.
///
/// The implementations are not generic, so that this crate compiles the kernels' launches, not every
/// program that uses it.
pub trait ToGpu: Value {
    fn to_gpu(gpu: &Gpu, matrix: &Matrix<Self>) -> Result<Box<dyn OnGpu<Self>>>;
}

/// Declares a product made ready on a device, with its operand.
macro_rules! prepared_product {
    (
        $(#[$doc:meta])* $name:ident, $result:ident ( $($operand:ident: $type:ty)? )
        $(, { $field:ident: $field_type:ty })?
    ) => {
        $(#[$doc])*
        pub struct $name<'m, T: Value> {
            pub(super) choice: ScheduleChoice,
            pub(super) multiply: Box<dyn Fn($(&$type)?) -> Result<$result<T>> + Send + 'm>,
            $(pub(super) $field: $field_type,)?
        }

        impl<T: Value> $name<'_, T> {
            /// The schedule, and why it was chosen.
            pub fn choice(&self) -> &ScheduleChoice {
                &self.choice
            }

            /// Multiplies. In the result's times, `kernel` plus `overhead` is the host's time from
            /// before the first launch to the end of the last; on a GPU, `overhead` is the time of
            /// a wait for an idle GPU. Copies to and from the device are separate. Work done once
            /// for all runs counts in each.
            pub fn run(&self $(, $operand: &$type)?) -> Result<$result<T>> {
                (self.multiply)($($operand)?)
            }
        }
    };
}

prepared_product! {
    /// A matrix made ready on a device for products with vectors.
    ///
    /// ```
    /// use equipoise::{LoadedMatrix, device::Device, graph::Matrix, sparse::SparseOptions};
    ///
    /// let matrix = Matrix::from_entries(1, 2, &[(0, 1, 2.0f32)])?;
    /// let loaded = LoadedMatrix::new(&Device::Cpu.open()?, &matrix)?;
    /// let spmv = loaded.spmv(&SparseOptions::default())?;
    /// assert_eq!(spmv.run(&[1.0, 4.0])?.y, [8.0]);
    /// assert_eq!(spmv.run(&[1.0, 5.0])?.y, [10.0]);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    PreparedSpmv, Spmv(x: [T]), { chain: Box<Chain<'m, T>> }
}

/// Multiplies a vector, and leaves the product on the device.
type Chain<'m, T> = dyn Fn(&LoadedVector<T>) -> Result<LoadedVector<T>> + Send + 'm;

impl<T: Value> PreparedSpmv<'_, T> {
    /// Multiplies by a vector on the same device, where the product stays: the input of the next
    /// product, or of a custom kernel. On a GPU the product is enqueued; the call does not wait for
    /// it.
    ///
    /// Fails where the vector is on another device, or its length is not the number of columns.
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

prepared_product! {
    /// A matrix made ready on a device for products with dense matrices.
    ///
    /// ```
    /// use equipoise::LoadedMatrix;
    /// use equipoise::device::Device;
    /// use equipoise::graph::Matrix;
    /// use equipoise::sparse::{Dense, SparseOptions};
    ///
    /// let matrix = Matrix::from_entries(1, 2, &[(0, 1, 2.0f32)])?;
    /// let loaded = LoadedMatrix::new(&Device::Cpu.open()?, &matrix)?;
    /// let spmm = loaded.spmm(2, &SparseOptions::default())?;
    /// let dense = Dense::new(2, 2, vec![1.0, 2.0, 3.0, 4.0])?;
    /// assert_eq!(spmm.run(&dense)?.product.values(), [6.0, 8.0]);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    PreparedSpmm, Spmm(dense: Dense<T>)
}

prepared_product! {
    /// The product of two sparse matrices made ready on a device.
    ///
    /// ```
    /// use equipoise::{LoadedMatrix, device::Device, graph::Matrix, sparse::SparseOptions};
    ///
    /// let matrix = Matrix::from_entries(2, 2, &[(0, 1, 2.0f32), (1, 0, 3.0)])?;
    /// let loaded = LoadedMatrix::new(&Device::Cpu.open()?, &matrix)?;
    /// let square = loaded.spgemm(&loaded, &SparseOptions::default())?.run()?;
    /// assert_eq!(square.product.row(0), (&[0][..], &[6.0][..]));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    PreparedSpgemm, Spgemm()
}
