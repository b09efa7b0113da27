//! One CubeCL runtime for all GPUs.
//!
//! Everything that launches a kernel is generic over CubeCL's runtime and would be compiled once for
//! CUDA and once more for wgpu, in every crate that calls it. [`GpuRuntime`] stands for both: its
//! compiler leaves a kernel's definition as it is, and its server passes the definition to the
//! backend's own server, which compiles it for its device and runs it. So each kernel is compiled
//! into a program once, and nothing above this file knows which backend it runs on.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use cubecl::{
    CubeTask, Runtime,
    backtrace::BackTrace,
    bytes::Bytes,
    client::ComputeClient,
    device::{Device, DeviceId, DeviceService, ServerUtilitiesHandle},
    future::DynFut,
    ir::TargetProperties,
    prelude::*,
    profile::ProfileDuration,
    server::{
        Binding, ComputeServer, CopyDescriptor, ExecutionMode, IoError, KernelArguments,
        ProfileError, ProfilingToken, ServerCommunication, ServerError, ServerUtilities,
    },
    stream_id::StreamId,
    zspace::{Shape, Strides},
};
use cubecl_runtime::{
    allocator::ContiguousMemoryLayoutPolicy,
    logging::ServerLogger,
    memory_management::{ManagedMemoryHandle, MemoryAllocationMode, MemoryUsage},
    storage::ManagedResource,
};

use super::{
    bindings,
    definition::{Defining, HAS_COMPILED, Task},
    storage::NoStorage,
};
#[cfg(feature = "lower")]
use crate::lower::{LoweringServer, Sources};

#[cfg(feature = "cuda")]
type CudaServer = <cubecl::cuda::CudaRuntime as Runtime>::Server;
#[cfg(feature = "wgpu")]
type WgpuServer = cubecl::wgpu::WgpuServer;

/// CubeCL's runtime for GPUs of every backend, which kernels are launched with.
///
/// ```no_run
/// use cubecl::prelude::*;
/// use equipoise_schedule::device::{Device, GpuRuntime, OpenDevice};
///
/// #[cube(launch)]
/// fn double(values: &mut Array<u32>) {
///     values[ABSOLUTE_POS] *= 2u32;
/// }
///
/// # fn main() -> equipoise_schedule::Result<()> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let values = gpu.upload(&[1u32, 2, 3])?;
/// let (cubes, units) = (gpu.cubes(1), CubeDim::new_1d(3));
/// double::launch::<GpuRuntime>(gpu.client(), cubes, units, values.arg());
/// assert_eq!(gpu.download(&values)?, [2, 4, 6]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct GpuRuntime;

/// A GPU as CubeCL names it.
#[derive(Clone, Debug)]
pub struct GpuDevice(DeviceId);

/// The devices of [`GpuRuntime`] that are numbered as CUDA's are.
#[cfg(feature = "cuda")]
const CUDA: u16 = 0;
/// Those that lower kernels to CUDA source and run nothing.
#[cfg(feature = "lower")]
const LOWERING: u16 = 100;

impl GpuDevice {
    /// CUDA's GPU of that number.
    #[cfg(feature = "cuda")]
    pub(super) fn cuda(number: u16) -> Self {
        Self(DeviceId { type_id: CUDA, index_id: number })
    }

    /// A device of that number which lowers kernels and runs nothing.
    #[cfg(feature = "lower")]
    pub(crate) fn lowering(number: u16) -> Self {
        Self(DeviceId { type_id: LOWERING, index_id: number })
    }

    /// The device that is behind a device of wgpu's runtime.
    #[cfg(feature = "wgpu")]
    pub(super) fn wgpu(device: &cubecl::wgpu::WgpuDevice) -> Self {
        Self(device.to_id())
    }
}

impl Default for GpuDevice {
    fn default() -> Self {
        Self(DeviceId { type_id: 0, index_id: 0 })
    }
}

impl Device for GpuDevice {
    fn from_id(id: DeviceId) -> Self {
        Self(id)
    }

    fn to_id(&self) -> DeviceId {
        self.0
    }
}

impl Runtime for GpuRuntime {
    type Compiler = Defining;
    type Server = GpuServer;
    type Device = GpuDevice;

    fn client(device: &GpuDevice) -> ComputeClient<Self> {
        ComputeClient::load(device)
    }

