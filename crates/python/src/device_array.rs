//! Arrays in the memory of a GPU on CUDA, which other libraries use in place.

use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

use bytemuck::allocation::cast_vec;
use equipoise::algorithm::GpuArray;
use equipoise_schedule::device::{Buffer, CudaStream, Device, Gpu};
use pyo3::prelude::*;

use crate::{
    array::Array,
    dlpack::{CUDA, DlDevice, DlType, Vector},
    errors::Failure,
    work,
};

/// A vector in the memory of a GPU on CUDA. Clones share it.
#[pyclass(frozen, module = "equipoise._native")]
#[derive(Clone)]
pub struct DeviceArray(Arc<Shared>);

struct Shared {
    gpu: Gpu,
    /// The number of the GPU.
    number: u32,
    numbers: Numbers,
    users: Users,
}

/// The numbers, by their types in Python.
#[derive(Clone)]
pub enum Numbers {
    /// −1 for none, which is the largest number in the buffer.
    I32(Buffer<u32>),
    F32(Buffer<f32>),
    F64(Buffer<f64>),
}

/// Runs the same code for all types of numbers.
macro_rules! each {
    ($numbers:expr, $buffer:ident => $code:expr) => {
        match $numbers {
            Numbers::I32($buffer) => $code,
            Numbers::F32($buffer) => $code,
            Numbers::F64($buffer) => $code,
        }
    };
}

impl Numbers {
    /// Their type.
    pub fn dtype(&self) -> DlType {
        match self {
            Self::I32(_) => DlType::I32,
            Self::F32(_) => DlType::F32,
            Self::F64(_) => DlType::F64,
        }
    }

    fn length(&self) -> usize {
        each!(self, buffer => buffer.len())
    }
}

/// The streams in which other libraries may use an array.
struct Users(AtomicU8);

impl Users {
    const NONE: u8 = 0;
    /// The default stream only.
    const DEFAULT: u8 = 1;
    /// Any streams, which need not exist any more.
    const ANY: u8 = 2;

    fn add(&self, users: u8) {
        self.0.fetch_max(users, Ordering::Relaxed);
    }
}

impl Drop for Shared {
    /// Lets the next owner of the memory wait for other libraries that may still use it.
    fn drop(&mut self) {
        // A GPU that fails reports it to its next call.
        let _ = self.follow_users();
    }
}

impl Shared {
    /// Lets the GPU wait for what other libraries do with the array.
    fn follow_users(&self) -> equipoise_schedule::Result<()> {
        match self.users.0.load(Ordering::Relaxed) {
            Users::NONE => Ok(()),
            Users::DEFAULT => self.gpu.follow(CudaStream::LEGACY),
            _ => self.gpu.finish_context(),
        }
    }

    /// Lets other libraries wait for what the GPU does with the array.
    fn precede_users(&self) -> equipoise_schedule::Result<()> {
        match self.users.0.load(Ordering::Relaxed) {
            Users::NONE => self.gpu.begin(),
            Users::DEFAULT => self.gpu.precede(CudaStream::LEGACY),
            _ => self.gpu.wait(),
        }
    }
}

impl DeviceArray {
    /// An array of a GPU with this number.
    pub fn new(gpu: &Gpu, number: u32, numbers: Numbers) -> Self {
        let users = Users(AtomicU8::new(Users::NONE));
        Self(Arc::new(Shared { gpu: gpu.clone(), number, numbers, users }))
    }

    /// An array of a result on a device. Fails for more vertices than fit 32 bits with a sign.
    pub fn of_result(gpu: &Gpu, device: Device, array: &GpuArray) -> Result<Self, Failure> {
        let Device::Cuda(number) = device else { return Err(needs_cuda(device)) };
        let numbers = match array {
            GpuArray::U32(numbers) if i32::try_from(numbers.len()).is_err() => {
                let message = "device arrays of more than 2³¹ vertices would not fit int32: leave out `device_arrays`";
                return Err(Failure::Overflow(message.into()));
            }
            GpuArray::U32(numbers) => Numbers::I32(numbers.clone()),
            GpuArray::F64(numbers) => Numbers::F64(numbers.clone()),
        };
        Ok(Self::new(gpu, number, numbers))
    }

    /// The GPU.
    pub fn gpu(&self) -> &Gpu {
        &self.0.gpu
    }

    /// The numbers.
    pub fn numbers(&self) -> &Numbers {
        &self.0.numbers
    }

    /// Runs what reads the array on the GPU between what other libraries do with it before and after.
    pub fn read_by<T>(&self, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
        self.0.follow_users()?;
        let result = work()?;
        self.0.precede_users()?;
        Ok(result)
    }
}

/// The error for results that are not on CUDA.
pub fn needs_cuda(device: Device) -> Failure {
    Failure::Value(format!(
        "`device_arrays` needs a graph on CUDA, and this one is on {device}: use `graph.to(\"cuda\")`, or leave it out"
    ))
}

#[pymethods]
impl DeviceArray {
    /// The name of the type of the numbers.
    #[getter]
    fn dtype(&self) -> String {
        self.0.numbers.dtype().name()
    }

    #[getter]
    fn length(&self) -> usize {
        self.0.numbers.length()
    }

    /// The number of the GPU.
    #[getter]
    fn device(&self) -> u32 {
        self.0.number
    }

    /// A copy on the host.
    fn download(&self, py: Python<'_>) -> PyResult<Array> {
        let shared = self.clone();
        work::run(py, move || {
            shared.read_by(|| {
                let gpu = shared.gpu();
                Ok(match shared.numbers() {
                    Numbers::I32(buffer) => cast_vec::<u32, i32>(gpu.download(buffer)?).into(),
                    Numbers::F32(buffer) => gpu.download(buffer)?.into(),
                    Numbers::F64(buffer) => gpu.download(buffer)?.into(),
                })
            })
        })
    }

    /// The address of the numbers, once they are computed; 0 if there are none.
    fn address(&self, py: Python<'_>) -> PyResult<u64> {
        let shared = self.clone();
        self.0.users.add(Users::ANY);
        work::run(py, move || {
            let Shared { gpu, numbers, .. } = &*shared.0;
            gpu.wait()?;
            if numbers.length() == 0 {
                return Ok(0);
            }
            Ok(each!(numbers, buffer => gpu.cuda_address(buffer))?)
        })
    }

    /// A capsule of DLPack, of version 1 if `versioned`. What a stream does from now on waits for the numbers; without a
    /// stream, this call does.
    ///
    /// # Safety
    ///
    /// Python's caller guarantees that the stream exists.
    fn dlpack<'py>(
        &self,
        py: Python<'py>,
        stream: Option<u64>,
        versioned: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Shared { gpu, number, numbers, users } = &*self.0;
        let address = work::enqueue(py, || {
            let address = each!(numbers, buffer => gpu.cuda_address(buffer))?;
            match stream {
                Some(handle) => {
                    // SAFETY: by the protocol, the consumer passes a stream that it uses.
                    let stream = unsafe { CudaStream::from_handle(handle) };
                    gpu.precede(stream)?;
                    let is_default = stream == CudaStream::LEGACY;
                    users.add(if is_default { Users::DEFAULT } else { Users::ANY });
                }
                None => {
                    gpu.wait()?;
                    users.add(Users::ANY);
                }
            }
            Ok(address)
        })?;
        let device = DlDevice { kind: CUDA, number: *number as i32 };
        let (dtype, length, owner) = (numbers.dtype(), numbers.length(), self.0.clone());
        Vector { address, length, dtype, device, owner }.capsule(py, versioned)
    }
}
