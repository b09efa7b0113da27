//! A learned policy's choice of how to color.

use equipoise_graph::Graph;
use equipoise_select::Model;

use super::{ColorCandidate, ColorOptions, ColorPreference, ColorStrategy};
use crate::{Result, learned, traversal::graph_shape};

impl ColorOptions {
    /// These options with the candidate that a model chooses among those that fit: the model of the caller or, for `auto`,
    /// the built-in one. Unless time is preferred, the built-in model chooses only candidates that need few colors.
    pub(super) fn resolved(
        &self,
        device: &str,
        graph: &Graph,
        candidates: &[ColorCandidate],
        fits: impl Fn(&ColorOptions) -> bool,
    ) -> Result<Self> {
        let custom = self.model.as_deref();
        custom.map_or(Ok(()), |model| learned::check_device(model, device))?;
        self.switch.check_device(device)?;
        let is_auto = self.strategy == ColorStrategy::Auto;
        let built_in = || if is_auto { Model::embedded("color", device) } else { None };
        let Some(model) = custom.or_else(built_in) else { return Ok(self.clone()) };
        let allows_all = custom.is_some() || self.prefer == ColorPreference::Time;
        let is_possible = |&candidate: &ColorCandidate| {
            (allows_all || candidate.needs_few_colors()) && fits(&candidate.options(self))
        };
        let possible: Vec<bool> = candidates.iter().map(is_possible).collect();
        let choice = match possible.iter().filter(|&&it| it).count() {
            // Avoids computing the shape of the graph.
            1 if custom.is_none() => possible.iter().position(|&it| it),
            _ => {
                let model = ColorCandidate::align(model, candidates)?;
                let features = ColorCandidate::features(&graph_shape(graph)?);
                learned::choose(&model, &features, |index| possible[index])?
            }
        };
        Ok(match choice {
            Some(index) => candidates[index].options(self),
            None => Self { model: None, ..self.clone() },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_models_have_these_features_and_candidates() {
        let model = Model::embedded("color", "gpu").unwrap();
        ColorCandidate::align(model, ColorCandidate::of_gpu()).unwrap();
        assert!(Model::embedded("color", "cpu").is_none(), "test the new one, too");
    }
}
