//! A CubeCL server that lowers kernels to CUDA source instead of running them.

use std::{
    any::Any,
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use cubecl::{
    Compiler, CubeTask,
    backtrace::BackTrace,
    bytes::Bytes,
    cuda::{CUDA_MAX_BINDINGS, CudaCompiler, CudaRuntime},
    device::{DeviceId, DeviceService, ServerUtilitiesHandle},
    future::DynFut,
    ir::{
        DeviceProperties, HardwareProperties, MemoryDeviceProperties, VectorSize, features::Plane,
    },
    prelude::*,
    profile::{ProfileDuration, TimingMethod},
    server::{
        Binding, ComputeServer, CopyDescriptor, ExecutionMode, KernelArguments, ProfileError,
        ProfilingToken, ServerCommunication, ServerError, ServerUtilities,
    },
    stream_id::StreamId,
};
use cubecl_runtime::{
    allocator::PitchedMemoryLayoutPolicy,
    logging::ServerLogger,
    memory_management::{ManagedMemoryHandle, MemoryAllocationMode, MemoryUsage},
    storage::{ComputeStorage, ManagedResource},
    timestamp_profiler::TimestampProfiler,
    validation::{validate_cube_dim, validate_units},
};

/// Only named: nothing is stored.
type CudaStorage = <<CudaRuntime as Runtime>::Server as ComputeServer>::Storage;

/// The lowered kernels: source or error by name.
#[derive(Debug, Default)]
pub struct Sources(Mutex<BTreeMap<String, Result<String, String>>>);

/// The server of a device that lowers kernels, see [`gpu`](crate::lower::gpu).
#[derive(Debug)]
pub struct LoweringServer {
    utilities: Arc<ServerUtilities<Self>>,
    timestamps: TimestampProfiler,
}

impl Sources {
    /// All sources and errors, by the names of the kernels.
    pub(crate) fn all(&self) -> BTreeMap<String, Result<String, String>> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Result<String, String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LoweringServer {
    /// The kernels lowered so far and later.
    pub fn sources(&self) -> Arc<Sources> {
        self.utilities.info.clone()
    }

    /// Compiles a kernel as CUDA's server does before it passes the source to NVRTC.
    fn lower(
        &self,
        kernel: &dyn CubeTask<CudaCompiler>,
        mode: ExecutionMode,
    ) -> Result<String, String> {
        let properties = &self.utilities.properties;
        let id = kernel.id();
        validate_cube_dim(properties, &id).map_err(|error| error.to_string())?;
        validate_units(properties, &id).map_err(|error| error.to_string())?;
        let compiled = kernel
            .compile(&mut Default::default(), &options(), mode, kernel.address_type())
            .map_err(|error| error.to_string())?;
        let shared = compiled.repr.map_or(0, |kernel| kernel.shared_memory_size());
        let limit = properties.hardware.max_shared_memory_size;
        if shared <= limit {
            Ok(compiled.source)
        } else {
            Err(format!("it takes {shared} bytes of shared memory: the device has {limit}"))
        }
    }
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("the compiler panicked: {}", text.unwrap_or("it does not say why"))
}

/// The compiler options of CUDA's server for the GPU of [`properties`].
fn options() -> <CudaCompiler as Compiler>::CompilationOptions {
    let mut options = <CudaCompiler as Compiler>::CompilationOptions::default();
    let features = &mut options.supports_features;
    features.fast_math = true;
    features.grid_constants = true;
    features.fast_tanh = true;
    features.clusters = true;
    features.elect_sync = true;
    options
}

/// The properties of an H200 that kernels for irregular work read.
fn properties() -> DeviceProperties {
    let memory = MemoryDeviceProperties { max_page_size: 32 << 30, alignment: 512 };
    let hardware = HardwareProperties {
        load_width: 128,
        plane_size_min: 32,
        plane_size_max: 32,
        max_bindings: CUDA_MAX_BINDINGS,
        max_shared_memory_size: 227 << 10,
        max_cube_count: CudaRuntime::max_cube_count(),
        max_units_per_cube: 1024,
        max_cube_dim: (1024, 1024, 64),
        num_streaming_multiprocessors: Some(132),
        num_tensor_cores: None,
        min_tensor_cores_dim: None,
        num_cpu_cores: None,
        max_vector_size: VectorSize::MAX,
    };
    let mut properties =
        DeviceProperties::new(Default::default(), memory, hardware, TimingMethod::System);
    cubecl_cpp::register_supported_types(&mut properties);
    properties.features.plane.insert(Plane::Ops);
    properties.features.plane.insert(Plane::Sync);
    properties.features.plane.insert(Plane::NonUniformControlFlow);
    properties.features.memory_reinterpret = true;
    properties.features.alignment = true;
    properties
}

impl DeviceService for LoweringServer {
    fn init(_device: DeviceId) -> Self {
        let properties = properties();
        let layout = PitchedMemoryLayoutPolicy::new(properties.memory.alignment as usize);
        let logger = Arc::new(ServerLogger::default());
        let utilities = ServerUtilities::new(properties, logger, Arc::default(), layout);
        Self { utilities: Arc::new(utilities), timestamps: TimestampProfiler::default() }
    }

    fn utilities(&self) -> ServerUtilitiesHandle {
        self.utilities.clone()
    }
}

impl ServerCommunication for LoweringServer {
    const SERVER_COMM_ENABLED: bool = false;
}

impl ComputeServer for LoweringServer {
    type Kernel = Box<dyn CubeTask<CudaCompiler>>;
    type Info = Arc<Sources>;
    type MemoryLayoutPolicy = PitchedMemoryLayoutPolicy;
    type Storage = CudaStorage;

    unsafe fn launch(
        &mut self,
        kernel: Self::Kernel,
        _count: CubeCount,
        _arguments: KernelArguments,
        mode: ExecutionMode,
        _stream: StreamId,
    ) {
        let mut id = kernel.id();
        id.mode(mode);
        let mut sources = self.utilities.info.lock();
        sources.entry(id.stable_format()).or_insert_with(|| {
            // CubeCL would lose a panic on this thread.
            catch_unwind(AssertUnwindSafe(|| self.lower(&*kernel, mode)))
                .unwrap_or_else(|panic| Err(message_of(&*panic)))
        });
    }

    /// Reads zeros, so that loops over a frontier end.
    fn read(
        &mut self,
        descriptors: Vec<CopyDescriptor>,
        _stream: StreamId,
    ) -> DynFut<Result<Vec<Bytes>, ServerError>> {
        let zeros = |descriptor: &CopyDescriptor| {
            Bytes::from_bytes_vec(vec![0; descriptor.handle.size_in_used() as usize])
        };
        let bytes = descriptors.iter().map(zeros).collect();
        Box::pin(async move { Ok(bytes) })
    }

    fn write(&mut self, _descriptors: Vec<(CopyDescriptor, Bytes)>, _stream: StreamId) {}

    fn initialize_memory(&mut self, _memory: ManagedMemoryHandle, _size: u64, _stream: StreamId) {}

    fn get_resource(
        &mut self,
        _binding: Binding,
        _stream: StreamId,
    ) -> Result<ManagedResource<<CudaStorage as ComputeStorage>::Resource>, ServerError> {
        Err(ServerError::Generic {
            reason: "a device that lowers kernels has no memory".into(),
            backtrace: BackTrace::capture(),
        })
    }

    fn sync(&mut self, _stream: StreamId) -> DynFut<Result<(), ServerError>> {
        Box::pin(async { Ok(()) })
    }

    fn flush(&mut self, _stream: StreamId) -> Result<(), ServerError> {
        Ok(())
    }

    fn logger(&self) -> Arc<ServerLogger> {
        self.utilities.logger.clone()
    }

    fn utilities(&self) -> Arc<ServerUtilities<Self>> {
        self.utilities.clone()
    }

    fn memory_usage(&mut self, _stream: StreamId) -> Result<MemoryUsage, ServerError> {
        Ok(MemoryUsage { number_allocs: 0, bytes_in_use: 0, bytes_padding: 0, bytes_reserved: 0 })
    }

    fn memory_cleanup(&mut self, _stream: StreamId) {}

    fn allocation_mode(&mut self, _mode: MemoryAllocationMode, _stream: StreamId) {}

    fn start_profile(&mut self, _stream: StreamId) -> Result<ProfilingToken, ServerError> {
        Ok(self.timestamps.start())
    }

    fn end_profile(
        &mut self,
        _stream: StreamId,
        token: ProfilingToken,
    ) -> Result<ProfileDuration, ProfileError> {
        self.timestamps.stop(token)
    }
}
