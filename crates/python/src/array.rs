//! Arrays that NumPy reads in place, through Python's buffer protocol.

use std::{
    any::Any,
    ffi::{CStr, c_int, c_long, c_void},
    ptr,
    sync::Arc,
};

use equipoise::NONE;
use pyo3::{exceptions::PyBufferError, ffi, prelude::*};
use rayon::prelude::*;

/// A read-only array in the memory of a result, which lives as long as the array.
#[pyclass(frozen, module = "equipoise._native")]
#[derive(Clone)]
pub struct Array {
    /// Owns the memory that `start` points to.
    _owner: Arc<dyn Any + Send + Sync>,
    start: *const c_void,
    format: &'static CStr,
    item_bytes: isize,
    shape: Arc<[isize]>,
    strides: Arc<[isize]>,
}

// SAFETY: `start` points into `_owner`, which is `Send` and `Sync`, and is only read.
unsafe impl Send for Array {}
// SAFETY: see above.
unsafe impl Sync for Array {}

/// A number type with a format character in Python's `struct` module.
pub trait Element: bytemuck::NoUninit + Send + Sync {
    const FORMAT: &'static CStr;
}

macro_rules! elements {
    ($($type:ty: $format:literal),+) => {
        $(impl Element for $type { const FORMAT: &'static CStr = $format; })+
    };
}

elements!(bool: c"?", i32: c"i", u32: c"I", f32: c"f", f64: c"d");

/// NumPy distinguishes C's `long` from `long long` even if both have 64 bits: `int64` is the first
/// of them that has.
const IS_LONG: bool = size_of::<c_long>() == size_of::<i64>();

impl Element for i64 {
    const FORMAT: &'static CStr = if IS_LONG { c"l" } else { c"q" };
}

impl Element for u64 {
    const FORMAT: &'static CStr = if IS_LONG { c"L" } else { c"Q" };
}

impl Array {
    /// An array of an owner's numbers, in place.
    pub fn of<R: Any + Send + Sync, T: Element>(
        owner: &Arc<R>,
        pick: impl FnOnce(&R) -> &[T],
    ) -> Self {
        let numbers = pick(owner);
        Self::new(owner.clone(), numbers)
    }

    /// An array of numbers inside of an owner, in place.
    ///
    /// # Safety
    ///
    /// The numbers must stay valid and unchanged as long as the owner lives.
    pub unsafe fn within<R: Any + Send + Sync, T: Element>(owner: &Arc<R>, numbers: &[T]) -> Self {
        Self::new(owner.clone(), numbers)
    }

    /// The same numbers as an array with rows and columns, row by row.
    pub fn with_shape(self, [rows, columns]: [usize; 2]) -> Self {
        let (rows, columns) = (rows as isize, columns as isize);
        debug_assert_eq!(self.shape.iter().product::<isize>(), rows * columns);
        let strides = Arc::new([columns * self.item_bytes, self.item_bytes]);
        Self { shape: Arc::new([rows, columns]), strides, ..self }
    }

    /// Vertices, levels or counts, with the largest number for "none": −1 in Python. They are read
    /// in place if all fit in `i32`, and converted to `i64` otherwise.
    pub fn or_none<R: Any + Send + Sync>(owner: &Arc<R>, pick: impl Fn(&R) -> &[u32]) -> Self {
        // SAFETY: the numbers are inside of the owner, which the `Arc` keeps unchanged.
        unsafe { Self::or_none_within(owner, pick(owner)) }
    }

    /// Like [`or_none`](Self::or_none), for numbers inside of an owner.
    ///
    /// # Safety
    ///
    /// See [`within`](Self::within).
    pub unsafe fn or_none_within<R: Any + Send + Sync>(owner: &Arc<R>, numbers: &[u32]) -> Self {
        let fits = |&number: &u32| number == NONE || i32::try_from(number).is_ok();
        if numbers.par_iter().all(fits) {
            // SAFETY: the caller upholds the contract.
            return unsafe { Self::within(owner, bytemuck::cast_slice::<u32, i32>(numbers)) };
        }
        let wide = |&number: &u32| if number == NONE { -1 } else { i64::from(number) };
        numbers.par_iter().map(wide).collect::<Vec<i64>>().into()
    }

    /// `numbers` must be inside of `owner`.
    fn new<T: Element>(owner: Arc<dyn Any + Send + Sync>, numbers: &[T]) -> Self {
        let item_bytes = size_of::<T>() as isize;
        Self {
            _owner: owner,
            start: numbers.as_ptr().cast(),
            format: T::FORMAT,
            item_bytes,
            // No allocation exceeds `isize::MAX` bytes, so neither does its length.
            shape: Arc::new([numbers.len() as isize]),
            strides: Arc::new([item_bytes]),
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
    /// Fills a read-only view of the array.
    ///
    /// # Safety
    ///
    /// `view` must be null or point to a writable `Py_buffer`, as Python guarantees.
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("no view to fill"));
        }
        if flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
            return Err(PyBufferError::new_err("the array is for reading only: copy it first"));
        }
        let array = slf.get();
        let by_columns = flags & ffi::PyBUF_F_CONTIGUOUS == ffi::PyBUF_F_CONTIGUOUS;
        if by_columns && array.shape.len() > 1 {
            return Err(PyBufferError::new_err("the array lies row by row, not by columns"));
        }
        let requested = |flag: c_int| flags & flag == flag;
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
            format: if requested(ffi::PyBUF_FORMAT) {
                array.format.as_ptr().cast_mut()
            } else {
                ptr::null_mut()
            },
            shape: or_null(requested(ffi::PyBUF_ND), array.shape.as_ptr()),
            strides: or_null(requested(ffi::PyBUF_STRIDES), array.strides.as_ptr()),
            suboffsets: ptr::null_mut(),
            internal: ptr::null_mut(),
        };
        // SAFETY: `view` is writable. The array is immutable and lives as long as the view, which
        // owns a reference to it and so to the memory behind the pointers.
        unsafe {
            view.write(filled);
            (*view).obj = slf.into_any().into_ptr();
        }
        Ok(())
    }
}
