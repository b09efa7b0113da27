//! Copies between the host and a GPU.

#[cfg(feature = "cuda")]
use cubecl::{backtrace::BackTrace, server::ServerError};

use cubecl::server::Handle;

use super::{
    Gpu,
    buffer::{Buffer, Element},
};
use crate::Result;
#[cfg(feature = "cuda")]
use {super::staging::Staging, crate::Error};

/// From this number of bytes on, copies on CUDA use page-locked slots: CubeCL would lock memory of the size of the
/// copy, which takes 8 ms per megabyte.
#[cfg(feature = "cuda")]
const STAGED: usize = 256 << 10;

impl Gpu {
    /// A buffer with a copy of a slice.
    pub fn upload<T: Element>(&self, values: &[T]) -> Result<Buffer<T>> {
        if values.is_empty() {
            return self.empty(0);
        }
        #[cfg(feature = "cuda")]
        if let Some(staging) = self.staging_for(size_of_val(values)) {
            return self.upload_staged(staging, values.len(), |start, piece: &mut [T]| {
                piece.copy_from_slice(&values[start..start + piece.len()]);
            });
        }
        let (_, reservation) = self.reserve::<T>(values.len())?;
        let handle = self.client().create_from_slice(T::as_bytes(values));
        Ok(Buffer::new(handle, values.len(), reservation))
    }

    /// A buffer of `len` elements that a function writes. It is called for pieces, each with the index of its first
    /// element, in any order and by several threads.
    ///
    /// ```
    /// use equipoise_schedule::device::{Device, OpenDevice};
    ///
    /// let wide = [0u64, 2, 3];
    /// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
    ///     let narrow = gpu.upload_with(wide.len(), |start, piece: &mut [u32]| {
    ///         let from = wide[start..].iter();
    ///         piece.iter_mut().zip(from).for_each(|(to, &from)| *to = from as u32);
    ///     })?;
    ///     assert_eq!(gpu.download(&narrow)?, [0, 2, 3]);
    /// }
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn upload_with<T: Element>(
        &self,
        len: usize,
        fill: impl Fn(usize, &mut [T]) + Sync,
    ) -> Result<Buffer<T>> {
        #[cfg(feature = "cuda")]
        if let Some(staging) = self.staging_for(len.saturating_mul(size_of::<T>())) {
            return self.upload_staged(staging, len, fill);
        }
        let mut values = vec![T::zeroed(); len];
        fill(0, &mut values);
        self.upload(&values)
    }

    /// A copy of a buffer, once everything enqueued is done.
    pub fn download<T: Element>(&self, buffer: &Buffer<T>) -> Result<Vec<T>> {
        self.download_first(buffer, buffer.len())
    }

    /// A copy of the first `count` elements of a buffer, or of all if it has fewer, once everything enqueued is done.
    ///
    /// ```
    /// use equipoise_schedule::device::{Device, OpenDevice};
    ///
    /// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
    ///     let numbers = gpu.upload(&[1u32, 2, 3])?;
    ///     assert_eq!(gpu.download_first(&numbers, 2)?, [1, 2]);
    ///     assert_eq!(gpu.download_first(&numbers, 4)?, [1, 2, 3]);
    /// }
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn download_first<T: Element>(&self, buffer: &Buffer<T>, count: usize) -> Result<Vec<T>> {
        let count = count.min(buffer.len());
        if count == 0 {
            return self.finish().map(|()| Vec::new());
        }
        #[cfg(feature = "cuda")]
        if let Some(staging) = self.staging_for(count * size_of::<T>()) {
            return self.download_staged(staging, buffer, count);
        }
        let bytes = self.settle(|| {
            // On CUDA a read reports failed launches; on wgpu it would return the old content.
            if !self.is_cuda() {
                self.client().flush()?;
            }
            self.client().read_one(self.first_bytes(buffer, count))
        })?;
        let mut values = bytemuck::pod_collect_to_vec(&bytes);
        values.truncate(count);
        Ok(values)
    }

    /// The memory of the first elements of a buffer, without the rest, which may be uninitialized.
    fn first_bytes<T: Element>(&self, buffer: &Buffer<T>, count: usize) -> Handle {
        let handle = buffer.handle().clone();
        let behind = handle.size_in_used() - (count * size_of::<T>()) as u64;
        handle.offset_end(behind)
    }
}

