//! The choice of a device by a rank.

use equipoise_schedule::device::{Device, OpenDevice, list, take_cache_problem};

use crate::Result;

/// The device of a rank.
///
/// ```
/// use equipoise_cluster::gpu;
/// use equipoise_cluster::gpu::{Device, OpenDevice};
///
/// let taken = gpu::open(Device::Cpu, 3)?;
/// assert!(matches!(taken.device, OpenDevice::Cpu) && taken.warning.is_none());
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RankDevice {
    /// The open device.
    pub device: OpenDevice,
    /// Its name; never `auto`.
    pub name: Device,
    /// A warning about the choice.
    pub warning: Option<String>,
}

/// Opens the device for the rank with the number `rank_on_node` on its machine, from 0 on.
///
/// `cuda` and `wgpu` give a GPU to each rank: the first rank takes the named one, the next rank the next one. If GPUs are
/// fewer than ranks, ranks share them, with a warning. A software GPU is taken if it is named or the only one of its kind.
/// `auto` is `cuda` if it has a GPU, else `wgpu` if it has a hardware GPU, else `cpu`.
///
/// Fails if the named device is unavailable.
///
/// ```no_run
/// use equipoise_cluster::gpu;
/// use equipoise_cluster::gpu::Device;
///
/// // The second rank of a machine takes its second GPU.
/// assert_eq!(gpu::open(Device::Cuda(0), 1)?.name, Device::Cuda(1));
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
pub fn open(device: Device, rank_on_node: usize) -> Result<RankDevice> {
    let known: Vec<Known> = list().iter().filter_map(Known::of).collect();
    let (name, warning) = choose(device, rank_on_node, &known);
    let device = name.open()?;
    let warnings: Vec<String> = warning.into_iter().chain(take_cache_problem()).collect();
    let warning = (!warnings.is_empty()).then(|| warnings.join("; "));
    Ok(RankDevice { device, name, warning })
}

/// An available device.
#[derive(Clone, Copy)]
struct Known {
    device: Device,
    software: bool,
}

impl Known {
    fn of(info: &equipoise_schedule::device::DeviceInfo) -> Option<Self> {
        let device = info.name.parse().ok().filter(|_| info.problem.is_none())?;
        Some(Self { device, software: info.software })
    }
}

fn choose(device: Device, rank_on_node: usize, known: &[Known]) -> (Device, Option<String>) {
    let is_hardware = |known: &&Known| !known.software;
    let best = |is_kind: fn(&Known) -> bool| known.iter().filter(is_hardware).find(|k| is_kind(k));
    match device {
        Device::Cpu => (Device::Cpu, None),
        Device::Cuda(first) => nth(first, rank_on_node, known, Device::Cuda),
        Device::Wgpu(first) => nth(first, rank_on_node, known, Device::Wgpu),
        Device::Auto if best(|known| matches!(known.device, Device::Cuda(_))).is_some() => {
            choose(Device::Cuda(0), rank_on_node, known)
        }
        Device::Auto if best(|known| matches!(known.device, Device::Wgpu(_))).is_some() => {
            choose(Device::Wgpu(0), rank_on_node, known)
        }
        Device::Auto => (Device::Cpu, None),
    }
}

/// The GPU of a kind for a rank, from number `first` on.
fn nth(
    first: u32,
    rank_on_node: usize,
    known: &[Known],
    kind: fn(u32) -> Device,
) -> (Device, Option<String>) {
    let find = |number: u32| known.iter().find(|known| known.device == kind(number));
    let Some(named) = find(first) else {
        // Opening it says why it cannot be used.
        return (kind(first), None);
    };
    let is_alike = |number: &u32| find(*number).is_some_and(|k| k.software == named.software);
    let alike = (first..).take_while(is_alike).count();
    let name = kind(first + (rank_on_node % alike) as u32);
    let warning = (rank_on_node >= alike).then(|| {
        format!(
            "rank {rank_on_node} of this machine shares {name} with another: it sees {alike} such {}; where the launcher \
             shows each rank a GPU of its own, all is well",
            if alike == 1 { "GPU" } else { "GPUs" }
        )
    });
    (name, warning)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gpus(devices: &[(Device, bool)]) -> Vec<Known> {
        devices.iter().map(|&(device, software)| Known { device, software }).collect()
    }

    #[test]
    fn each_rank_takes_the_next_gpu() {
        let known = gpus(&[(Device::Cuda(0), false), (Device::Cuda(1), false)]);
        assert_eq!(choose(Device::Cuda(0), 0, &known), (Device::Cuda(0), None));
        assert_eq!(choose(Device::Cuda(0), 1, &known), (Device::Cuda(1), None));
        assert_eq!(choose(Device::Auto, 1, &known), (Device::Cuda(1), None));
        let (third, warning) = choose(Device::Cuda(0), 2, &known);
        assert_eq!(third, Device::Cuda(0));
        assert!(warning.is_some_and(|text| text.contains("sees 2 such GPUs")));
    }

    #[test]
    fn software_is_taken_only_where_it_is_named() {
        let known = gpus(&[(Device::Wgpu(0), false), (Device::Wgpu(1), true)]);
        assert_eq!(choose(Device::Wgpu(0), 1, &known).0, Device::Wgpu(0));
        assert_eq!(choose(Device::Wgpu(1), 0, &known), (Device::Wgpu(1), None));
        assert_eq!(choose(Device::Wgpu(1), 1, &known).0, Device::Wgpu(1));
        let software = gpus(&[(Device::Wgpu(0), true)]);
        assert_eq!(choose(Device::Auto, 0, &software), (Device::Cpu, None));
    }

    #[test]
    fn what_is_not_there_is_left_to_opening() {
        assert_eq!(choose(Device::Cuda(5), 1, &[]), (Device::Cuda(5), None));
        assert_eq!(choose(Device::Cpu, 9, &[]), (Device::Cpu, None));
    }
}
