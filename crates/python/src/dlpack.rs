//! DLPack: the structures by which libraries pass arrays to each other within one process, in capsules of Python.
//!
//! <https://dmlc.github.io/dlpack/latest/> defines them. The version 1 has the version and flags in front of what was there
//! before.

use std::{
    any::Any,
    ffi::{CStr, c_void},
    ptr,
    sync::Arc,
};

use pyo3::{exceptions::PyBufferError, ffi, prelude::*, types::PyCapsule};

/// The type of a device and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct DlDevice {
    pub kind: i32,
    pub number: i32,
}

/// The kind of a GPU on CUDA.
pub const CUDA: i32 = 2;

/// The type of numbers: a code, the bits of each, and how many make an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct DlType {
    code: u8,
    bits: u8,
    lanes: u16,
}

impl DlType {
    pub const I32: Self = Self { code: 0, bits: 32, lanes: 1 };
    pub const F32: Self = Self { code: 2, bits: 32, lanes: 1 };
    pub const F64: Self = Self { code: 2, bits: 64, lanes: 1 };

    /// The type that NumPy names by a kind and a number of bytes, such as `<f4`; none of the other byte order.
    pub fn of_numpy(name: &str) -> Option<Self> {
        let (order, rest) = name.split_at_checked(1)?;
        let (kind, bytes) = rest.split_at_checked(1)?;
        let code = ["i", "u", "f", "", "", "c", "b"].iter().position(|&known| known == kind)?;
        let bits = bytes.parse::<u8>().ok().filter(|&bytes| bytes > 0)?.checked_mul(8)?;
        (order != ">").then_some(Self { code: code as u8, bits, lanes: 1 })
    }

    /// The bytes of an element, at least 1.
    pub fn bytes(self) -> i64 {
        (i64::from(self.bits) * i64::from(self.lanes) / 8).max(1)
    }

    /// The name that NumPy has for it, as far as it has one.
    pub fn name(self) -> String {
        let Self { code, bits, lanes } = self;
        let kind = match code {
            0 => "int",
            1 => "uint",
            2 => "float",
            4 => "bfloat",
            5 => "complex",
            6 => return "bool".into(),
            _ => "type",
        };
        if lanes == 1 { format!("{kind}{bits}") } else { format!("{kind}{bits}x{lanes}") }
    }
}

#[repr(C)]
struct DlTensor {
    data: *mut c_void,
    device: DlDevice,
    dimensions: i32,
    dtype: DlType,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

/// A tensor with its owner, which the deleter releases.
#[repr(C)]
struct Managed {
    tensor: DlTensor,
    owner: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Self)>,
}

/// The same in version 1.
#[repr(C)]
struct Versioned {
    version: [u32; 2],
    owner: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Self)>,
    flags: u64,
    tensor: DlTensor,
}

const MANAGED: &CStr = c"dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";
const VERSION: [u32; 2] = [1, 0];

/// A vector in memory that an owner keeps.
pub struct Vector {
    pub address: u64,
    pub length: usize,
    pub dtype: DlType,
    pub device: DlDevice,
    pub owner: Arc<dyn Any + Send + Sync>,
}

/// What a tensor points to.
struct Owner {
    shape: i64,
    stride: i64,
    _owner: Arc<dyn Any + Send + Sync>,
}

