//! The devices of ranks.

use equipoise_graph::numbers;

use super::{failure::Result, job::Job, screen::Screen};
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub use crate::gpu::Device;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
use crate::{agree, gpu};

/// The device of a rank, in a program without GPUs.
#[cfg(not(any(feature = "cuda", feature = "wgpu")))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Device {
    /// The threads of the rank
    Cpu,
}

/// The device of a rank.
pub enum Unit {
    /// The threads of the rank.
    Cpu,
    /// Its GPU.
    #[cfg(any(feature = "cuda", feature = "wgpu"))]
    Gpu(gpu::Gpu),
}

/// The open device of a rank.
pub struct Opened {
    pub unit: Unit,
    name: String,
    warning: Option<String>,
}

impl Opened {
    /// Opens the device of each rank. Fails on all ranks if one fails.
    #[cfg(any(feature = "cuda", feature = "wgpu"))]
    pub fn of(job: &Job, device: Device) -> Result<Self> {
        let opened = agree(job.comm, gpu::open(device, job.rank_on_node))?;
        let (unit, name) = match opened.device {
            gpu::OpenDevice::Cpu => (Unit::Cpu, opened.name.to_string()),
            gpu::OpenDevice::Gpu(gpu) => {
                let name = format!("{}: {}", opened.name, gpu.properties().name);
                (Unit::Gpu(gpu), name)
            }
        };
        Ok(Self { unit, name, warning: opened.warning })
    }

    /// The threads of each rank.
    #[cfg(not(any(feature = "cuda", feature = "wgpu")))]
    pub fn of(_job: &Job, device: Device) -> Result<Self> {
        match device {
            Device::Cpu => Ok(Self { unit: Unit::Cpu, name: "cpu".into(), warning: None }),
        }
    }

    /// Prints the device of the first rank, the number of ranks on other devices, and warnings.
    pub fn print(&self, job: &Job, screen: &mut Screen) {
        let names = job.comm.all_gather(self.name.as_bytes());
        let warnings = job.comm.all_gather(self.warning.as_deref().unwrap_or("").as_bytes());
        let ranks = numbers::counted(names.len() as u64, "rank", "ranks");
        let threads = numbers::counted(job.threads as u64, "thread", "threads");
        let others = names.iter().filter(|&name| *name != names[0]).count();
        let others = match others {
            0 => String::new(),
            others => format!(", {} on another", numbers::counted(others as u64, "rank", "ranks")),
        };
        screen.fact("device", format_args!("{}, {ranks} of {threads}{others}", self.name));
        if let Some(warning) = warnings.iter().find(|warning| !warning.is_empty()) {
            screen.fact("warning", String::from_utf8_lossy(warning));
        }
    }
}
