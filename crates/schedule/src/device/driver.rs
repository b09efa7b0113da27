//! Queries to NVIDIA's driver.

use cudarc::driver::{
    DriverError, result,
    sys::{self, CUdevice, CUdevice_attribute},
};

use super::{Device, DeviceInfo, PlaneSize, failure, panics};

/// The architecture of all GPUs, such as 90; none without GPUs or if they differ.
pub(super) fn architecture() -> Option<u32> {
    let all: Option<Vec<u32>> = (0..count().ok()?).map(capability).collect();
    let (first, others) = all.as_deref()?.split_first()?;
    others.iter().all(|other| other == first).then_some(*first)
}

/// The compute capability of a GPU, such as 90 for 9.0.
pub(super) fn capability(number: u32) -> Option<u32> {
    use CUdevice_attribute::{
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR as MAJOR,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR as MINOR,
    };
    let known = panics::quietly(|| {
        let device = result::device::get(number as i32).ok()?;
        Some(attribute(device, MAJOR)? * 10 + attribute(device, MINOR)?)
    });
    known.ok().flatten()
}

/// Free and total bytes of the GPU of this thread's context.
pub(super) fn memory_of_context() -> Option<(u64, u64)> {
    let (free, total) = result::mem_get_info().ok()?;
    Some((free as u64, total as u64))
}

/// The error with which every call fails from now on, if any, on the GPU of this thread's context.
pub(super) fn fault_of_context() -> Option<String> {
    result::ctx::synchronize().err().map(|error| text_of(&error))
}

/// The number of GPUs, or why CUDA finds none.
pub(super) fn count() -> Result<u32, String> {
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

/// A GPU, with the reason why it is unusable, if any.
pub(super) fn info(number: u32, problem: Option<String>) -> DeviceInfo {
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
        // SAFETY: the device comes from the driver.
        memory: unsafe { result::device::total_mem(device) }.ok().map(|bytes| bytes as u64),
        available: free_memory(device),
    }
}

fn attribute(device: CUdevice, attribute: CUdevice_attribute) -> Option<u32> {
    // SAFETY: the device comes from the driver.
    let value = unsafe { result::device::get_attribute(device, attribute) };
    value.ok().and_then(|value| value.try_into().ok())
}

/// The free bytes, which CUDA reports to a thread that has a context on the device.
fn free_memory(device: CUdevice) -> Option<u64> {
    let before = result::ctx::get_current().ok()?;
    // SAFETY: the driver gave the device; the context is released below.
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
