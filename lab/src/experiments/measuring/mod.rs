//! Times every candidate at every step of an algorithm's runs on the graphs of a suite, as training
//! data for policies. One file per algorithm.
//!
//! ```
//! use equipoise::device::Device;
//! use equipoise_cli::suite;
//! use equipoise_lab::{experiments::measuring::{Algorithm, Request, Runs}, learn::Step};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let path = folder.path().join("suite.txt");
//! std::fs::write(&path, "ring  cycles  cycle:n=9\n").unwrap();
//! let request =
//!     Request { sources: 1, seed: 1, repeat: 1, most_steps: None, candidates: None };
//! let measure = Algorithm::Color.measurement(Device::Cpu.open().unwrap(), &request)?;
//! let candidates = measure.schema().candidates.len();
//! let mut record = |name: &str, steps: Vec<Step>| {
//!     assert_eq!((name, steps.len(), steps[0].times.len()), ("coloring", 1, candidates));
//!     Ok(())
//! };
//! let mut runs = Runs { is_wanted: &|_| true, record: &mut record };
//! for entry in suite::read(&path, None)? {
//!     measure.measure(&entry, &mut runs)?;
//! }
//! # Ok::<(), equipoise_lab::experiments::Error>(())
//! ```

mod bfs;
mod color;
mod color_switch;
mod request;
mod spmv;
mod sssp;
mod step;

use equipoise::{
    color::{ColorCandidate, ColorProgress},
    device::OpenDevice,
    sssp::SsspCandidate,
};

pub use self::request::{Measure, Request, Runs};
use crate::{
    experiments::Result,
    learn::{Subset, traversal_subsets},
};

equipoise::graph::named_enum! {
    /// An algorithm whose candidates are timed.
    ///
    /// ```
    /// use equipoise_lab::experiments::measuring::Algorithm;
    ///
    /// assert_eq!(Algorithm::ColorSwitch.name(), "color-switch");
    /// assert_eq!(Algorithm::Spmv.subsets()[0].name, "all");
    /// ```
    #[derive(Default)]
    pub enum Algorithm("algorithm") {
        /// Breadth-first search: strategies at each level
        #[default]
        Bfs = "bfs",
        /// Sparse matrix times vector: a schedule for each matrix
        Spmv = "spmv",
        /// Shortest paths: strategy and width of each search, with random weights
        Sssp = "sssp",
        /// Coloring: strategy of each graph
        Color = "color",
        /// Coloring by hybrid: whether to go over to random numbers, at each iteration
        ColorSwitch = "color-switch",
    }
}

impl Algorithm {
    /// Creates the measurement of the algorithm on a device.
    ///
    /// Fails if a requested candidate is not available on the device.
    pub fn measurement(self, device: OpenDevice, request: &Request) -> Result<Box<dyn Measure>> {
        match self {
            Self::Bfs => Ok(Box::new(bfs::Levels::new(device, request)?)),
            Self::Spmv => Ok(Box::new(spmv::Products::new(device, request)?)),
            Self::Sssp => Ok(Box::new(sssp::Searches::new(device, request)?)),
            Self::Color => Ok(Box::new(color::Colorings::new(device, request)?)),
            Self::ColorSwitch => Ok(Box::new(color_switch::Switches::new(device, request)?)),
        }
    }

    /// The subsets of its features to compare.
    pub fn subsets(self) -> Vec<Subset> {
        match self {
            Self::Bfs => traversal_subsets(),
            Self::Spmv => spmv::subsets(),
            Self::Sssp => by_prefix(&SsspCandidate::feature_names(), &["weight", "source"]),
            Self::Color => by_prefix(&ColorCandidate::feature_names(), &["vertices", "edges"]),
            Self::ColorSwitch => by_prefix(ColorProgress::feature_names(), &["active", "newly"]),
        }
    }
}

/// Three subsets: all features, those that start with one of the prefixes, and the others.
fn by_prefix(all: &[impl AsRef<str>], starts: &[&str]) -> Vec<Subset> {
    let names = || all.iter().map(AsRef::as_ref);
    let starts_so = |name: &&str| starts.iter().any(|start| name.starts_with(start));
    let these: Vec<&str> = names().filter(starts_so).collect();
    let others: Vec<&str> = names().filter(|name| !starts_so(name)).collect();
    vec![
        Subset::new("all", &names().collect::<Vec<_>>()),
        Subset::new(&format!("{}* only", starts.join("*, ")), &these),
        Subset::new(&format!("without {}*", starts.join("*, ")), &others),
    ]
}
