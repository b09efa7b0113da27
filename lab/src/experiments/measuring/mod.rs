//! Runs of an algorithm on the graphs of a suite, with the time of every candidate at every step, for
//! tables that policies are learned from. A file for each algorithm.
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
//! let measure = Algorithm::Color.on(Device::Cpu.open().unwrap(), &request)?;
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
mod spmv;
mod sssp;
mod step;

use equipoise::{
    color::{ColorCandidate, ColorProgress},
    device::OpenDevice,
    sssp::SsspCandidate,
};
use equipoise_cli::suite::Entry;

use crate::{
    experiments::{Error, Result},
    learn::{Schema, Step, Subset, traversal_subsets},
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
    /// What times it on a device.
    ///
    /// Fails where a candidate is asked for that the device does not have.
    pub fn on(self, device: OpenDevice, request: &Request) -> Result<Box<dyn Measure>> {
        match self {
            Self::Bfs => Ok(Box::new(bfs::Levels::new(device, request)?)),
            Self::Spmv => Ok(Box::new(spmv::Products::new(device, request)?)),
            Self::Sssp => Ok(Box::new(sssp::Searches::new(device, request)?)),
            Self::Color => Ok(Box::new(color::Colorings::new(device, request)?)),
            Self::ColorSwitch => Ok(Box::new(color_switch::Switches::new(device, request)?)),
        }
    }

    /// The subsets of its features that are worth comparing.
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

/// All features, those that start in one of these ways, and the others.
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

/// What to time, and how thoroughly.
#[derive(Clone, Debug)]
pub struct Request {
    /// Runs from so many sources, for what has a source.
    pub sources: u32,
    /// The seed of what is random: sources and weights.
    pub seed: u64,
    /// How often each candidate is timed.
    pub repeat: u32,
    /// The most steps of a run that are timed, evenly spread.
    pub most_steps: Option<u32>,
    /// The candidates to time, by their names; all of the device's without.
    pub candidates: Option<Vec<String>>,
}

impl Request {
    /// Those of the candidates that are wanted.
    fn of<C: Clone + ToString>(&self, all: &[C]) -> Result<Vec<C>> {
        let Some(names) = &self.candidates else { return Ok(all.to_vec()) };
        let named = |name: &String| {
            let found = all.iter().find(|candidate| candidate.to_string() == *name);
            found.cloned().ok_or_else(|| {
                let known: Vec<String> = all.iter().map(C::to_string).collect();
                let known = known.join(", ");
                Error::Candidates(format!("there is no `{name}`; there are: {known}"))
            })
        };
        names.iter().map(named).collect()
    }
}

/// Times the candidates of an algorithm.
pub trait Measure {
    /// The features and the candidates.
    fn schema(&self) -> Schema;

    /// What the runs of a graph are called: known before the graph is.
    fn runs(&self) -> Vec<String>;

    /// Times the runs of a graph that are wanted, and has each recorded when it is done. Gives the
    /// reason where the graph does not fit the device.
    fn measure(&self, entry: &Entry, runs: &mut Runs) -> Result<Option<String>>;
}

/// The runs of one graph.
pub struct Runs<'a> {
    /// Whether a run is wanted, by its name.
    pub is_wanted: &'a dyn Fn(&str) -> bool,
    /// Takes a run that is done.
    pub record: &'a mut dyn FnMut(&str, Vec<Step>) -> Result<()>,
}

/// The names of runs from random sources.
fn from_sources(request: &Request) -> Vec<String> {
    (0..request.sources).map(|number| format!("seed {} number {number}", request.seed)).collect()
}

/// Why a graph does not fit a device, where that is what went wrong.
fn too_large(error: equipoise::Error) -> Result<String> {
    match error.is_too_large() {
        true => Ok(error.to_string()),
        false => Err(error.into()),
    }
}