#[cfg(feature = "cuda")]
impl Gpu {
    fn staging_for(&self, bytes: usize) -> Option<&Staging> {
        self.staging().filter(|_| bytes >= STAGED)
    }

    fn upload_staged<T: Element>(
        &self,
        staging: &Staging,
        len: usize,
        fill: impl Fn(usize, &mut [T]) + Sync,
    ) -> Result<Buffer<T>> {
        let buffer = self.empty(len)?;
        let size = size_of::<T>();
        let fill = |start: usize, piece: &mut [u8]| {
            fill(start / size, bytemuck::cast_slice_mut(piece));
        };
        // SAFETY: the buffer is new and has this many bytes; earlier uses of its memory are done.
        self.with_address(&buffer, |address| unsafe {
            staging.to_device(address, len * size, fill)
        })?;
        Ok(buffer)
    }

    fn download_staged<T: Element>(
        &self,
        staging: &Staging,
        buffer: &Buffer<T>,
        count: usize,
    ) -> Result<Vec<T>> {
        // CubeCL reports failed launches at a read, so that no uncomputed values are copied.
        self.settle(|| self.client().read_one(self.first_bytes(buffer, 1)))?;
        let mut values = Vec::<T>::with_capacity(count);
        let to = Destination(values.as_mut_ptr().cast());
        // SAFETY: the vector has this capacity.
        unsafe { in_large_pages(to.0, count * size_of::<T>()) };
        let take = |start: usize, piece: &[u8]| {
            // SAFETY: the vector has this capacity, and pieces are disjoint.
            unsafe {
                to.at(start).copy_from_nonoverlapping(piece.as_ptr(), piece.len());
            }
        };
        // SAFETY: the buffer has this many bytes, and all its writers are done: launches enqueued meanwhile by other
        // threads have to wait for this read.
        self.with_address(buffer, |address| unsafe {
            staging.to_host(address, count * size_of::<T>(), take)
        })?;
        // SAFETY: all of them were written.
        unsafe { values.set_len(count) };
        Ok(values)
    }

    /// Copies to or from the address of a buffer, once everything enqueued is done.
    fn with_address<T: Element>(
        &self,
        buffer: &Buffer<T>,
        copy: impl FnOnce(u64) -> Result<(), cudarc::driver::DriverError>,
    ) -> Result<()> {
        let address = self.settle(|| {
            let address = self.client().get_resource(buffer.handle().clone())?;
            // Not `sync`, which also frees memory and takes longer.
            match self.client().exclusive(super::driver::fault_of_context)? {
                None => Ok(address),
                Some(reason) => {
                    Err(ServerError::Generic { reason, backtrace: BackTrace::capture() })
                }
            }
        })?;
        copy(*address.resource()).map_err(|error| Error::Device(super::driver::text_of(&error)))
    }
}

/// An array to which several threads write disjoint parts.
#[cfg(feature = "cuda")]
struct Destination(*mut u8);

// SAFETY: it is only an address; each write has its own argument.
#[cfg(feature = "cuda")]
unsafe impl Sync for Destination {}

#[cfg(feature = "cuda")]
impl Destination {
    unsafe fn at(&self, byte: usize) -> *mut u8 {
        // SAFETY: the caller guarantees that it is in bounds.
        unsafe { self.0.add(byte) }
    }
}

/// Asks the system for large pages, of which fewer have to be allocated. Without effect where it does not have them.
///
/// # Safety
///
/// The memory exists, and nobody else uses it.
#[cfg(all(feature = "cuda", target_os = "linux"))]
unsafe fn in_large_pages(start: *mut u8, bytes: usize) {
    use super::staging::PAGE;

    let skipped = start.align_offset(PAGE).min(bytes);
    // SAFETY: memory of the caller, whose content does not change.
    unsafe { libc::madvise(start.add(skipped).cast(), bytes - skipped, libc::MADV_HUGEPAGE) };
}

#[cfg(all(feature = "cuda", not(target_os = "linux")))]
unsafe fn in_large_pages(_start: *mut u8, _bytes: usize) {}
