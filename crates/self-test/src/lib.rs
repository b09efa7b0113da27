//! The checks that can be made of a device: each suite is a file here and a line in [`SUITES`].
//!
//! ```
//! use equipoise::device::Device;
//! use equipoise_self_test::{SUITES, Target};
//!
//! # fn main() -> equipoise::Result<()> {
//! let target = Target { device: Device::Cpu.open()?, large: false, only: Vec::new() };
//! for suite in SUITES.iter().filter(|suite| !suite.gpu_only) {
//!     (suite.run)(&target, &mut |check| assert_eq!(check.verdict, Ok(())))?;
//! }
//! # Ok(())
//! # }
//! ```

mod all_pairs;
mod betweenness;
mod coloring;
mod communities;
mod components;
mod kcore;
mod mis;
mod mst;
mod operators;
mod pagerank;
mod paths;
mod schedules;
mod searches;
mod sparse;
mod tensor;
mod transfers;
mod triangles;
mod whole_graphs;

use equipoise::{Result, device::OpenDevice};

/// All suites, in the order they run.
pub const SUITES: &[Suite] = &[
    Suite { name: "transfers", gpu_only: true, run: transfers::run },
    Suite { name: "schedules", gpu_only: true, run: schedules::run },
    Suite { name: "operators", gpu_only: true, run: operators::run },
    Suite { name: "spmv", gpu_only: false, run: sparse::spmv },
    Suite { name: "spmm", gpu_only: false, run: sparse::spmm },
    Suite { name: "spgemm", gpu_only: false, run: sparse::spgemm },
    Suite { name: "mttkrp", gpu_only: false, run: tensor::mttkrp },
    Suite { name: "bfs", gpu_only: false, run: searches::bfs },
    Suite { name: "sssp", gpu_only: false, run: searches::sssp },
    Suite { name: "apsp", gpu_only: false, run: all_pairs::run },
    Suite { name: "color", gpu_only: false, run: coloring::run },
    Suite { name: "components", gpu_only: false, run: components::run },
    Suite { name: "pagerank", gpu_only: false, run: pagerank::run },
    Suite { name: "mis", gpu_only: false, run: mis::run },
    Suite { name: "triangles", gpu_only: false, run: triangles::run },
    Suite { name: "betweenness", gpu_only: false, run: betweenness::run },
    Suite { name: "kcore", gpu_only: false, run: kcore::run },
    Suite { name: "mst", gpu_only: false, run: mst::run },
    Suite { name: "paths", gpu_only: false, run: paths::run },
    Suite { name: "communities", gpu_only: false, run: communities::run },
];

/// Checks that belong together.
pub struct Suite {
    /// What is checked.
    pub name: &'static str,
    /// Whether the cpu has none of it.
    pub gpu_only: bool,
    /// Makes all checks, telling each as it is done. Fails only where no more can be made.
    pub run: fn(&Target, &mut dyn FnMut(Check)) -> Result<()>,
}

/// The device that is checked.
pub struct Target {
    /// The device.
    pub device: OpenDevice,
    /// Whether it is fast enough for large inputs; devices in software are not.
    pub large: bool,
    /// The schedules and strategies to check; all where none is named.
    pub only: Vec<String>,
}

impl Target {
    /// Whether a schedule or strategy is to be checked.
    fn wants(&self, subject: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == subject)
    }
}

/// One check.
pub struct Check {
    /// What was checked: a schedule or a strategy.
    pub subject: &'static str,
    /// On which input.
    pub input: &'static str,
    /// What was wrong.
    pub verdict: Result<(), String>,
}
