//! Arrays of other libraries in the memory of a GPU on CUDA, which are copied there.

use equipoise_schedule::device::{Buffer, CudaStream, Element, Gpu};
use pyo3::{exceptions::PyValueError, intern, prelude::*, types::PyDict};

use crate::{
    dlpack::{CUDA, DlDevice, DlType, Foreign},
    errors::Failure,
    work,
};

/// An array of another library.
pub struct DeviceInput<'py> {
    array: Foreign,
    /// The stream in which its library uses it, if known.
    stream: Option<CudaStream>,
    /// Keeps the array alive.
    _owner: Bound<'py, PyAny>,
}

impl<'py> DeviceInput<'py> {
    /// An array on a GPU, by `__cuda_array_interface__` if that has a stream, and by DLPack otherwise.
    ///
    /// Fails where the array is not on this GPU.
    pub fn new(array: &Bound<'py, PyAny>, gpu: &Gpu, number: u32) -> PyResult<Self> {
        let here = DlDevice { kind: CUDA, number: number as i32 };
        let py = array.py();
        if array.hasattr(intern!(py, "__dlpack_device__"))? {
            let (kind, number) = array.call_method0(intern!(py, "__dlpack_device__"))?.extract()?;
            check_device(DlDevice { kind, number }, here)?;
        }
        let interface = intern!(py, "__cuda_array_interface__");
        let interface = match array.getattr_opt(interface)? {
            Some(interface) => Some(interface.cast_into::<PyDict>()?),
            None => None,
        };
        if let Some(interface) = &interface
            && let Some(stream) = stream_of(interface)?
        {
            let (stream, owner) = (Some(stream), array.clone());
            return Ok(Self { array: described(interface, here)?, stream, _owner: owner });
        }
        if array.hasattr(intern!(py, "__dlpack__"))? {
            return Self::by_dlpack(array, gpu, here);
        }
        let interface = interface
            .ok_or_else(|| PyValueError::new_err("the array is not on a GPU that CUDA uses"))?;
        // Libraries without a stream in the interface use the default one.
        gpu.follow(CudaStream::LEGACY).map_err(Failure::from)?;
        let (array, owner) = (described(&interface, here)?, array.clone());
        Ok(Self { array, stream: None, _owner: owner })
    }

    /// An array whose library lets the GPU wait for it.
    fn by_dlpack(array: &Bound<'py, PyAny>, gpu: &Gpu, here: DlDevice) -> PyResult<Self> {
        let py = array.py();
        let stream = gpu.cuda_stream().map_err(Failure::from)?.handle();
        let keywords = PyDict::new(py);
        keywords.set_item(intern!(py, "stream"), stream)?;
        let capsule = array.call_method(intern!(py, "__dlpack__"), (), Some(&keywords))?;
        let array = Foreign::in_capsule(&capsule)?;
        check_device(array.device, here)?;
        Ok(Self { array, stream: None, _owner: capsule })
    }

    /// A copy of a vector with this many numbers. It is enqueued; the host waits for it only if no stream is known that
    /// could wait before its library changes the array.
    ///
    /// Fails for another shape, type or layout.
    pub fn copy<T: Element>(
        &self,
        py: Python<'_>,
        gpu: &Gpu,
        dtype: DlType,
        columns: u32,
    ) -> PyResult<Buffer<T>> {
        self.check(dtype, columns)?;
        let Self { array: Foreign { address, .. }, stream, .. } = *self;
        work::enqueue(py, || {
            // SAFETY: the array has this many numbers, and lives as long as its owner. The GPU waits for what writes it:
            // that stream is passed on, or was waited for.
            let copy = unsafe { gpu.copy_from_cuda::<T>(address, columns as usize, stream) }?;
            if stream.is_none() {
                gpu.wait()?;
            }
            Ok(copy)
        })
    }

    fn check(&self, dtype: DlType, columns: u32) -> Result<(), Failure> {
        let Foreign { shape, strides, dtype: given, .. } = &self.array;
        let [length] = shape[..] else {
            return Err(Failure::Value(format!(
                "the right factor has {} dimensions: on a GPU, it is a vector; multiply by each column, or copy the \
                 factor to the host",
                shape.len()
            )));
        };
        if length != i64::from(columns) {
            return Err(Failure::Value(format!(
                "a matrix of {columns} columns times a vector of {length} numbers"
            )));
        }
        if *given != dtype {
            let (given, wanted) = (given.name(), dtype.name());
            return Err(Failure::Value(format!(
                "the right factor is of {given}, and the matrix of {wanted}: convert one of them first"
            )));
        }
        let is_contiguous = strides.as_ref().is_none_or(|strides| strides[..] == [1]);
        if length > 1 && !is_contiguous {
            return Err(Failure::Value(
                "the right factor is not contiguous: pass a copy, as by `cupy.ascontiguousarray` or `Tensor.contiguous`"
                    .into(),
            ));
        }
        Ok(())
    }
}

fn check_device(given: DlDevice, here: DlDevice) -> Result<(), Failure> {
    if given == here {
        return Ok(());
    }
    let number = here.number;
    Err(Failure::Value(format!(
        "the right factor is on another device than the matrix, which is on cuda:{number}: copy it there first"
    )))
}

/// The stream of an interface, if it has one.
fn stream_of(interface: &Bound<'_, PyDict>) -> PyResult<Option<CudaStream>> {
    let Some(stream) = interface.get_item(intern!(interface.py(), "stream"))? else {
        return Ok(None);
    };
    match stream.extract::<Option<u64>>()? {
        Some(0) => Err(PyValueError::new_err(
            "`__cuda_array_interface__` has the stream 0, which is ambiguous",
        )),
        // SAFETY: by the protocol, the stream lives as long as the array.
        Some(handle) => Ok(Some(unsafe { CudaStream::from_handle(handle) })),
        None => Ok(None),
    }
}

/// The array that an interface describes.
fn described(interface: &Bound<'_, PyDict>, device: DlDevice) -> PyResult<Foreign> {
    let item = |name: &str| {
        let missing =
            || PyValueError::new_err(format!("`__cuda_array_interface__` has no `{name}`"));
        interface.get_item(name)?.ok_or_else(missing)
    };
    if interface.get_item("mask")?.is_some_and(|mask| !mask.is_none()) {
        let message = "the right factor has values that are missing: fill them in first";
        return Err(PyValueError::new_err(message));
    }
    let (address, _): (u64, bool) = item("data")?.extract()?;
    let kind: String = item("typestr")?.extract()?;
    let dtype = DlType::of_numpy(&kind).ok_or_else(|| {
        Failure::Value(format!("the right factor is of type `{kind}`: expected float32 or float64"))
    })?;
    let shape: Vec<i64> = item("shape")?.extract()?;
    let strides: Option<Vec<i64>> = match interface.get_item("strides")? {
        Some(strides) => strides.extract()?,
        None => None,
    };
    let strides = strides.map(|all| in_elements(&all, dtype));
    Ok(Foreign { address, device, dtype, shape, strides })
}

/// Strides in bytes as strides in elements; 0, which is not contiguous either, for parts of an element.
fn in_elements(strides: &[i64], dtype: DlType) -> Vec<i64> {
    let bytes = dtype.bytes();
    let stride = |&stride: &i64| if stride % bytes == 0 { stride / bytes } else { 0 };
    strides.iter().map(stride).collect()
}
