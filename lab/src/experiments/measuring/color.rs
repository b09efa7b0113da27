//! Times every strategy for coloring a graph.

use equipoise::{color::ColorCandidate, device::OpenDevice};
use equipoise_cli::suite::Entry;

use super::{
    request::{Measure, Request, Runs, too_large},
    step,
};
use crate::{
    experiments::{ColorMeasureOptions, MeasuredColor, Result, measure_color},
    learn::{Schema, Step},
};

/// The only run of a graph.
const RUN: &str = "coloring";

/// Measures colorings on a GPU or the cpu.
pub struct Colorings {
    device: OpenDevice,
    options: ColorMeasureOptions,
}

impl Colorings {
    pub fn new(device: OpenDevice, request: &Request) -> Result<Self> {
        let candidates = request.select(match device {
            OpenDevice::Cpu => ColorCandidate::of_cpu(),
            OpenDevice::Gpu(_) => ColorCandidate::of_gpu(),
        })?;
        Ok(Self { device, options: ColorMeasureOptions { candidates, repeat: request.repeat } })
    }

    /// The step, which also records the number of colors of each candidate.
    fn step(&self, measured: MeasuredColor) -> Step {
        let MeasuredColor { features, times, colors } = measured;
        let step = step::of_times(features, &times);
        let colors = self.options.candidates.iter().zip(colors);
        let colors: Vec<String> = colors
            .filter_map(|(candidate, colors)| Some(format!("{candidate} {}", colors?)))
            .collect();
        let reason = if step.reason.is_empty() {
            format!("colors: {}", colors.join(", "))
        } else {
            format!("{}; colors: {}", step.reason, colors.join(", "))
        };
        step.because(reason)
    }
}

impl Measure for Colorings {
    fn schema(&self) -> Schema {
        Schema::new(
            &ColorCandidate::feature_names(),
            &self.options.candidates.iter().map(|candidate| candidate.name()).collect::<Vec<_>>(),
        )
    }

    fn runs(&self) -> Vec<String> {
        vec![RUN.to_owned()]
    }

    fn measure(&self, entry: &Entry, runs: &mut Runs) -> Result<Option<String>> {
        let graph = entry.load()?;
        match measure_color(&self.device, &graph, &self.options) {
            Ok(measured) => {
                (runs.record)(RUN, vec![self.step(measured)])?;
                Ok(None)
            }
            Err(error) => too_large(error).map(Some),
        }
    }
}
