//! Memory that an open GPU shares with other libraries on CUDA, and the order of their work.
//!
//! All libraries of a process share CUDA's primary context, in which CubeCL allocates: an address of one is valid for all.
//! But each enqueues its work in streams of its own, and only events establish an order between two streams.

use super::{
    Gpu,
    buffer::{Buffer, Element},
};
use crate::{Error, Result};

#[cfg(feature = "cuda")]
use {
    super::driver::text_of,
    cudarc::driver::{
        DriverError, result,
        sys::{CUevent_flags, CUevent_wait_flags, CUstream},
    },
};

/// A stream of CUDA: a queue of work in the primary context.
///
/// ```
/// use equipoise_schedule::device::CudaStream;
///
/// assert_eq!(CudaStream::LEGACY.handle(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CudaStream(u64);

impl CudaStream {
    /// The default stream, in which libraries work unless their user chooses another one.
    pub const LEGACY: Self = Self(1);

    /// The stream with a handle of CUDA's driver.
    ///
    /// # Safety
    ///
    /// It exists in the primary context of the GPU with which it is used, for as long as it is used.
    ///
    /// ```
    /// use equipoise_schedule::device::CudaStream;
    ///
    /// // SAFETY: the legacy stream always exists.
    /// assert_eq!(unsafe { CudaStream::from_handle(1) }, CudaStream::LEGACY);
    /// ```
    pub unsafe fn from_handle(handle: u64) -> Self {
        Self(handle)
    }

    /// The handle of CUDA's driver.
    pub fn handle(self) -> u64 {
        self.0
    }
}

#[cfg(feature = "cuda")]
impl CudaStream {
    fn raw(self) -> CUstream {
        self.0 as CUstream
    }
}

#[cfg(feature = "cuda")]
impl Gpu {
    /// The address of a buffer on CUDA, when everything enqueued so far has been submitted to
    /// [`cuda_stream`](Self::cuda_stream). The address is valid as long as a clone of the buffer.
    ///
    /// Fails on other GPUs, and reports failed launches.
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{Device, OpenDevice};
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// let buffer = gpu.upload(&[1u32, 2, 3])?;
    /// assert_eq!(gpu.cuda_address(&buffer)?, gpu.cuda_address(&buffer.clone())?);
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn cuda_address<T: Element>(&self, buffer: &Buffer<T>) -> Result<u64> {
        self.address(buffer, true)
    }

    /// The stream in which this GPU works.
    ///
    /// Fails on GPUs that are not used through CUDA.
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{CudaStream, Device, OpenDevice};
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// assert_ne!(gpu.cuda_stream()?, CudaStream::LEGACY);
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn cuda_stream(&self) -> Result<CudaStream> {
        let stream = &self.client().info().stream;
        if stream.get().is_none() {
            self.cuda_address(&self.empty::<u32>(1)?)?;
        }
        let known = stream.get().copied().flatten();
        known.map(CudaStream).ok_or_else(|| Error::Device("CubeCL's stream is unknown".into()))
    }

    /// Makes the stream wait for everything that this GPU was given so far. The host does not wait.
    ///
    /// Fails on GPUs that are not used through CUDA.
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{CudaStream, Device, OpenDevice};
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// let ones = gpu.filled(100, 1u32)?;
    /// gpu.precede(CudaStream::LEGACY)?;
    /// // What is enqueued in the default stream from now on reads ones.
    /// assert_ne!(gpu.cuda_address(&ones)?, 0);
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn precede(&self, stream: CudaStream) -> Result<()> {
        let own = self.cuda_stream()?;
        self.begin()?;
        self.in_context(|| in_order(own, stream))
    }

    /// Makes what this GPU is given from now on wait for everything in the stream. The host does not wait.
    ///
    /// Fails on GPUs that are not used through CUDA.
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{CudaStream, Device, OpenDevice};
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// gpu.follow(CudaStream::LEGACY)?;
    /// assert_eq!(gpu.download(&gpu.filled(2, 1u32)?)?, [1, 1]);
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn follow(&self, stream: CudaStream) -> Result<()> {
        let own = self.cuda_stream()?;
        self.in_context(|| in_order(stream, own))
    }

    /// Waits until all streams of the context are done, those of other libraries, too.
    ///
    /// Fails on GPUs that are not used through CUDA.
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{Device, OpenDevice};
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// let ones = gpu.filled(100, 1u32)?;
    /// gpu.finish_context()?;
    /// assert_eq!(gpu.download(&ones)?, [1; 100]);
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn finish_context(&self) -> Result<()> {
        self.begin()?;
        self.in_context(result::ctx::synchronize)
    }

