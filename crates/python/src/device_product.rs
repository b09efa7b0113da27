//! Products of sparse matrices and vectors in the memory of a GPU on CUDA, where the results stay.

use std::{
    ptr,
    sync::{Mutex, MutexGuard, PoisonError},
};

use equipoise::{
    LoadedMatrix, LoadedVector,
    device::Device,
    sparse::{Number, PreparedSpmv, SparseOptions},
};
use equipoise_schedule::device::{Buffer, Gpu};
use pyo3::prelude::*;

use crate::{
    array::Element,
    device_array::{DeviceArray, Numbers},
    device_input::DeviceInput,
    dlpack::DlType,
    errors::Failure,
    matrix::Loaded,
    work,
};

/// A matrix on a device, and its products with vectors, prepared by the first one.
pub struct Prepared<T: Number> {
    /// Products use memory in common, so that they are enqueued one after the other. Borrows from `matrix` and is dropped
    /// before it, because fields are dropped in order.
    spmv: Mutex<Option<PreparedSpmv<'static, T>>>,
    matrix: Box<LoadedMatrix<'static, T>>,
}

impl<T: Number> Prepared<T> {
    pub fn new(matrix: LoadedMatrix<'static, T>) -> Self {
        Self { spmv: Mutex::default(), matrix: Box::new(matrix) }
    }

    /// The matrix.
    pub fn matrix(&self) -> &LoadedMatrix<'static, T> {
        &self.matrix
    }

    fn spmv(&self) -> MutexGuard<'_, Option<PreparedSpmv<'static, T>>> {
        self.spmv.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prepares products, if none did before.
    fn prepare(&self) -> Result<(), Failure> {
        let mut spmv = self.spmv();
        if spmv.is_none() {
            // SAFETY: the contents of a `Box` do not move. What is prepared is dropped before it, and nothing returns it.
            let matrix: &'static LoadedMatrix<'static, T> =
                unsafe { &*ptr::from_ref(&*self.matrix) };
            *spmv = Some(matrix.spmv(&SparseOptions::default())?);
        }
        Ok(())
    }

    /// Enqueues the product with a vector on the same GPU, after [`prepare`](Self::prepare).
    fn multiply(&self, x: &LoadedVector<T>) -> Result<LoadedVector<T>, Failure> {
        let spmv = self.spmv();
        let unprepared = || Failure::Panic("a product is not prepared".into());
        Ok(spmv.as_ref().ok_or_else(unprepared)?.multiply(x)?)
    }
}

/// A number of vectors that stay on a GPU.
pub trait DeviceNumber: Number + Element {
    /// Its type in DLPack.
    const TYPE: DlType;

    /// Numbers of this type.
    fn numbers(buffer: Buffer<Self>) -> Numbers;

    /// The buffer of numbers, if they are of this type.
    fn buffer(numbers: &Numbers) -> Option<&Buffer<Self>>;
}

macro_rules! device_numbers {
    ($($type:ty: $kind:ident),+) => {
        $(impl DeviceNumber for $type {
            const TYPE: DlType = DlType::$kind;

            fn numbers(buffer: Buffer<Self>) -> Numbers {
                Numbers::$kind(buffer)
            }

            fn buffer(numbers: &Numbers) -> Option<&Buffer<Self>> {
                match numbers {
                    Numbers::$kind(buffer) => Some(buffer),
                    _ => None,
                }
            }
        })+
    };
}

device_numbers!(f32: F32, f64: F64);

impl<T: DeviceNumber> Loaded<T> {
    /// The product with a vector on the same GPU, in an array of ours or of another library. It is enqueued; the call does
    /// not wait for it.
    pub fn times_device(&self, py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<DeviceArray> {
        let (gpu, number) = self.cuda()?;
        if self.0.on_device.spmv().is_none() {
            let matrix = self.clone();
            work::run(py, move || matrix.0.on_device.prepare())?;
        }
        if let Ok(x) = x.cast::<DeviceArray>() {
            let x = x.get();
            return work::enqueue(py, || x.read_by(|| self.times_ours(gpu, number, x)));
        }
        let x = DeviceInput::new(x, gpu, number)?;
        let x = x.copy::<T>(py, gpu, T::TYPE, self.0.matrix.columns())?;
        work::enqueue(py, || {
            let product = self.times_buffer(gpu, number, x)?;
            gpu.begin()?;
            Ok(product)
        })
    }

    fn times_ours(&self, gpu: &Gpu, number: u32, x: &DeviceArray) -> Result<DeviceArray, Failure> {
        if !x.gpu().is_same(gpu) {
            let message = "the right factor is on another GPU than the matrix: copy it to the host, by `.numpy()`";
            return Err(Failure::Value(message.into()));
        }
        let Some(buffer) = T::buffer(x.numbers()) else {
            let (given, wanted) = (x.numbers().dtype().name(), T::TYPE.name());
            return Err(Failure::Value(format!(
                "the right factor is of {given}, and the matrix of {wanted}: convert one of them first"
            )));
        };
        self.times_buffer(gpu, number, buffer.clone())
    }

    fn times_buffer(&self, gpu: &Gpu, number: u32, x: Buffer<T>) -> Result<DeviceArray, Failure> {
        let product = self.0.on_device.multiply(&LoadedVector::on_gpu(gpu, x))?;
        let on_host = || Failure::Panic("a product on a GPU is on the host".into());
        let buffer = product.on_device().cloned().ok_or_else(on_host)?;
        Ok(DeviceArray::new(gpu, number, T::numbers(buffer)))
    }

    /// The GPU and its number, if it is used through CUDA.
    fn cuda(&self) -> Result<(&Gpu, u32), Failure> {
        match (&self.0.gpu, self.0.device) {
            (Some(gpu), Device::Cuda(number)) => Ok((gpu, number)),
            (_, device) => Err(Failure::Value(format!(
                "the right factor is on a GPU, and the matrix on {device}: use `matrix.to(\"cuda\")`, or copy the factor \
                 to the host, by `.get()` of CuPy or `.cpu()` of PyTorch"
            ))),
        }
    }
}