    fn name(client: &ComputeClient<Self>) -> &'static str {
        client.info().backend
    }

    fn max_cube_count() -> (u32, u32, u32) {
        // The least of all backends; `Properties` has the device's own.
        (u16::MAX.into(), u16::MAX.into(), u16::MAX.into())
    }

    fn can_read_tensor(_shape: &Shape, _strides: &Strides) -> bool {
        // Buffers are arrays, whose elements lie side by side.
        true
    }

    fn target_properties() -> TargetProperties {
        // They describe matrix units, which no kernel for irregular work uses.
        TargetProperties { mma: Default::default() }
    }

    fn enumerate_devices(_type_id: u16, _info: &GpuInfo) -> Vec<DeviceId> {
        // `device::list` finds the devices.
        Vec::new()
    }
}

/// What is known of the backend of a GPU.
#[derive(Debug)]
pub struct GpuInfo {
    backend: &'static str,
    /// The nanoseconds that kernels took to be compiled.
    compiling: AtomicU64,
    /// What was lowered, on a device that runs nothing.
    #[cfg(feature = "lower")]
    pub(crate) sources: Option<Arc<Sources>>,
}

impl GpuInfo {
    /// The time that kernels took to be compiled so far.
    pub(super) fn compile_time(&self) -> Duration {
        Duration::from_nanos(self.compiling.load(Ordering::Relaxed))
    }
}

/// A launch on CUDA that takes longer has loaded its kernel, from the cache if it was not compiled.
const LOADS: Duration = Duration::from_micros(300);

/// The name of CUDA as a backend.
pub(super) const CUDA_BACKEND: &str = "cuda";
/// Its name where it is wgpu.
pub(super) const WGPU_BACKEND: &str = "wgpu";

/// The server of one GPU: that of its backend.
#[derive(Debug)]
pub struct GpuServer {
    backend: Backend,
    utilities: Arc<ServerUtilities<Self>>,
}

#[derive(Debug)]
enum Backend {
    #[cfg(feature = "cuda")]
    Cuda(Box<CudaServer>),
    #[cfg(feature = "wgpu")]
    Wgpu(Box<WgpuServer>),
    #[cfg(feature = "lower")]
    Lowering(Box<LoweringServer>),
}

/// Does the same with the server of whichever backend.
macro_rules! each {
    ($self:ident, $server:ident => $code:expr) => {
        match $self.backend {
            #[cfg(feature = "cuda")]
            Backend::Cuda(ref mut $server) => $code,
            #[cfg(feature = "wgpu")]
            Backend::Wgpu(ref mut $server) => $code,
            #[cfg(feature = "lower")]
            Backend::Lowering(ref mut $server) => $code,
        }
    };
}

impl GpuServer {
    #[cfg(feature = "cuda")]
    fn cuda(server: CudaServer) -> Self {
        let utilities = utilities(&server, CUDA_BACKEND);
        Self { backend: Backend::Cuda(Box::new(server)), utilities: Arc::new(utilities) }
    }

    #[cfg(feature = "wgpu")]
    pub(super) fn wgpu(server: WgpuServer) -> Self {
        let utilities = utilities(&server, WGPU_BACKEND);
        Self { backend: Backend::Wgpu(Box::new(server)), utilities: Arc::new(utilities) }
    }

    #[cfg(feature = "lower")]
    fn lowering(server: LoweringServer) -> Self {
        let mut utilities = utilities(&server, "lowering");
        utilities.info.sources = Some(server.sources());
        Self { backend: Backend::Lowering(Box::new(server)), utilities: Arc::new(utilities) }
    }
}

/// What clients know of a server without asking it.
fn utilities<S: ComputeServer>(server: &S, backend: &'static str) -> ServerUtilities<GpuServer> {
    let properties = ComputeServer::utilities(server).properties.clone();
    let layout = ContiguousMemoryLayoutPolicy::new(properties.memory.alignment as usize);
    let info = GpuInfo {
        backend,
        compiling: AtomicU64::new(0),
        #[cfg(feature = "lower")]
        sources: None,
    };
    ServerUtilities::new(properties, server.logger(), info, layout)
}

impl DeviceService for GpuServer {
    /// Starts the server of a device on the thread that it will be used by. Those of wgpu are made
    /// beforehand.
    fn init(device: DeviceId) -> Self {
        match device.type_id {
            #[cfg(feature = "cuda")]
            CUDA => Self::cuda(CudaServer::init(device)),
            #[cfg(feature = "lower")]
            LOWERING => Self::lowering(LoweringServer::init(device)),
            other => unreachable!("a GPU of type {other} is opened with its server"),
        }
    }

