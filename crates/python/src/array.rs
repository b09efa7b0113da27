//! Arrays that NumPy reads where they are, by Python's buffer protocol.

use std::{
    any::Any,
    ffi::{CStr, c_int, c_long, c_void},
    ptr,
    sync::Arc,
};

use equipoise::NONE;
use pyo3::{exceptions::PyBufferError, ffi, prelude::*};
use rayon::prelude::*;

/// Numbers in the memory of a result, which lives as long as an array looks at it. Nobody can write to it.
#[pyclass(frozen, module = "equipoise._native")]
#[derive(Clone)]
pub struct Array {
    /// Holds what `start` points at.
    _owner: Arc<dyn Any + Send + Sync>,
    start: *const c_void,
    format: &'static CStr,
    item_bytes: isize,
    shape: Arc<[isize]>,
    strides: Arc<[isize]>,
}

// SAFETY: `start` points into `_owner`, which is `Send` and `Sync`, and is only read through.
unsafe impl Send for Array {}
// SAFETY: as above.
unsafe impl Sync for Array {}

/// A number that Python's `struct` module has a letter for.
pub trait Element: bytemuck::NoUninit + Send + Sync {
    const FORMAT: &'static CStr;
}

macro_rules! elements {
    ($($type:ty: $format:literal),+) => {
        $(impl Element for $type { const FORMAT: &'static CStr = $format; })+
    };
}

elements!(bool: c"?", i32: c"i", u32: c"I", f32: c"f", f64: c"d");

/// NumPy tells C's `long` from `long long`, though both may have 64 bits: `int64` is the first of them that has.
const IS_LONG: bool = size_of::<c_long>() == size_of::<i64>();

impl Element for i64 {
    const FORMAT: &'static CStr = if IS_LONG { c"l" } else { c"q" };
}

impl Element for u64 {
    const FORMAT: &'static CStr = if IS_LONG { c"L" } else { c"Q" };
}

impl Array {
    /// What an owner has, looked at where it is.
    pub fn of<R: Any + Send + Sync, T: Element>(
        owner: &Arc<R>,
        pick: impl FnOnce(&R) -> &[T],
    ) -> Self {
        let numbers = pick(owner);
        Self::new(owner.clone(), numbers, &[numbers.len()])
    }

    /// Numbers in rows of equal length.
    pub fn rows<T: Element>(numbers: Vec<T>, rows: usize, columns: usize) -> Self {
        let owner = Arc::new(numbers);
        let numbers = owner.clone();
        Self::new(owner, &numbers, &[rows, columns])
    }

    /// Vertices, levels or counts, of which the largest number says that there is none: −1 for Python. Where `i32` holds
    /// them all they are looked at where they are, else they become `i64`.
    pub fn or_none<R: Any + Send + Sync>(owner: &Arc<R>, pick: impl Fn(&R) -> &[u32]) -> Self {
        let fits = |&number: &u32| number == NONE || i32::try_from(number).is_ok();
        if pick(owner).par_iter().all(fits) {
            return Self::of(owner, |owner| bytemuck::cast_slice::<u32, i32>(pick(owner)));
        }
        let wide = |&number: &u32| if number == NONE { -1 } else { i64::from(number) };
        pick(owner).par_iter().map(wide).collect::<Vec<i64>>().into()
    }

    /// `numbers` lie within what `owner` holds.
    fn new<T: Element>(owner: Arc<dyn Any + Send + Sync>, numbers: &[T], shape: &[usize]) -> Self {
        let item_bytes = size_of::<T>() as isize;
        // No allocation has more than `isize::MAX` bytes, and so neither its length nor a row's.
        let shape: Arc<[isize]> = shape.iter().map(|&length| length as isize).collect();
        let strides = (0..shape.len())
            .map(|axis| shape[axis + 1..].iter().fold(item_bytes, |bytes, &length| bytes * length));
        Self {
            _owner: owner,
            start: numbers.as_ptr().cast(),
            format: T::FORMAT,
            item_bytes,
            strides: strides.collect(),
            shape,
        }
    }
}

impl<T: Element> From<Vec<T>> for Array {
    fn from(numbers: Vec<T>) -> Self {
        Self::of(&Arc::new(numbers), Vec::as_slice)
    }
}

#[pymethods]
impl Array {
    /// Fills a view of the array, for readers only.
    ///
    /// # Safety
    ///
    /// `view` points to a `Py_buffer` that may be written, or is null, as Python promises.
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("there is no view to fill"));
        }
        if flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
            return Err(PyBufferError::new_err("the array is for reading only: copy it first"));
        }
        let array = slf.get();
        let by_columns = flags & ffi::PyBUF_F_CONTIGUOUS == ffi::PyBUF_F_CONTIGUOUS;
        if by_columns && array.shape.len() > 1 {
            return Err(PyBufferError::new_err("the array lies row by row, not by columns"));
        }
        let given = |flag: c_int| flags & flag == flag;
        let or_null = |is_given: bool, pointer: *const isize| {
            if is_given { pointer.cast_mut() } else { ptr::null_mut() }
        };
        let items: isize = array.shape.iter().product();
        let filled = ffi::Py_buffer {
            buf: array.start.cast_mut(),
            obj: ptr::null_mut(),
            len: items * array.item_bytes,
            itemsize: array.item_bytes,
            readonly: 1,
            ndim: array.shape.len() as c_int,
            format: match given(ffi::PyBUF_FORMAT) {
                true => array.format.as_ptr().cast_mut(),
                false => ptr::null_mut(),
            },
            shape: or_null(given(ffi::PyBUF_ND), array.shape.as_ptr()),
            strides: or_null(given(ffi::PyBUF_STRIDES), array.strides.as_ptr()),
            suboffsets: ptr::null_mut(),
            internal: ptr::null_mut(),
        };
        // SAFETY: `view` may be written. The array is frozen and stays while a view of it does, which owns a reference
        // to it, and with it what the pointers point at.
        unsafe {
            view.write(filled);
            (*view).obj = slf.into_any().into_ptr();
        }
        Ok(())
    }
}
