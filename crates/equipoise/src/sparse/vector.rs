//! A vector on a device.

use equipoise_schedule::device::{Buffer, Gpu, OpenDevice};

use super::Number;
use crate::Result;

/// A vector on a device, where products read and leave it: the result of one is the next one's
/// input, and nothing is copied in between.
///
/// ```
/// use equipoise::prelude::*;
///
/// let device = Device::Auto.open()?;
/// let doubles = Matrix::from_entries(2, 2, &[(0, 1, 2.0f32), (1, 0, 2.0)])?;
/// let loaded = LoadedMatrix::new(&device, &doubles)?;
/// let product = loaded.spmv(&SparseOptions::default())?;
/// let mut x = LoadedVector::new(&device, &[1.0, 3.0])?;
/// for _ in 0..2 {
///     x = product.multiply(&x)?;
/// }
/// assert_eq!(x.download()?, [4.0, 12.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct LoadedVector<T>(Place<T>);

/// Where the numbers are.
#[derive(Clone, Debug)]
enum Place<T> {
    Host(Vec<T>),
    Device(Gpu, Buffer<T>),
}

impl<T: Number> LoadedVector<T> {
    /// Copies numbers to a device.
    ///
    /// Fails where there is no memory for them.
    pub fn new(device: &OpenDevice, numbers: &[T]) -> Result<Self> {
        Ok(match device {
            OpenDevice::Cpu => Self::on_host(numbers.to_vec()),
            OpenDevice::Gpu(gpu) => Self::on_gpu(gpu, gpu.upload(numbers)?),
        })
    }

    pub(super) fn on_host(numbers: Vec<T>) -> Self {
        Self(Place::Host(numbers))
    }

    pub(super) fn on_gpu(gpu: &Gpu, numbers: Buffer<T>) -> Self {
        Self(Place::Device(gpu.clone(), numbers))
    }

    /// The numbers on the host, if they are there.
    pub(super) fn here(&self) -> Option<&[T]> {
        match &self.0 {
            Place::Host(numbers) => Some(numbers),
            Place::Device(..) => None,
        }
    }

    /// The numbers in the memory of this GPU, if they are there.
    pub(super) fn on(&self, gpu: &Gpu) -> Option<&Buffer<T>> {
        match &self.0 {
            Place::Device(there, numbers) if there.is_same(gpu) => Some(numbers),
            _ => None,
        }
    }

    /// How many numbers it has.
    pub fn len(&self) -> usize {
        match &self.0 {
            Place::Host(numbers) => numbers.len(),
            Place::Device(_, numbers) => numbers.len(),
        }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers in the memory of a GPU; nothing on the cpu.
    pub fn on_device(&self) -> Option<&Buffer<T>> {
        match &self.0 {
            Place::Host(_) => None,
            Place::Device(_, numbers) => Some(numbers),
        }
    }

    /// A copy of the numbers.
    ///
    /// Fails where they cannot be copied from the device.
    pub fn download(&self) -> Result<Vec<T>> {
        match &self.0 {
            Place::Host(numbers) => Ok(numbers.clone()),
            Place::Device(gpu, numbers) => Ok(gpu.download(numbers)?),
        }
    }
}
