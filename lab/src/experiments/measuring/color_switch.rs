//! Times hybrid coloring with a switch from degrees to random numbers at every iteration.

use equipoise::{
    color::{ColorProgress, ColorSwitchModel},
    device::OpenDevice,
};
use equipoise_cli::suite::Entry;

use super::{
    request::{Measure, Request, Runs, too_large},
    step,
};
use crate::{
    experiments::{ColorSwitchPoint, Error, Result, measure_color_switch},
    learn::{Schema, Step},
};

/// The only run of a graph.
const RUN: &str = "hybrid";

/// Measures hybrid colorings on a GPU or the cpu.
pub struct Switches {
    device: OpenDevice,
    repeat: u32,
}

impl Switches {
    pub fn new(device: OpenDevice, request: &Request) -> Result<Self> {
        match request.candidates {
            Some(_) => Err(Error::Candidates("a switch is made or not; both are timed".into())),
            None => Ok(Self { device, repeat: request.repeat }),
        }
    }
}

impl Measure for Switches {
    fn schema(&self) -> Schema {
        Schema::new(ColorProgress::feature_names(), ColorSwitchModel::candidates())
    }

    fn runs(&self) -> Vec<String> {
        vec![RUN.to_owned()]
    }

    fn measure(&self, entry: &Entry, runs: &mut Runs) -> Result<Option<String>> {
        let graph = entry.load()?;
        match measure_color_switch(&self.device, &graph, self.repeat) {
            Ok(points) => {
                (runs.record)(RUN, points.iter().map(of_point).collect())?;
                Ok(None)
            }
            Err(equipoise::Error::Option(reason)) => Ok(Some(reason)),
            Err(error) => too_large(error).map(Some),
        }
    }
}

fn of_point(point: &ColorSwitchPoint) -> Step {
    step::of_times(point.features.to_vec(), &[Ok(point.stay), Ok(point.switch)])
}
