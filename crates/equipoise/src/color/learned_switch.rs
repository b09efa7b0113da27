//! Switching from degrees to random numbers by a learned policy.

use std::sync::Arc;

use equipoise_select::Model;

use super::ColorProgress;
use crate::{Result, learned};

/// The features of the policy. They are equal on every device, and so are the colors.
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

/// A model that decides after each iteration whether to switch, created by
/// [`ColorSwitch::learned`](crate::color::ColorSwitch::learned).
#[derive(Clone)]
pub struct ColorSwitchModel {
    model: Arc<Model>,
    /// Whether this is the built-in model, which is for all devices.
    is_embedded: bool,
}

impl ColorSwitchModel {
    pub(super) fn new(model: &Model) -> Result<Self> {
        let candidates = CANDIDATES.map(str::to_owned);
        let model = learned::align(model, "color-switch", &FEATURES, &candidates)?;
        Ok(Self { model: Arc::new(model), is_embedded: false })
    }

    /// The built-in model, if it has these features and candidates.
    pub(super) fn embedded() -> Option<Self> {
        let model = Self::new(Model::embedded("color-switch", "gpu")?).ok()?;
        Some(Self { is_embedded: true, ..model })
    }

    /// The candidates of the model: to stay, and to switch.
    ///
    /// ```
    /// assert_eq!(equipoise::color::ColorSwitchModel::candidates(), ["stay", "switch"]);
    /// ```
    pub fn candidates() -> &'static [&'static str] {
        &CANDIDATES
    }

    pub(super) fn check_device(&self, device: &str) -> Result<()> {
        if self.is_embedded { Ok(()) } else { learned::check_device(&self.model, device) }
    }

    pub(super) fn switches(&self, progress: &ColorProgress) -> bool {
        let prediction = self.model.predict(&progress.features());
        let choice = match (prediction.ambiguous, progress.iterations) {
            (false, _) => prediction.candidate,
            (true, 0) => self.model.first(),
            (true, _) => STAY,
        };
        choice == SWITCH
    }
}

impl ColorProgress {
    /// The names of the features of a learned policy.
    ///
    /// ```
    /// assert!(equipoise::color::ColorProgress::feature_names().contains(&"active_relative"));
    /// ```
    pub fn feature_names() -> &'static [&'static str] {
        &FEATURES
    }

    /// The features of a learned policy: the numbers of vertices, of iterations so far, of uncolored vertices (also as a
    /// share of all) and of vertices colored in the last iteration (also as a share of those uncolored before it), and the
    /// distribution of degrees.
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
    fn the_built_in_model_has_these_features_and_candidates() {
        ColorSwitchModel::new(Model::embedded("color-switch", "gpu").unwrap()).map(drop).unwrap();
        assert!(ColorSwitchModel::embedded().is_some());
    }
}
