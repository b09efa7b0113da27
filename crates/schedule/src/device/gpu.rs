//! An open GPU.

use std::{fmt, sync::Arc, thread};

use cubecl::{
    future,
    ir::{ElemType, FloatKind},
    prelude::*,
    server::ServerError,
    stream_id::StreamId,
};

#[cfg(feature = "cuda")]
use super::staging::Staging;
use super::{
    PlaneSize, Properties,
    backend::{CUDA_BACKEND, WGPU_BACKEND},
    buffer::{Buffer, Element},
    caller,
    failure::{self, Log},
    memory::{Ledger, Memory, Reservation},
    panics,
    runtime::GpuRuntime,
};
use crate::{Error, Result};

/// The least bytes of a buffer, so that a kernel can take an empty one as vectors.
const SMALLEST_BUFFER: usize = 32;

/// CUDA's driver allocates large buffers in multiples of this.
const CUDA_PAGE: u64 = 2 << 20;

/// The share of free memory that is reserved for the code and stacks of kernels, and for small buffers between large
/// ones.
const RESERVED_SHARE: u64 = 32;
/// The minimum of that, if twice as much is free: drivers take pages of 32 MiB for small buffers, and as much for the
/// first kernels.
const LEAST_RESERVED: u64 = 64 << 20;
/// The maximum of that.
const MOST_RESERVED: u64 = 256 << 20;

/// An open GPU with its buffers and launches. Clones are the same GPU.
///
/// Tasks run in order, whichever threads enqueue them. Launches and allocations return at once; the next
/// [`finish`](Self::finish) or [`download`](Self::download) of the same thread reports their failures, once; those of
/// threads that have ended are reported to any other thread. A thread must wait before another one reads what its
/// launches write. The GPU remains usable after a failure, except after [`Error::Lost`], which every later call
/// returns.
///
/// ```no_run
/// use equipoise_schedule::device::{Device, OpenDevice};
///
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let buffer = gpu.upload(&[1u32, 2, 3])?;
/// assert_eq!(gpu.download(&buffer)?, [1, 2, 3]);
/// # Ok::<(), equipoise_schedule::Error>(())
/// ```
#[derive(Clone)]
pub struct Gpu {
    client: ComputeClient<GpuRuntime>,
    shared: Arc<Shared>,
}

struct Shared {
    properties: Properties,
    memory: Arc<Ledger>,
    log: Arc<Log>,
    #[cfg(feature = "cuda")]
    staging: Option<Staging>,
}

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Gpu").field(&self.shared.properties.name).finish()
    }
}

impl Gpu {
    /// The GPU behind a CubeCL client of the caller.
    pub fn new(client: ComputeClient<GpuRuntime>) -> Self {
        let name = GpuRuntime::name(&client).to_owned();
        Self::with_log(client, name, Arc::default())
    }

    /// The GPU behind a client, with the log of its driver.
    pub(super) fn with_log(
        mut client: ComputeClient<GpuRuntime>,
        name: String,
        log: Arc<Log>,
    ) -> Self {
        // SAFETY: all launches and buffers go through clones of this client, so that they are in this one stream, in
        // order.
        unsafe { client.set_stream(StreamId::current()) };
        let thread = client.exclusive(|| thread::current().name().map(str::to_owned));
        let log = match thread {
            Ok(Some(thread)) => panics::watch(thread, log),
            _ => log,
        };
        let (free, total) = device_memory(&client).unzip();
        let properties = properties(&client, name, total);
        let page = is_cuda(&client).then_some(CUDA_PAGE);
        let memory = Ledger::new(free.map(for_buffers), client.properties().memory.alignment, page);
        #[cfg(feature = "cuda")]
        let staging = if is_cuda(&client) {
            client.exclusive(Staging::of_context).ok().flatten()
        } else {
            None
        };
        let shared = Shared {
            properties,
            memory,
            log,
            #[cfg(feature = "cuda")]
            staging,
        };
        Self { client, shared: Arc::new(shared) }
    }

    /// CubeCL's client, which launches kernels.
    pub fn client(&self) -> &ComputeClient<GpuRuntime> {
        caller::register();
        &self.client
    }

    /// The properties that kernels depend on.
    pub fn properties(&self) -> &Properties {
        &self.shared.properties
    }

