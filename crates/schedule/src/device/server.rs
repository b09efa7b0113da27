//! The server of one GPU, which forwards to the server of the backend.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::Ordering},
    time::Instant,
};

use cubecl::{
    CubeTask, Runtime,
    backtrace::BackTrace,
    bytes::Bytes,
    device::{DeviceId, DeviceService, ServerUtilitiesHandle},
    future::DynFut,
    prelude::*,
    profile::ProfileDuration,
    server::{
        Binding, ComputeServer, CopyDescriptor, ExecutionMode, IoError, KernelArguments,
        ProfileError, ProfilingToken, ServerCommunication, ServerError, ServerUtilities,
    },
    stream_id::StreamId,
};
use cubecl_runtime::{
    allocator::ContiguousMemoryLayoutPolicy,
    logging::ServerLogger,
    memory_management::{ManagedMemoryHandle, MemoryAllocationMode, MemoryUsage},
    storage::ManagedResource,
};

#[cfg(feature = "cuda")]
use super::backend::CUDA;
#[cfg(feature = "cuda")]
use super::streams;
#[cfg(feature = "lower")]
use super::{backend::LOWERING, lowering::LoweringServer};
use super::{
    backend::{CUDA_BACKEND, GpuInfo, LOADS, WGPU_BACKEND},
    bindings,
    definition::{Defining, HAS_COMPILED, Task},
    failure, panics,
    storage::NoStorage,
};

#[cfg(feature = "cuda")]
type CudaServer = <cubecl::cuda::CudaRuntime as Runtime>::Server;
#[cfg(feature = "wgpu")]
type WgpuServer = cubecl::wgpu::WgpuServer;

/// The server of one GPU: that of its backend.
#[derive(Debug)]
pub struct GpuServer {
    backend: Backend,
    utilities: Arc<ServerUtilities<Self>>,
    /// The thread that enqueued the last task.
    caller: Option<StreamId>,
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

/// Runs the code with the server of the backend.
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
        Self::new(Backend::Cuda(Box::new(server)), utilities)
    }

    #[cfg(feature = "wgpu")]
    pub(super) fn wgpu(server: WgpuServer) -> Self {
        let utilities = utilities(&server, WGPU_BACKEND);
        Self::new(Backend::Wgpu(Box::new(server)), utilities)
    }

    #[cfg(feature = "lower")]
    fn lowering(server: LoweringServer) -> Self {
        let mut utilities = utilities(&server, "lowering");
        utilities.info.sources = Some(server.sources());
        Self::new(Backend::Lowering(Box::new(server)), utilities)
    }

    fn new(backend: Backend, utilities: ServerUtilities<Self>) -> Self {
        Self { backend, utilities: Arc::new(utilities), caller: None }
    }

    /// Submits the tasks of the previous thread before the first of this one: a backend reports the failures of all
    /// gathered tasks together.
    fn take_turn(&mut self, stream: StreamId) {
        let caller = StreamId::current();
        if let Some(before) = self.caller.replace(caller).filter(|&before| before != caller) {
            // The panic hook has recorded a panic, which belongs to the other thread.
            let _ = catch_unwind(AssertUnwindSafe(|| before.executes(|| self.settle(stream))));
        }
    }

    /// Records failures so far for the current thread.
    fn settle(&mut self, stream: StreamId) {
        // CUDA's flush is slow, and needed only after a failure.
        let has_failed = match self.backend {
            #[cfg(feature = "cuda")]
            Backend::Cuda(ref mut server) => server.memory_usage(stream).is_err(),
            #[allow(unreachable_patterns, reason = "where CUDA is the only backend")]
            _ => true,
        };
        if has_failed && let Err(error) = each!(self, server => server.flush(stream)) {
            panics::note(failure::message(&error));
        }
    }
}

/// The properties of a server that clients read without a call.
fn utilities<S: ComputeServer>(server: &S, backend: &'static str) -> ServerUtilities<GpuServer> {
    let properties = ComputeServer::utilities(server).properties.clone();
    let layout = ContiguousMemoryLayoutPolicy::new(properties.memory.alignment as usize);
    let info = GpuInfo::new(backend);
    ServerUtilities::new(properties, server.logger(), info, layout)
}

impl DeviceService for GpuServer {
    /// Starts the server of a device on the thread that will use it. wgpu's servers exist beforehand.
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
        self.take_turn(stream);
        let task = Box::new(Task(kernel));
        let is_wgpu = self.utilities.info.backend == WGPU_BACKEND;
        let same = if cfg!(debug_assertions) && is_wgpu && bindings::is_due(task.name()) {
            bindings::same_buffers(&arguments)
        } else {
            Vec::new()
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
        self.take_turn(stream);
        each!(self, server => server.initialize_memory(memory, size, stream));
    }

    fn staging(&mut self, sizes: &[usize], stream: StreamId) -> Result<Vec<Bytes>, ServerError> {
        self.take_turn(stream);
        each!(self, server => server.staging(sizes, stream))
    }

    fn read(
        &mut self,
        descriptors: Vec<CopyDescriptor>,
        stream: StreamId,
    ) -> DynFut<Result<Vec<Bytes>, ServerError>> {
        self.take_turn(stream);
        each!(self, server => server.read(descriptors, stream))
    }

    fn write(&mut self, descriptors: Vec<(CopyDescriptor, Bytes)>, stream: StreamId) {
        self.take_turn(stream);
        each!(self, server => server.write(descriptors, stream));
    }

    fn sync(&mut self, stream: StreamId) -> DynFut<Result<(), ServerError>> {
        self.take_turn(stream);
        each!(self, server => server.sync(stream))
    }

    fn flush(&mut self, stream: StreamId) -> Result<(), ServerError> {
        self.take_turn(stream);
        each!(self, server => server.flush(stream))
    }

    /// The address of a buffer on a CUDA GPU.
    fn get_resource(
        &mut self,
        binding: Binding,
        stream: StreamId,
    ) -> Result<ManagedResource<u64>, ServerError> {
        self.take_turn(stream);
        #[cfg(feature = "cuda")]
        if let Backend::Cuda(server) = &mut self.backend {
            let memory = binding.memory.clone();
            let address = server.get_resource(binding, stream)?.resource().ptr;
            self.utilities.info.stream.get_or_init(|| streams::only_stream(&format!("{server:?}")));
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
        self.take_turn(stream);
        each!(self, server => server.memory_usage(stream))
    }

    fn memory_cleanup(&mut self, stream: StreamId) {
        self.take_turn(stream);
        each!(self, server => server.memory_cleanup(stream));
    }

    fn allocation_mode(&mut self, mode: MemoryAllocationMode, stream: StreamId) {
        self.take_turn(stream);
        each!(self, server => server.allocation_mode(mode, stream));
    }

    fn start_profile(&mut self, stream: StreamId) -> Result<ProfilingToken, ServerError> {
        self.take_turn(stream);
        each!(self, server => server.start_profile(stream))
    }

    fn end_profile(
        &mut self,
        stream: StreamId,
        token: ProfilingToken,
    ) -> Result<ProfileDuration, ProfileError> {
        self.take_turn(stream);
        each!(self, server => server.end_profile(stream, token))
    }
}
