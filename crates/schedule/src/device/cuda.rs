//! NVIDIA GPUs through CUDA.

use std::sync::Arc;

use cubecl::{Runtime, cuda::install::cuda_path};
use cudarc::nvrtc;

use super::{
    Device, DeviceInfo, Gpu, config,
    driver::{capability, count, info},
    failure,
    opened::Opened,
    panics,
    runtime::{GpuDevice, GpuRuntime},
};
use crate::{Error, Result};

static OPEN: Opened = Opened::new();

/// The least compute capability, times 10: older GPUs lack the fences and the independent threads of a warp that
/// barriers in device loops need.
const LEAST_CAPABILITY: u32 = 70;

/// All GPUs that CUDA finds, or why it finds none.
pub(super) fn list() -> Result<Vec<DeviceInfo>, String> {
    let count = count()?;
    let problem = compiler_problem();
    let problem = |number| problem.clone().or_else(|| too_old(capability(number)));
    Ok((0..count).map(|number| info(number, problem(number))).collect())
}

pub(super) fn open(number: u32) -> Result<Gpu> {
    let count = count().map_err(|problem| Error::Unusable(format!("cuda: {problem}")))?;
    if number >= count {
        let device = Device::Cuda(number);
        return Err(Error::Unusable(format!(
            "unknown device `{device}`: CUDA's are numbered from 0 to {}",
            count - 1
        )));
    }
    if let Some(problem) = compiler_problem() {
        return Err(Error::Unusable(format!("cuda: {problem}")));
    }
    if let Some(problem) = too_old(capability(number)) {
        return Err(Error::Unusable(format!("{}: {problem}", Device::Cuda(number))));
    }
    OPEN.get(number, || {
        config::set_up();
        // CubeCL's name of this device's thread.
        let log = panics::watch(format!("DSD-0-{number}"), Arc::default());
        let client = panics::quietly(|| GpuRuntime::client(&GpuDevice::cuda(number as u16)));
        let client = client.map_err(|panic| {
            let reason = failure::summary(&log.take_all()).unwrap_or(failure::one_line(&panic));
            Error::Unusable(format!("{} does not start: {reason}", Device::Cuda(number)))
        })?;
        Ok(Gpu::with_log(client, info(number, None).model, log))
    })
}

/// Why a GPU of this compute capability is unusable, if it is too old.
fn too_old(capability: Option<u32>) -> Option<String> {
    let found = capability.filter(|&found| found < LEAST_CAPABILITY)?;
    let in_words = |capability: u32| format!("{}.{}", capability / 10, capability % 10);
    Some(format!(
        "its compute capability is {}, and kernels need {} (Volta) or newer: use `wgpu` or `cpu`",
        in_words(found),
        in_words(LEAST_CAPABILITY)
    ))
}

/// The missing part of the kernel compiler, if any.
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

#[cfg(test)]
mod tests {
    use super::too_old;

    #[test]
    fn gpus_before_volta_are_refused_with_a_reason() {
        let problem = too_old(Some(61)).unwrap();
        assert!(problem.starts_with("its compute capability is 6.1"), "{problem}");
        assert!([None, Some(70), Some(90), Some(120)].into_iter().all(|it| too_old(it).is_none()));
    }
}