    /// The units per plane; the minimum if it differs between kernels.
    pub fn plane_size(&self) -> u32 {
        self.shared.properties.plane_size.min
    }

    /// `wanted` cubes, limited to those of one launch, but at least one. So a kernel launched with it must loop.
    pub fn cubes(&self, wanted: u64) -> CubeCount {
        let most = self.shared.properties.max_cubes.max(1);
        CubeCount::Static(wanted.clamp(1, u64::from(most)) as u32, 1, 1)
    }

    /// A buffer with undefined content.
    pub fn empty<T: Element>(&self, len: usize) -> Result<Buffer<T>> {
        let (bytes, reservation) = self.reserve::<T>(len)?;
        Ok(Buffer::new(self.client.empty(bytes.max(SMALLEST_BUFFER)), len, reservation))
    }

    /// Submits what is enqueued to the device, without waiting for it. Otherwise launches are held back until many are
    /// enqueued, or something is read.
    ///
    /// ```
    /// use equipoise_schedule::device::{Device, OpenDevice};
    ///
    /// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
    ///     let ones = gpu.filled(1000, 1u32)?;
    ///     gpu.begin()?;
    ///     assert_eq!(gpu.download(&ones)?, [1; 1000]);
    /// }
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn begin(&self) -> Result<()> {
        self.settle(|| {
            if is_cuda(&self.client) {
                // A flush would also free memory, and wait for that. Any call makes the runtime's thread process what
                // was enqueued before.
                self.client.exclusive(|| ())
            } else {
                self.client.flush()
            }
        })
    }

    /// Waits until everything enqueued is done, and reports failures. Unlike [`finish`](Self::finish), it does not
    /// release the memory of dropped buffers.
    ///
    /// ```
    /// use equipoise_schedule::device::{Device, OpenDevice};
    ///
    /// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
    ///     let ones = gpu.filled(1000, 1u32)?;
    ///     gpu.wait()?;
    ///     assert_eq!(ones.len(), 1000);
    /// }
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn wait(&self) -> Result<()> {
        self.settle(|| future::block_on(self.client.sync()))
    }

    /// Waits until everything enqueued is done, lets the runtime reclaim dropped buffers, and reports failures.
    pub fn finish(&self) -> Result<()> {
        self.settle(|| {
            let flushed = self.client.flush();
            future::block_on(self.client.sync()).and(flushed)
        })
    }

    /// The memory that buffers hold, and their limit.
    pub fn memory(&self) -> Memory {
        self.shared.memory.memory()
    }

    /// The bytes of memory that a buffer of this size takes: more if memory is allocated in pages.
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{Device, OpenDevice};
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// assert!(gpu.held_by(5_000_000) >= 5_000_000);
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn held_by(&self, bytes: u64) -> u64 {
        self.shared.memory.held_by(bytes)
    }

    /// Limits the bytes that buffers hold, from now on.
    pub fn set_memory_limit(&self, bytes: u64) {
        self.shared.memory.set_limit(bytes);
    }

    /// Fails with the numbers if the bytes do not fit next to what is held. To be called before an operation, with all
    /// that it needs.
    pub fn require(&self, what: &str, bytes: u64) -> Result<()> {
        self.memory().check(what, bytes)
    }

    /// Returns the memory of dropped buffers to the device, for other programs. Until then it is kept for new buffers.
    pub fn clean_up(&self) {
        self.client.memory_cleanup();
        self.shared.memory.cleaned_up();
    }

    /// Whether a kernel that writes a buffer may also bind a second view of it: on CUDA.
    pub fn allows_two_views(&self) -> bool {
        self.takes_cuda_source()
    }

    /// Whether atomic operations add floating-point numbers of 64 bits and compute their minimum: on CUDA.
    pub fn has_wide_sums(&self) -> bool {
        self.takes_cuda_source()
    }

    pub(crate) fn takes_cuda_source(&self) -> bool {
        GpuRuntime::name(&self.client) != WGPU_BACKEND
    }

    /// Whether both are the same open GPU, which can use each other's buffers.
    ///
    /// ```
    /// use equipoise_schedule::device::{Device, OpenDevice};
    ///
    /// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
    ///     assert!(gpu.is_same(&gpu.clone()));
    /// }
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Whether it is used through CUDA.
    pub fn is_cuda(&self) -> bool {
        is_cuda(&self.client)
    }

