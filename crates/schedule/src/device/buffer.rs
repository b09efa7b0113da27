//! Typed memory of a GPU.

use crate::device::GpuRuntime;
use std::{any::type_name, fmt, marker::PhantomData, sync::Arc};

use cubecl::{prelude::*, server::Handle};

use super::memory::Reservation;

/// A value that a buffer can hold.
pub trait Element: CubeElement + CubePrimitive {}

impl<T: CubeElement + CubePrimitive> Element for T {}

/// An array in the memory of a GPU. Clones share it; the last one frees it.
///
/// ```no_run
/// # use equipoise_schedule::device::{Device, OpenDevice};
/// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let buffer = gpu.upload(&[0.5f32, 1.5])?;
/// assert_eq!((buffer.len(), buffer.bytes()), (2, 8));
/// # Ok::<(), equipoise_schedule::Error>(())
/// ```
pub struct Buffer<T> {
    handle: Handle,
    len: usize,
    reservation: Arc<Reservation>,
    element: PhantomData<T>,
}

impl<T> Clone for Buffer<T> {
    fn clone(&self) -> Self {
        Self {
            handle: self.handle.clone(),
            len: self.len,
            reservation: self.reservation.clone(),
            element: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer<{}>({})", type_name::<T>(), self.len)
    }
}

impl<T: Element> Buffer<T> {
    pub(super) fn new(handle: Handle, len: usize, reservation: Reservation) -> Self {
        Self { handle, len, reservation: Arc::new(reservation), element: PhantomData }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes of its elements; an empty buffer takes those of one element.
    pub fn bytes(&self) -> u64 {
        self.reservation.bytes()
    }

    /// Whether both share memory.
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{Device, OpenDevice};
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// let buffer = gpu.upload(&[1u32])?;
    /// assert!(buffer.is_same(&buffer.clone()) && !buffer.is_same(&gpu.upload(&[1u32])?));
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.reservation, &other.reservation)
    }

    /// Its first `len` elements, or all if it has fewer, in the same memory.
    ///
    /// ```
    /// # use equipoise_schedule::device::{Device, OpenDevice};
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// let buffer = gpu.upload(&[1u32, 2, 3])?;
    /// assert_eq!(gpu.download(&buffer.first(2))?, [1, 2]);
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn first(&self, len: usize) -> Self {
        let len = len.min(self.len);
        let rest = (self.len.max(1) - len.max(1)) * size_of::<T>();
        let handle = self.handle.clone().offset_end(rest as u64);
        Self { handle, len, reservation: self.reservation.clone(), element: PhantomData }
    }

    /// The argument that binds it to an `Array<T>` of a kernel, whose length is that of the buffer, or 1 if it is
    /// empty.
    pub fn arg(&self) -> ArrayArg<GpuRuntime> {
        // SAFETY: the handle was made for at least `len` elements of `T`.
        unsafe { ArrayArg::from_raw_parts(self.handle.clone(), self.len.max(1)) }
    }

    /// The argument that binds it to an `Array` of vectors of `size` elements each, which must divide its length.
    pub fn vector_arg(&self, size: usize) -> ArrayArg<GpuRuntime> {
        // SAFETY: these vectors have no more elements than the handle was made for.
        unsafe { ArrayArg::from_raw_parts(self.handle.clone(), (self.len / size).max(1)) }
    }

    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }
}