    /// A buffer with a copy of `len` elements at an address on this GPU. The host does not wait for the copy. It waits for
    /// what is in `stream`, and what is enqueued there from now on waits for it.
    ///
    /// Fails where the GPU lacks the memory, and on GPUs that are not used through CUDA.
    ///
    /// # Safety
    ///
    /// The elements exist. Without a `stream`, they are written when this GPU has done what it was given so far, and
    /// unchanged until the copy is done: [`follow`](Self::follow) and [`precede`](Self::precede) their stream, or
    /// [`wait`](Self::wait).
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{Device, OpenDevice};
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// let numbers = gpu.upload(&[1u32, 2, 3])?;
    /// // SAFETY: the buffer has three elements, and nothing changes it.
    /// let copy = unsafe { gpu.copy_from_cuda::<u32>(gpu.cuda_address(&numbers)?, 3, None) }?;
    /// assert_eq!(gpu.download(&copy)?, [1, 2, 3]);
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub unsafe fn copy_from_cuda<T: Element>(
        &self,
        source: u64,
        len: usize,
        stream: Option<CudaStream>,
    ) -> Result<Buffer<T>> {
        let buffer = self.empty(len)?;
        // Before the copy is enqueued from this thread, CubeCL's thread submits what may still use the memory.
        let address = self.address(&buffer, false)?;
        let own = self.cuda_stream()?;
        if len == 0 {
            return Ok(buffer);
        }
        let bytes = len * size_of::<T>();
        self.in_context(|| {
            stream.map_or(Ok(()), |stream| in_order(stream, own))?;
            // SAFETY: the buffer has this many bytes; the caller guarantees the source.
            unsafe { result::memcpy_dtod_async(address, source, bytes, own.raw()) }?;
            stream.map_or(Ok(()), |stream| in_order(own, stream))
        })?;
        Ok(buffer)
    }

    /// The address of a buffer; if `reports`, fails where a launch has failed.
    fn address<T: Element>(&self, buffer: &Buffer<T>, reports: bool) -> Result<u64> {
        if !self.is_cuda() {
            return Err(only_on_cuda());
        }
        let address = self.settle(|| {
            let client = self.client();
            if reports && client.memory_usage().is_err() {
                client.flush()?;
            }
            client.get_resource(buffer.handle().clone())
        })?;
        Ok(*address.resource())
    }

    /// Calls the driver with the context of this GPU.
    fn in_context<T>(&self, call: impl FnOnce() -> Result<T, DriverError>) -> Result<T> {
        let staging = self.staging().ok_or_else(only_on_cuda)?;
        let call = || {
            let _entered = staging.enter()?;
            call()
        };
        call().map_err(|error| Error::Device(text_of(&error)))
    }
}

/// Makes `later` wait for what is in `earlier` so far. Their context is current.
#[cfg(feature = "cuda")]
fn in_order(earlier: CudaStream, later: CudaStream) -> Result<(), DriverError> {
    let event = result::event::create(CUevent_flags::CU_EVENT_DISABLE_TIMING)?;
    // SAFETY: both streams exist, as whoever made a `CudaStream` guarantees. The event is destroyed once, last; the driver
    // keeps what waits for it.
    unsafe {
        let ordered = result::event::record(event, earlier.raw()).and_then(|()| {
            result::stream::wait_event(
                later.raw(),
                event,
                CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT,
            )
        });
        ordered.and(result::event::destroy(event))
    }
}

/// The stream of a server of CubeCL for CUDA, from its debug output, since CubeCL exposes it nowhere else; none unless there
/// is exactly one.
#[cfg(feature = "cuda")]
pub(super) fn only_stream(server: &str) -> Option<u64> {
    let mut streams = server.split("Stream { sys: 0x").skip(1).map(|text| {
        let end = text.find(|digit: char| !digit.is_ascii_hexdigit());
        u64::from_str_radix(&text[..end.unwrap_or(text.len())], 16).ok()
    });
    let only = streams.next()??;
    streams.next().is_none().then_some(only)
}

#[cfg(not(feature = "cuda"))]
#[allow(missing_docs, reason = "as with the feature `cuda`")]
impl Gpu {
    pub fn cuda_address<T: Element>(&self, _buffer: &Buffer<T>) -> Result<u64> {
        Err(only_on_cuda())
    }

    pub fn cuda_stream(&self) -> Result<CudaStream> {
        Err(only_on_cuda())
    }

    pub fn precede(&self, _stream: CudaStream) -> Result<()> {
        Err(only_on_cuda())
    }

    pub fn follow(&self, _stream: CudaStream) -> Result<()> {
        Err(only_on_cuda())
    }

    pub fn finish_context(&self) -> Result<()> {
        Err(only_on_cuda())
    }

    /// # Safety
    ///
    /// None is needed: it fails.
    pub unsafe fn copy_from_cuda<T: Element>(
        &self,
        _source: u64,
        _len: usize,
        _stream: Option<CudaStream>,
    ) -> Result<Buffer<T>> {
        Err(only_on_cuda())
    }
}

fn only_on_cuda() -> Error {
    Error::Unusable("memory is shared with other libraries on CUDA only".into())
}

#[cfg(all(test, feature = "cuda"))]
mod tests {
    use super::only_stream;

    #[test]
    fn the_stream_is_found_in_the_debug_output() {
        let one = "StreamPool { streams: [None, Some(StreamWrapper { stream: Stream { sys: 0x55d0c0ffee, \
                   memory_management_gpu: ..";
        assert_eq!(only_stream(one), Some(0x55_d0c0_ffee));
        assert_eq!(only_stream(&format!("{one}{one}")), None);
        assert_eq!(only_stream("StreamPool { streams: [None, None]"), None);
    }
}
