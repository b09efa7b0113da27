//! Times every strategy at every level of breadth-first searches.

use equipoise::{
    LoadedGraph,
    bfs::{BfsOptions, Candidate},
    device::OpenDevice,
    select::features::{self, GraphShape},
};
use equipoise_cli::{sources, suite::Entry};

use super::{
    request::{Measure, Request, Runs, from_sources, too_large},
    step,
};
use crate::{
    experiments::{Error, MeasureOptions, MeasuredLevel, Result, measure_bfs},
    learn::{Schema, Step},
};

/// Measures levels of searches.
pub struct Levels {
    device: OpenDevice,
    options: MeasureOptions,
    request: Request,
}

impl Levels {
    pub fn new(device: OpenDevice, request: &Request) -> Result<Self> {
        let candidates = match device {
            OpenDevice::Cpu => both_directions(request)?,
            OpenDevice::Gpu(_) => request.select(&Candidate::of_bfs())?,
        };
        let (repeat, most_levels) = (request.repeat, request.most_steps);
        let options = MeasureOptions { candidates, repeat, most_levels };
        Ok(Self { device, options, request: request.clone() })
    }

    /// Measures a search, and verifies its result.
    fn steps(&self, device_graph: &LoadedGraph, source: u32) -> equipoise::Result<Vec<Step>> {
        let measured = measure_bfs(device_graph, source, &self.options)?;
        measured.search.verify(device_graph.graph(), &BfsOptions::default())?;
        let shape = device_graph.shape()?;
        Ok(measured.levels.iter().map(|level| step(shape, level)).collect())
    }
}

impl Measure for Levels {
    fn schema(&self) -> Schema {
        let candidates: Vec<String> = match self.device {
            OpenDevice::Cpu => Candidate::directions_of_cpu().map(str::to_owned).to_vec(),
            OpenDevice::Gpu(_) => {
                self.options.candidates.iter().map(Candidate::to_string).collect()
            }
        };
        Schema::new(&features::NAMES, &candidates)
    }

    fn runs(&self) -> Vec<String> {
        from_sources(&self.request)
    }

    fn measure(&self, entry: &Entry, runs: &mut Runs) -> Result<Option<String>> {
        let graph = entry.load()?;
        let device_graph = match LoadedGraph::new(&self.device, &graph) {
            Ok(device_graph) => device_graph,
            Err(error) => return too_large(error).map(Some),
        };
        let sources = sources::up_to(&graph, self.request.sources, self.request.seed);
        for (source, name) in sources.into_iter().zip(self.runs()) {
            if !(runs.is_wanted)(&name) {
                continue;
            }
            match self.steps(&device_graph, source) {
                Ok(steps) => (runs.record)(&name, steps)?,
                Err(error) => return too_large(error).map(Some),
            }
        }
        Ok(None)
    }
}

fn step(shape: &GraphShape, level: &MeasuredLevel) -> Step {
    step::of_times(shape.features(&level.step).to_vec(), &level.times)
}

/// The cpu times both directions, which are not candidates of a GPU.
fn both_directions(request: &Request) -> Result<Vec<Candidate>> {
    let both = Candidate::directions_of_cpu();
    if request.select(&both)?.len() == both.len() {
        Ok(Candidate::of_bfs())
    } else {
        Err(Error::Candidates(format!("on the cpu, {} are both timed", both.join(" and "))))
    }
}