    fn utilities(&self) -> ServerUtilitiesHandle {
        self.utilities.clone()
    }
}

impl ServerCommunication for GpuServer {
    const SERVER_COMM_ENABLED: bool = false;
}

impl ComputeServer for GpuServer {
    type Kernel = Box<dyn CubeTask<Defining>>;
    type Info = GpuInfo;
    type MemoryLayoutPolicy = ContiguousMemoryLayoutPolicy;
    type Storage = NoStorage;

    unsafe fn launch(
        &mut self,
        kernel: Self::Kernel,
        count: CubeCount,
        arguments: KernelArguments,
        mode: ExecutionMode,
        stream: StreamId,
    ) {
        let task = Box::new(Task(kernel));
        let is_wgpu = self.utilities.info.backend == WGPU_BACKEND;
        let same = match cfg!(debug_assertions) && is_wgpu && bindings::is_due(task.name()) {
            true => bindings::same_buffers(&arguments),
            false => Vec::new(),
        };
        let named = (!same.is_empty()).then(|| (task.id(), task.name()));
        HAS_COMPILED.set(false);
        let start = Instant::now();
        // SAFETY: the caller keeps the contract.
        each!(self, server => unsafe { server.launch(task, count, arguments, mode, stream) });
        let (took, info) = (start.elapsed(), &self.utilities.info);
        if HAS_COMPILED.get() || (info.backend == CUDA_BACKEND && took > LOADS) {
            info.compiling.fetch_add(took.as_nanos() as u64, Ordering::Relaxed);
        }
        if let Some((id, name)) = named {
            bindings::check(&id, name, &same);
        }
    }

    fn initialize_memory(&mut self, memory: ManagedMemoryHandle, size: u64, stream: StreamId) {
        each!(self, server => server.initialize_memory(memory, size, stream));
    }

    fn staging(&mut self, sizes: &[usize], stream: StreamId) -> Result<Vec<Bytes>, ServerError> {
        each!(self, server => server.staging(sizes, stream))
    }

    fn read(
        &mut self,
        descriptors: Vec<CopyDescriptor>,
        stream: StreamId,
    ) -> DynFut<Result<Vec<Bytes>, ServerError>> {
        each!(self, server => server.read(descriptors, stream))
    }

    fn write(&mut self, descriptors: Vec<(CopyDescriptor, Bytes)>, stream: StreamId) {
        each!(self, server => server.write(descriptors, stream));
    }

    fn sync(&mut self, stream: StreamId) -> DynFut<Result<(), ServerError>> {
        each!(self, server => server.sync(stream))
    }

    fn flush(&mut self, stream: StreamId) -> Result<(), ServerError> {
        each!(self, server => server.flush(stream))
    }

    /// The address of a buffer on a GPU of CUDA's.
    fn get_resource(
        &mut self,
        binding: Binding,
        stream: StreamId,
    ) -> Result<ManagedResource<u64>, ServerError> {
        #[cfg(feature = "cuda")]
        if let Backend::Cuda(server) = &mut self.backend {
            let memory = binding.memory.clone();
            let address = server.get_resource(binding, stream)?.resource().ptr;
            return Ok(ManagedResource::new(memory, address));
        }
        let _ = (binding, stream);
        Err(IoError::UnsupportedIoOperation { backtrace: BackTrace::capture() }.into())
    }

    fn logger(&self) -> Arc<ServerLogger> {
        self.utilities.logger.clone()
    }

    fn utilities(&self) -> Arc<ServerUtilities<Self>> {
        self.utilities.clone()
    }

    fn memory_usage(&mut self, stream: StreamId) -> Result<MemoryUsage, ServerError> {
        each!(self, server => server.memory_usage(stream))
    }

    fn memory_cleanup(&mut self, stream: StreamId) {
        each!(self, server => server.memory_cleanup(stream));
    }

    fn allocation_mode(&mut self, mode: MemoryAllocationMode, stream: StreamId) {
        each!(self, server => server.allocation_mode(mode, stream));
    }

    fn start_profile(&mut self, stream: StreamId) -> Result<ProfilingToken, ServerError> {
        each!(self, server => server.start_profile(stream))
    }

    fn end_profile(
        &mut self,
        stream: StreamId,
        token: ProfilingToken,
    ) -> Result<ProfileDuration, ProfileError> {
        each!(self, server => server.end_profile(stream, token))
    }
}
