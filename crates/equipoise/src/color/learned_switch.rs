//! Going over from degrees to random numbers when a learned policy says so.

use std::sync::Arc;

use equipoise_select::Model;

use super::ColorProgress;
use crate::{Result, learned};

/// What the policy looks at, all of it the same on every device, so that colors are.
const FEATURES: [&str; 9] = [
    "vertices",
    "iterations",
    "active",
    "active_relative",
    "newly",
    "newly_relative",
    "degree_max",
    "degree_mean",
    "degree_deviation",
];

const STAY: usize = 0;
const SWITCH: usize = 1;
const CANDIDATES: [&str; 2] = ["stay", "switch"];

/// A model that says after each iteration whether to go over; made by
/// [`ColorSwitch::learned`](crate::color::ColorSwitch::learned).
#[derive(Clone)]
pub struct ColorSwitchModel {
    model: Arc<Model>,
    /// Whether it comes with the program, for all devices.
    is_embedded: bool,
}

impl ColorSwitchModel {
    pub(super) fn new(model: &Model) -> Result<Self> {
        let candidates = CANDIDATES.map(str::to_owned);
        let model = learned::align(model, "color-switch", &FEATURES, &candidates)?;
        Ok(Self { model: Arc::new(model), is_embedded: false })
    }

    /// The one that comes with the program, if there is one that fits it. It is the same on all
    /// devices.
    pub(super) fn embedded() -> Option<Self> {
        let own = Self::new(Model::embedded("color-switch", "gpu")?).ok()?;
        Some(Self { is_embedded: true, ..own })
    }

    /// What it chooses from: to stay, and to switch.
    ///
    /// ```
    /// assert_eq!(equipoise::color::ColorSwitchModel::candidates(), ["stay", "switch"]);
    /// ```
    pub fn candidates() -> &'static [&'static str] {
        &CANDIDATES
    }

    pub(super) fn check_device(&self, device: &str) -> Result<()> {
        match self.is_embedded {
            true => Ok(()),
            false => learned::check_device(&self.model, device),
        }
    }

    pub(super) fn switches(&self, progress: &ColorProgress) -> bool {
        let prediction = self.model.predict(&progress.features());
        let choice = match prediction.ambiguous {
            false => prediction.candidate,
            true if progress.iterations == 0 => self.model.first(),
            true => STAY,
        };
        choice == SWITCH
    }
}

impl ColorProgress {
    /// The names of what a learned policy looks at.
    ///
    /// ```
    /// assert!(equipoise::color::ColorProgress::feature_names().contains(&"active_relative"));
    /// ```
    pub fn feature_names() -> &'static [&'static str] {
        &FEATURES
    }

    /// What a learned policy looks at: the numbers of vertices, of iterations so far, of vertices
    /// left (also as a share of all) and colored in the last iteration (also as a share of those
    /// that were left before it), and how many neighbours vertices have.
    ///
    /// ```
    /// use equipoise::color::{ColorDegrees, ColorProgress};
    ///
    /// let degrees = ColorDegrees { max: 3, mean: 1.5, deviation: 0.5 };
    /// let (vertices, units) = (100, 8);
    /// let progress =
    ///     ColorProgress { iterations: 2, newly: 20, colored: 60, vertices, units, degrees };
    /// assert_eq!(progress.features()[2..6], [40.0, 0.4, 20.0, 0.33333334]);
    /// ```
    pub fn features(&self) -> [f32; 9] {
        let active = self.vertices.saturating_sub(self.colored);
        let share = |part: u64, all: u64| part as f64 / all.max(1) as f64;
        [
            self.vertices as f64,
            self.iterations.into(),
            active as f64,
            share(active, self.vertices),
            self.newly as f64,
            share(self.newly, active + self.newly),
            self.degrees.max.into(),
            self.degrees.mean,
            self.degrees.deviation,
        ]
        .map(|value| value as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_that_comes_with_the_program_fits_it() {
        ColorSwitchModel::new(Model::embedded("color-switch", "gpu").unwrap()).map(drop).unwrap();
        assert!(ColorSwitchModel::embedded().is_some());
    }
}