impl Vector {
    /// A capsule that shares the memory; its consumer can read and write it. Of version 1 if `is_versioned`.
    pub fn capsule(self, py: Python<'_>, is_versioned: bool) -> PyResult<Bound<'_, PyAny>> {
        let Self { address, length, dtype, device, owner } = self;
        let shape = length as i64;
        let owner = Box::into_raw(Box::new(Owner { shape, stride: 1, _owner: owner }));
        let tensor = DlTensor {
            data: address as *mut c_void,
            device,
            dimensions: 1,
            dtype,
            // SAFETY: the owner was just allocated. Its address is stable.
            shape: unsafe { &raw mut (*owner).shape },
            // SAFETY: see above.
            strides: unsafe { &raw mut (*owner).stride },
            byte_offset: 0,
        };
        let owner = owner.cast();
        // SAFETY: the pointers come from `Box::into_raw`, have the type that belongs to the name, and are released once: by
        // the deleter, which the consumer calls if it renamed the capsule, and otherwise the destructor.
        unsafe {
            if is_versioned {
                let deleter = Some(delete_versioned as unsafe extern "C" fn(_));
                let managed = Versioned { version: VERSION, owner, deleter, flags: 0, tensor };
                new_capsule(py, Box::into_raw(Box::new(managed)), VERSIONED, destroy_versioned)
            } else {
                let managed = Managed { tensor, owner, deleter: Some(delete) };
                new_capsule(py, Box::into_raw(Box::new(managed)), MANAGED, destroy)
            }
        }
    }
}

/// # Safety
///
/// The destructor releases the pointer.
unsafe fn new_capsule<'py, T>(
    py: Python<'py>,
    pointer: *mut T,
    name: &'static CStr,
    destructor: unsafe extern "C" fn(*mut ffi::PyObject),
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the pointer is not null, and the name is static. The result is a new reference or null with an exception.
    unsafe {
        let capsule = ffi::PyCapsule_New(pointer.cast(), name.as_ptr(), Some(destructor));
        Bound::from_owned_ptr_or_err(py, capsule)
    }
}

unsafe extern "C" fn delete(managed: *mut Managed) {
    // SAFETY: both were allocated for the capsule, and each deleter is called once.
    unsafe {
        drop(Box::from_raw((*managed).owner.cast::<Owner>()));
        drop(Box::from_raw(managed));
    }
}

unsafe extern "C" fn delete_versioned(managed: *mut Versioned) {
    // SAFETY: see above.
    unsafe {
        drop(Box::from_raw((*managed).owner.cast::<Owner>()));
        drop(Box::from_raw(managed));
    }
}

unsafe extern "C" fn destroy(capsule: *mut ffi::PyObject) {
    // SAFETY: Python passes the capsule. Under this name, no consumer took the tensor.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, MANAGED.as_ptr()) == 1 {
            delete(ffi::PyCapsule_GetPointer(capsule, MANAGED.as_ptr()).cast());
        }
    }
}

unsafe extern "C" fn destroy_versioned(capsule: *mut ffi::PyObject) {
    // SAFETY: see above.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, VERSIONED.as_ptr()) == 1 {
            delete_versioned(ffi::PyCapsule_GetPointer(capsule, VERSIONED.as_ptr()).cast());
        }
    }
}

/// An array of another library.
#[derive(Debug, PartialEq, Eq)]
pub struct Foreign {
    pub address: u64,
    pub device: DlDevice,
    pub dtype: DlType,
    pub shape: Vec<i64>,
    /// The elements from one to the next in each dimension; `None` if they lie row by row.
    pub strides: Option<Vec<i64>>,
}

impl Foreign {
    /// The array in a capsule without a version, which keeps it alive.
    pub fn in_capsule(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let capsule = capsule.cast::<PyCapsule>()?;
        // SAFETY: the name is a C string. The result is null with an exception if the capsule has another name.
        let managed = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), MANAGED.as_ptr()) };
        if managed.is_null() {
            return Err(PyErr::fetch(capsule.py()));
        }
        // SAFETY: a capsule of this name points to this structure, which lives as long as the capsule.
        let tensor = unsafe { &(*managed.cast::<Managed>()).tensor };
        let dimensions = usize::try_from(tensor.dimensions)
            .map_err(|_| PyBufferError::new_err("a tensor of DLPack has negative dimensions"))?;
        let copied = |numbers: *mut i64| {
            if numbers.is_null() || dimensions == 0 {
                Vec::new()
            } else {
                // SAFETY: a shape and strides have a number per dimension.
                unsafe { std::slice::from_raw_parts(numbers, dimensions) }.to_vec()
            }
        };
        Ok(Self {
            address: (tensor.data as u64).wrapping_add(tensor.byte_offset),
            device: tensor.device,
            dtype: tensor.dtype,
            shape: copied(tensor.shape),
            strides: (!ptr::eq(tensor.strides, ptr::null())).then(|| copied(tensor.strides)),
        })
    }
}