    /// The copies through page-locked memory, if available.
    #[cfg(feature = "cuda")]
    pub(super) fn staging(&self) -> Option<&Staging> {
        self.shared.staging.as_ref()
    }

    /// Whether it cannot be used any more.
    pub fn is_lost(&self) -> bool {
        self.shared.log.check().is_err()
    }

    pub(super) fn reserve<T: Element>(&self, len: usize) -> Result<(usize, Reservation)> {
        let Shared { properties, memory, log, .. } = &*self.shared;
        log.check()?;
        let bytes = len.max(1).saturating_mul(size_of::<T>());
        let (needed, largest) = (bytes as u64, properties.largest_buffer);
        if needed > largest {
            return Err(Error::BufferTooLarge { needed, largest });
        }
        let reservation = memory.reserve("a buffer", needed, || self.client.memory_cleanup())?;
        Ok((bytes, reservation))
    }

    /// Runs code that waits for the GPU, and reports failures until then. Cancelled work does not wait.
    pub(super) fn settle<T>(&self, wait: impl FnOnce() -> Result<T, ServerError>) -> Result<T> {
        equipoise_graph::cancel::poll();
        let log = &self.shared.log;
        log.check()?;
        let outcome = panics::quietly(wait);
        let noted = log.take(caller::register());
        let result = match (failure::summary(&noted), outcome) {
            (None, Ok(Ok(value))) => return Ok(value),
            (Some(noted), _) => noted,
            (None, Ok(Err(error))) => failure::message(&error),
            (None, Err(panic)) => panic,
        };
        if let Some(reason) = beyond_repair(&self.client) {
            log.lose(&format!("{reason}: {result}"));
        }
        log.check()?;
        Err(match failure::refused_bytes(&result) {
            Some(needed) => {
                let available = self.memory().available();
                Error::OutOfMemory { what: "a buffer".into(), needed, available }
            }
            None => Error::Device(failure::one_line(&result)),
        })
    }
}

fn properties(client: &ComputeClient<GpuRuntime>, name: String, memory: Option<u64>) -> Properties {
    let properties = client.properties();
    let hardware = &properties.hardware;
    let f64 = ElemType::Float(FloatKind::F64);
    Properties {
        name,
        memory,
        plane_size: PlaneSize { min: hardware.plane_size_min, max: hardware.plane_size_max },
        multiprocessors: hardware.num_streaming_multiprocessors,
        max_units: hardware.max_units_per_cube,
        shared_memory: hardware.max_shared_memory_size as u64,
        max_cubes: hardware.max_cube_count.0,
        // CubeCL's limit on CUDA is that of a pool, and pools are not used.
        largest_buffer: memory.unwrap_or(properties.memory.max_page_size),
        // CubeCL does not register it for CUDA, which always has it.
        f64: is_cuda(client) || properties.supports_type(f64),
    }
}

/// The bytes of free memory that buffers may take.
fn for_buffers(free: u64) -> u64 {
    let reserved = (free / RESERVED_SHARE).clamp(LEAST_RESERVED, MOST_RESERVED);
    free - reserved.min(free / 2)
}

fn is_cuda(client: &ComputeClient<GpuRuntime>) -> bool {
    GpuRuntime::name(client) == CUDA_BACKEND
}

/// Free and total bytes, if the runtime reports them.
fn device_memory(client: &ComputeClient<GpuRuntime>) -> Option<(u64, u64)> {
    #[cfg(feature = "cuda")]
    if is_cuda(client) {
        return client.exclusive(super::driver::memory_of_context).ok().flatten();
    }
    let _ = client;
    None
}

/// Why no launch can work any more after a failure; none if the next one can.
fn beyond_repair(client: &ComputeClient<GpuRuntime>) -> Option<String> {
    #[cfg(feature = "cuda")]
    if is_cuda(client) {
        return match client.exclusive(super::driver::fault_of_context) {
            Ok(fault) => fault,
            Err(error) => Some(failure::message(&error)),
        };
    }
    let _ = client;
    None
}

#[cfg(test)]
mod tests {
    use super::for_buffers;

    #[test]
    fn some_memory_is_reserved() {
        let mebibytes =
            [0, 1, 100, 128, 300, 4096, 100_000].map(|free| for_buffers(free << 20) >> 20);
        assert_eq!(mebibytes, [0, 0, 50, 64, 236, 3968, 99_744]);
    }
}
