//! NVIDIA GPUs through CUDA.

use std::sync::Arc;

use cubecl::{Runtime, cuda::install::cuda_path};
use cudarc::{
    driver::{
        DriverError, result,
        sys::{self, CUdevice, CUdevice_attribute},
    },
    nvrtc,
};

use super::{
    Device, DeviceInfo, Gpu, PlaneSize, config, failure,
    opened::Opened,
    panics,
    runtime::{GpuDevice, GpuRuntime},
};
use crate::{Error, Result};

static OPEN: Opened = Opened::new();

/// All that CUDA finds, or why it finds none.
pub(super) fn list() -> Result<Vec<DeviceInfo>, String> {
    let count = count()?;
    let problem = compiler_problem();
    Ok((0..count).map(|number| info(number, problem.clone())).collect())
}

/// The GPU of that number.
pub(super) fn open(number: u32) -> Result<Gpu> {
    let count = count().map_err(|problem| Error::Unusable(format!("cuda: {problem}")))?;
    if number >= count {
        let device = Device::Cuda(number);
        return Err(Error::Unusable(format!(
            "there is no device `{device}`: CUDA's are numbered from 0 to {}",
            count - 1
        )));
    }
    if let Some(problem) = compiler_problem() {
        return Err(Error::Unusable(format!("cuda: {problem}")));
    }
    OPEN.get(number, || {
        config::set_up();
        // So CubeCL calls the thread of this device.
        let log = panics::watch(format!("DSD-0-{number}"), Arc::default());
        let client = panics::quietly(|| GpuRuntime::client(&GpuDevice::cuda(number as u16)));
        let client = client.map_err(|panic| {
            let reason = failure::summary(&log.take()).unwrap_or(failure::one_line(&panic));
            Error::Unusable(format!("{} does not start: {reason}", Device::Cuda(number)))
        })?;
        Ok(Gpu::with_log(client, info(number, None).model, log))
    })
}

/// The architecture of all GPUs, such as 90; none if there are none or they differ.
pub(super) fn architecture() -> Option<u32> {
    use CUdevice_attribute::{
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR as MAJOR,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR as MINOR,
    };
    let of = |number| {
        let device = result::device::get(number as i32).ok()?;
        Some(attribute(device, MAJOR)? * 10 + attribute(device, MINOR)?)
    };
    let count = count().ok()?;
    let all: Option<Vec<u32>> = panics::quietly(|| (0..count).map(of).collect()).ok()?;
    let (first, others) = all.as_deref()?.split_first()?;
    others.iter().all(|other| other == first).then_some(*first)
}

/// The bytes that are free and that there are on the GPU whose context this thread has.
pub(super) fn memory_of_context() -> Option<(u64, u64)> {
    let (free, total) = result::mem_get_info().ok()?;
    Some((free as u64, total as u64))
}

/// What every call fails with from now on, if there is such a thing, on the GPU whose context
/// this thread has.
pub(super) fn fault_of_context() -> Option<String> {
    result::ctx::synchronize().err().map(|error| text_of(&error))
}

/// How many GPUs there are, or why there are none.
fn count() -> Result<u32, String> {
    panics::quietly(|| {
        // SAFETY: it only loads the driver, whose initialisers do no harm.
        if !unsafe { sys::is_culib_present() } {
            return Err("NVIDIA's driver was not found (libcuda): install it".into());
        }
        result::init().map_err(|error| format!("CUDA does not start: {}", text_of(&error)))?;
        match result::device::get_count() {
            Ok(count) if count > 0 => Ok(count as u32),
            Ok(_) => Err("CUDA finds no GPU".into()),
            Err(error) => Err(format!("CUDA does not say what it has: {}", text_of(&error))),
        }
    })
    .unwrap_or_else(|panic| Err(failure::one_line(&panic)))
}

