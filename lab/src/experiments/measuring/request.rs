//! The parameters of a measurement, and what its runs are recorded by.

use equipoise_cli::suite::Entry;

use crate::{
    experiments::{Error, Result},
    learn::{Schema, Step},
};

/// The parameters of a measurement.
#[derive(Clone, Debug)]
pub struct Request {
    /// The number of sources, for algorithms with sources.
    pub sources: u32,
    /// The seed of the random sources and weights.
    pub seed: u64,
    /// The number of timed runs per candidate.
    pub repeat: u32,
    /// The maximum number of timed steps per run, evenly spread.
    pub most_steps: Option<u32>,
    /// The names of the candidates to time; `None` for all of the device.
    pub candidates: Option<Vec<String>>,
}

impl Request {
    pub(super) fn select<C: Clone + ToString>(&self, all: &[C]) -> Result<Vec<C>> {
        let Some(names) = &self.candidates else { return Ok(all.to_vec()) };
        let named = |name: &String| {
            let candidate = all.iter().find(|candidate| candidate.to_string() == *name);
            candidate.cloned().ok_or_else(|| {
                let known: Vec<String> = all.iter().map(C::to_string).collect();
                let known = known.join(", ");
                Error::Candidates(format!("unknown candidate `{name}`; known are: {known}"))
            })
        };
        names.iter().map(named).collect()
    }
}

/// Times the candidates of an algorithm.
pub trait Measure {
    /// The features and the candidates.
    fn schema(&self) -> Schema;

    /// The names of the runs of a graph, known before the graph is loaded.
    fn runs(&self) -> Vec<String>;

    /// Times the wanted runs of a graph, and records each when it is finished. Returns the reason
    /// if the graph does not fit the device.
    fn measure(&self, entry: &Entry, runs: &mut Runs) -> Result<Option<String>>;
}

/// The runs of one graph.
pub struct Runs<'a> {
    /// Whether the run with this name is wanted.
    pub is_wanted: &'a dyn Fn(&str) -> bool,
    /// Records a finished run.
    pub record: &'a mut dyn FnMut(&str, Vec<Step>) -> Result<()>,
}

/// The names of runs from random sources.
pub(super) fn from_sources(request: &Request) -> Vec<String> {
    (0..request.sources).map(|number| format!("seed {} number {number}", request.seed)).collect()
}

/// The reason if the error is that a graph does not fit a device.
pub(super) fn too_large(error: equipoise::Error) -> Result<String> {
    if error.is_too_large() { Ok(error.to_string()) } else { Err(error.into()) }
}
