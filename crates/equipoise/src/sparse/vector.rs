//! A vector on a device.

use equipoise_schedule::device::{Buffer, Element, Gpu, OpenDevice};

use crate::Result;

/// A vector on a device: the result of a product and the input of the next, without a copy in
/// between.
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
pub struct LoadedVector<T>(Memory<T>);

#[derive(Clone, Debug)]
enum Memory<T> {
    Host(Vec<T>),
    Device(Gpu, Buffer<T>),
}

impl<T: Element> LoadedVector<T> {
    /// Copies numbers to a device.
    ///
    /// Fails where the device lacks the memory.
    pub fn new(device: &OpenDevice, numbers: &[T]) -> Result<Self> {
        Ok(match device {
            OpenDevice::Cpu => Self::on_host(numbers.to_vec()),
            OpenDevice::Gpu(gpu) => Self::on_gpu(gpu, gpu.upload(numbers)?),
        })
    }

    /// The vector of numbers that are in the memory of a GPU, without a copy.
    ///
    /// ```
    /// use equipoise::{LoadedVector, device::{Device, OpenDevice}};
    ///
    /// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
    ///     let vector = LoadedVector::on_gpu(&gpu, gpu.upload(&[1.0f32, 3.0])?);
    ///     assert_eq!(vector.download()?, [1.0, 3.0]);
    /// }
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn on_gpu(gpu: &Gpu, numbers: Buffer<T>) -> Self {
        Self(Memory::Device(gpu.clone(), numbers))
    }

    pub(super) fn on_host(numbers: Vec<T>) -> Self {
        Self(Memory::Host(numbers))
    }

    /// The numbers, if they are on the host.
    pub(super) fn host_slice(&self) -> Option<&[T]> {
        match &self.0 {
            Memory::Host(numbers) => Some(numbers),
            Memory::Device(..) => None,
        }
    }

    /// The numbers, if they are in the memory of this GPU.
    pub(super) fn buffer_on(&self, gpu: &Gpu) -> Option<&Buffer<T>> {
        match &self.0 {
            Memory::Device(own_gpu, numbers) if own_gpu.is_same(gpu) => Some(numbers),
            _ => None,
        }
    }

    /// The length of the vector.
    pub fn len(&self) -> usize {
        match &self.0 {
            Memory::Host(numbers) => numbers.len(),
            Memory::Device(_, numbers) => numbers.len(),
        }
    }

    /// Whether the vector is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers in the memory of a GPU; `None` on the cpu.
    pub fn on_device(&self) -> Option<&Buffer<T>> {
        match &self.0 {
            Memory::Host(_) => None,
            Memory::Device(_, numbers) => Some(numbers),
        }
    }

    /// Copies the numbers to the host.
    pub fn download(&self) -> Result<Vec<T>> {
        match &self.0 {
            Memory::Host(numbers) => Ok(numbers.clone()),
            Memory::Device(gpu, numbers) => Ok(gpu.download(numbers)?),
        }
    }
}