/// What is missing to compile kernels.
fn compiler_problem() -> Option<String> {
    // SAFETY: it only loads NVRTC, whose initialisers do no harm.
    let found = panics::quietly(|| unsafe { nvrtc::sys::is_culib_present() });
    if found != Ok(true) {
        return Some(
            "libnvrtc was not found: install the CUDA toolkit, or the nvidia-cuda-nvrtc wheel \
             and put its folder on LD_LIBRARY_PATH"
                .into(),
        );
    }
    let header = cuda_path().map(|path| path.join("include").join("cuda_runtime.h"));
    if header.as_ref().is_some_and(|header| header.exists()) {
        return None;
    }
    let missing = header.map_or("cuda_runtime.h".into(), |header| header.display().to_string());
    Some(format!(
        "{missing} was not found: install the CUDA toolkit, or set CUDA_PATH to a folder in \
         which include/cuda_runtime.h is"
    ))
}

fn info(number: u32, problem: Option<String>) -> DeviceInfo {
    let known = panics::quietly(|| {
        let device = result::device::get(number as i32).ok()?;
        Some(describe(device))
    });
    let known = known.ok().flatten().unwrap_or_default();
    DeviceInfo {
        name: Device::Cuda(number).to_string(),
        model: known.model.unwrap_or_else(|| "unknown".into()),
        software: false,
        units: known.units,
        multiprocessors: known.multiprocessors,
        plane_size: known.plane.map(|size| PlaneSize { min: size, max: size }),
        memory: known.memory,
        available: known.available,
        problem,
    }
}

#[derive(Default)]
struct Description {
    model: Option<String>,
    units: Option<u64>,
    multiprocessors: Option<u32>,
    plane: Option<u32>,
    memory: Option<u64>,
    available: Option<u64>,
}

fn describe(device: CUdevice) -> Description {
    use CUdevice_attribute::{
        CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR as UNITS_EACH,
        CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT as MULTIPROCESSORS,
        CU_DEVICE_ATTRIBUTE_WARP_SIZE as PLANE,
    };
    let multiprocessors = attribute(device, MULTIPROCESSORS);
    let units_each = attribute(device, UNITS_EACH);
    Description {
        model: result::device::get_name(device).ok(),
        units: multiprocessors.zip(units_each).map(|(a, b)| u64::from(a) * u64::from(b)),
        multiprocessors,
        plane: attribute(device, PLANE),
        // SAFETY: the driver gave the device.
        memory: unsafe { result::device::total_mem(device) }.ok().map(|bytes| bytes as u64),
        available: free_memory(device),
    }
}

fn attribute(device: CUdevice, attribute: CUdevice_attribute) -> Option<u32> {
    // SAFETY: the driver gave the device.
    let value = unsafe { result::device::get_attribute(device, attribute) };
    value.ok().and_then(|value| value.try_into().ok())
}

/// The bytes that are free: CUDA tells them to who has a context on the device.
fn free_memory(device: CUdevice) -> Option<u64> {
    let before = result::ctx::get_current().ok()?;
    // SAFETY: the driver gave the device; what is retained is released below.
    let context = unsafe { result::primary_ctx::retain(device) }.ok()?;
    // SAFETY: the context is retained.
    let set = unsafe { result::ctx::set_current(context) };
    let free = set.ok().and_then(|()| memory_of_context()).map(|(free, _)| free);
    // SAFETY: this thread had the context before, or none.
    let restored = unsafe { result::ctx::set_current(before.unwrap_or(std::ptr::null_mut())) };
    // SAFETY: it was retained above, and this thread has another one again.
    let released = unsafe { result::primary_ctx::release(device) };
    restored.and(released).ok().and(free)
}

pub(super) fn text_of(error: &DriverError) -> String {
    let text = |text: Result<&std::ffi::CStr, DriverError>| {
        text.ok().map(|text| text.to_string_lossy().into_owned())
    };
    match (text(error.error_name()), text(error.error_string())) {
        (Some(name), Some(string)) => format!("{string} ({name})"),
        _ => format!("{error:?}"),
    }
}
