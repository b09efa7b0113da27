//! GPUs through Vulkan, Metal and DirectX 12.

use std::sync::Arc;

use ::wgpu::{
    Adapter, Backends, DeviceDescriptor, DeviceType, Features, Instance, InstanceDescriptor,
    MemoryHints,
};
use cubecl::{
    Runtime, WgpuCompilationOptions,
    client::ComputeClient,
    future,
    ir::{ElemType, UIntKind},
    server::ServerUtilities,
    wgpu::{RuntimeOptions, WgpuRuntime, WgpuServer, WgpuSetup, init_device},
};
use cubecl_runtime::{allocator::ContiguousMemoryLayoutPolicy, logging::ServerLogger};

use super::{
    Device, DeviceInfo, Gpu, PlaneSize, config,
    failure::{self, Log},
    opened::Opened,
    panics,
    runtime::{GpuDevice, GpuRuntime},
    server::GpuServer,
};
use crate::{Error, Result};

static OPEN: Opened = Opened::new();

const NONE: &str = "no GPU with Vulkan, Metal or DirectX 12 was found: install its driver; \
                    mesa-vulkan-drivers on Debian and Ubuntu has one in software, for tests";

/// All GPUs that wgpu finds, hardware first, or why it finds none.
pub(super) fn list() -> Result<Vec<DeviceInfo>, String> {
    let (_, adapters) = adapters()?;
    Ok((0..).zip(&adapters).map(|(number, adapter)| info(number, adapter)).collect())
}

/// The GPU of this number in the list.
pub(super) fn open(number: u32) -> Result<Gpu> {
    OPEN.get(number, || Ok(open_anew(number)?.0))
}

/// The GPU, and its wgpu device.
fn open_anew(number: u32) -> Result<(Gpu, ::wgpu::Device)> {
    config::set_up();
    let (instance, adapters) = adapters().map_err(|problem| unusable(number, &problem))?;
    let Some(adapter) = adapters.get(number as usize) else {
        let last = adapters.len() - 1;
        let device = Device::Wgpu(number);
        return Err(Error::Unusable(format!(
            "unknown device `{device}`: wgpu's are numbered from 0 to {last}"
        )));
    };
    let DeviceInfo { model, problem, .. } = info(number, adapter);
    if let Some(problem) = problem {
        return Err(unusable(number, &problem));
    }
    let log = Arc::new(Log::default());
    let opened = panics::quietly(|| connect(instance, adapter, log.clone()));
    let (client, device) = match opened {
        Ok(Ok(opened)) => opened,
        Ok(Err(reason)) | Err(reason) => return Err(unusable(number, &reason)),
    };
    Ok((Gpu::with_log(client, model, log), device))
}

type Client = ComputeClient<GpuRuntime>;

fn connect(
    instance: Instance,
    adapter: &Adapter,
    log: Arc<Log>,
) -> Result<(Client, ::wgpu::Device), String> {
    let unwanted = Features::MAPPABLE_PRIMARY_BUFFERS | Features::all_experimental_mask();
    let (device, queue) = future::block_on(adapter.request_device(&DeviceDescriptor {
        required_features: adapter.features().difference(unwanted),
        required_limits: adapter.limits(),
        memory_hints: MemoryHints::MemoryUsage,
        ..Default::default()
    }))
    .map_err(|error| error.to_string())?;
    let lost = log.clone();
    device.set_device_lost_callback(move |_, reason| lost.lose(&reason));
    // Without a handler, wgpu panics.
    device.on_uncaptured_error(Arc::new(move |error: ::wgpu::Error| {
        log.note(panics::caller(), error.to_string());
    }));
    let setup = WgpuSetup {
        instance,
        adapter: adapter.clone(),
        device: device.clone(),
        queue,
        backend: adapter.get_info().backend,
    };
    Ok((client(setup), device))
}

/// A client of wgpu's server for a device. The properties come from a client that CubeCL creates and that is not used
/// otherwise.
fn client(setup: WgpuSetup) -> Client {
    let existing = init_device(setup.clone(), RuntimeOptions::default());
    let properties = WgpuRuntime::client(&existing).properties().clone();
    let options = RuntimeOptions::default();
    let compilation = WgpuCompilationOptions {
        supports_u64: properties.supports_type(ElemType::UInt(UIntKind::U64)),
        ..WgpuCompilationOptions::default()
    };
    let layout = ContiguousMemoryLayoutPolicy::new(properties.memory.alignment as usize);
    let logger = Arc::new(ServerLogger::default());
    let server = WgpuServer::new(
        properties.memory.clone(),
        options.memory_config,
        compilation,
        setup.device,
        setup.queue,
        options.tasks_max,
        setup.backend,
        properties.timing_method,
        ServerUtilities::new(properties, logger, setup.backend, layout),
    );
    ComputeClient::init(&GpuDevice::wgpu(&existing), GpuServer::wgpu(server))
}

/// At least one adapter, hardware before software.
fn adapters() -> Result<(Instance, Vec<Adapter>), String> {
    let found = panics::quietly(|| {
        let backends = Backends::VULKAN | Backends::METAL | Backends::DX12;
        let instance = Instance::new(InstanceDescriptor {
            backends,
            ..InstanceDescriptor::new_without_display_handle()
        });
        let adapters = future::block_on(instance.enumerate_adapters(backends));
        (instance, adapters)
    });
    let (instance, mut adapters) = found.map_err(|panic| failure::one_line(&panic))?;
    adapters.sort_by_key(|adapter| rank(adapter.get_info().device_type));
    if adapters.is_empty() { Err(NONE.into()) } else { Ok((instance, adapters)) }
}

fn rank(device: DeviceType) -> u32 {
    match device {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    }
}

fn info(number: u32, adapter: &Adapter) -> DeviceInfo {
    let info = adapter.get_info();
    let plane_size = PlaneSize { min: info.subgroup_min_size, max: info.subgroup_max_size };
    let planes = adapter.features().contains(Features::SUBGROUP);
    DeviceInfo {
        name: Device::Wgpu(number).to_string(),
        model: format!("{}, {}", info.name, info.backend),
        software: info.device_type == DeviceType::Cpu,
        units: None,
        multiprocessors: None,
        plane_size: Some(plane_size).filter(|size| size.min > 0),
        memory: None,
        available: None,
        problem: (!planes).then(|| "its driver has no plane operations (subgroups)".into()),
    }
}

fn unusable(number: u32, problem: &str) -> Error {
    Error::Unusable(format!("{}: {}", Device::Wgpu(number), failure::one_line(problem)))
}

#[cfg(test)]
mod tests {
    use super::open_anew;
    use crate::Error;

    #[test]
    fn a_lost_device_says_so_every_time() {
        let (gpu, device) = open_anew(0).expect("wgpu needs a driver: mesa-vulkan-drivers has one");
        let buffer = gpu.upload(&[1_u32]).unwrap();
        assert_eq!(gpu.download(&buffer).unwrap(), [1]);
        device.destroy();
        // wgpu reports a loss that the driver did not cause when it is polled.
        device.poll(::wgpu::PollType::Poll).unwrap();
        assert!(gpu.is_lost());
        for _ in 0..2 {
            assert!(matches!(gpu.finish(), Err(Error::Lost(_))));
            assert!(matches!(gpu.download(&buffer), Err(Error::Lost(_))));
            assert!(matches!(gpu.upload(&[1_u32]), Err(Error::Lost(_))));
        }
        let (another, _) = open_anew(0).unwrap();
        assert_eq!(another.download(&another.upload(&[2_u32]).unwrap()).unwrap(), [2]);
    }
}
