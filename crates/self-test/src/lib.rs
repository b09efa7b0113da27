//! Checks of a device. Those of algorithms on whole graphs come from the library's list.
//!
//! ```
//! use equipoise::device::Device;
//! use equipoise_self_test::{Target, suites};
//!
//! let target = Target { device: Device::Cpu.open()?, large: false, only: Vec::new() };
//! for suite in suites().iter().filter(|suite| !suite.gpu_only) {
//!     (suite.run)(&target, &mut |check| assert_eq!(check.verdict, Ok(())))?;
//! }
//! # Ok::<(), equipoise::Error>(())
//! ```

mod algorithms;
mod searches;
mod sparse;
mod tensor;
mod transfers;

use equipoise::{Result, device::OpenDevice};

/// All suites, in the order they run.
pub fn suites() -> Vec<Suite> {
    const SUITES: &[Suite] = &[
        Suite { name: "transfers", gpu_only: true, run: transfers::run },
        Suite { name: "spmv", gpu_only: false, run: sparse::spmv },
        Suite { name: "spmm", gpu_only: false, run: sparse::spmm },
        Suite { name: "spgemm", gpu_only: false, run: sparse::spgemm },
        Suite { name: "mttkrp", gpu_only: false, run: tensor::mttkrp },
    ];
    SUITES.iter().copied().chain(algorithms::suites()).collect()
}

/// A shape of inputs, with the specs of a small and a large input.
type Shape = (&'static str, &'static str, &'static str);

/// A group of checks.
#[derive(Clone, Copy)]
pub struct Suite {
    /// The name of the suite: an algorithm, or `transfers`.
    pub name: &'static str,
    /// Whether it applies to GPUs only.
    pub gpu_only: bool,
    /// Runs all checks, and reports each. Fails only where further checks are impossible.
    pub run: fn(&Target, &mut dyn FnMut(Check)) -> Result<()>,
}

/// The device to check.
pub struct Target {
    /// The device.
    pub device: OpenDevice,
    /// Whether it is fast enough for large inputs; software devices are not.
    pub large: bool,
    /// The schedules and strategies to check; all if empty.
    pub only: Vec<String>,
}

impl Target {
    /// Whether a schedule or strategy is selected: `only` names it, or is empty.
    pub fn wants(&self, subject: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == subject)
    }
}

/// The result of one check.
pub struct Check {
    /// The schedule or strategy.
    pub subject: &'static str,
    /// The shape of the input.
    pub input: &'static str,
    /// The problem, if the check failed.
    pub verdict: Result<(), String>,
}
