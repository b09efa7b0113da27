//! What a run took place on.

use equipoise::device::Device;
use serde::Serialize;

use crate::{arguments::RunArguments, failure::Result, numbers, screen::Screen};

/// A device and how much of it is used.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Machine {
    device: Device,
    threads: usize,
}

impl Machine {
    /// Starts the threads of the device that the arguments ask for.
    pub fn start(arguments: &RunArguments) -> Result<Self> {
        let device = arguments.cpu()?;
        arguments.threads.start()?;
        Ok(Self { device, threads: rayon::current_num_threads() })
    }

    /// Prints it.
    pub fn print(&self, screen: &mut Screen) -> Result<()> {
        let threads = numbers::counted(self.threads as u64, "thread", "threads");
        screen.fact("device", format_args!("{}, {threads}", self.device))
    }
}
