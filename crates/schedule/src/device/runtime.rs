//! One CubeCL runtime for all GPUs.
//!
//! Code that launches a kernel is generic over CubeCL's runtime, and would be compiled for CUDA and again for wgpu in
//! every crate that calls it. [`GpuRuntime`] stands for both: its compiler leaves a kernel's definition unchanged, and
//! its server passes the definition to the backend's server, which compiles and runs it. So each kernel is compiled
//! into a program once, and nothing above this file depends on the backend.

use cubecl::{
    Runtime,
    client::ComputeClient,
    device::{Device, DeviceId},
    ir::TargetProperties,
    zspace::{Shape, Strides},
};

#[cfg(feature = "cuda")]
use super::backend::CUDA;
#[cfg(feature = "lower")]
use super::backend::LOWERING;
use super::{backend::GpuInfo, definition::Defining, server::GpuServer};

/// CubeCL's runtime for GPUs of every backend, with which kernels are launched.
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

/// CubeCL's id of a GPU.
#[derive(Clone, Debug)]
pub struct GpuDevice(DeviceId);

impl GpuDevice {
    /// CUDA's GPU of this number.
    #[cfg(feature = "cuda")]
    pub(super) fn cuda(number: u16) -> Self {
        Self(DeviceId { type_id: CUDA, index_id: number })
    }

    /// A device that lowers kernels and runs nothing.
    #[cfg(feature = "lower")]
    pub(crate) fn lowering(number: u16) -> Self {
        Self(DeviceId { type_id: LOWERING, index_id: number })
    }

    /// The device behind a device of wgpu's runtime.
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
        // The minimum over all backends; `Properties` has that of the device.
        (u16::MAX.into(), u16::MAX.into(), u16::MAX.into())
    }

    fn can_read_tensor(_shape: &Shape, _strides: &Strides) -> bool {
        // Buffers are contiguous arrays.
        true
    }

    fn target_properties() -> TargetProperties {
        // They describe matrix units, which no kernel uses.
        TargetProperties { mma: Default::default() }
    }

    fn enumerate_devices(_type_id: u16, _info: &GpuInfo) -> Vec<DeviceId> {
        // `device::list` finds the devices.
        Vec::new()
    }
}
