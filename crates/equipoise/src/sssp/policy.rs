//! The choice of a learned model for a search.

use equipoise_graph::Graph;
use equipoise_select::{Model, features::GraphShape};

use super::{SsspCandidate, SsspOptions, features};
use crate::{
    Error, Result, learned,
    traversal::{Policy, Strategy},
};

impl SsspOptions {
    /// The model that chooses the strategy on this kind of device, if any: the given one, or the built-in one for the
    /// strategy `auto` with the policy `learned`.
    pub(crate) fn chooser(&self, device: &str) -> Result<Option<&Model>> {
        let is_open = self.plan.is_none() && self.delta.is_none() && !self.adaptive;
        match (&self.model, self.policy) {
            (Some(_), _) if !is_open => Err(Error::Option(
                "a model chooses the strategy and its width: it goes with no plan, no `delta` and \
                 not with `adaptive`"
                    .into(),
            )),
            (Some(model), _) => {
                learned::check_device(model, device)?;
                Ok(Some(model))
            }
            (None, Policy::Learned) if is_open && self.strategy == Strategy::Auto => {
                Ok(Model::embedded("sssp", device))
            }
            (None, _) => Ok(None),
        }
    }

    /// These options with the model's choice among the candidates that fit in memory; without the model if none fits.
    pub(crate) fn chosen_by(
        &self,
        model: &Model,
        (graph, shape, source): (&Graph, &GraphShape, u32),
        candidates: &[SsspCandidate],
        fits: impl Fn(&SsspCandidate) -> bool,
    ) -> Result<Self> {
        let model = SsspCandidate::align(model, candidates)?;
        let features = features::values(graph, shape, source);
        let chosen = learned::choose(&model, &features, |number| fits(&candidates[number]))?;
        Ok(match chosen {
            Some(number) => candidates[number].options(graph, self),
            None => Self { model: None, ..self.clone() },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_models_fit() {
        let model = Model::embedded("sssp", "gpu").unwrap();
        SsspCandidate::align(model, &SsspCandidate::of_gpu()).unwrap();
        assert!(Model::embedded("sssp", "cpu").is_none(), "test the new one, too");
    }

    #[test]
    fn a_model_chooses_only_if_asked_for() {
        let has_model = |options: &SsspOptions| options.chooser("gpu").unwrap().is_some();
        let learned = SsspOptions { policy: Policy::Learned, ..SsspOptions::default() };
        assert!(has_model(&learned) && !has_model(&SsspOptions::default()));
        assert!(!has_model(&SsspOptions { delta: Some(2.0), ..learned.clone() }));
        assert!(!has_model(&SsspOptions { strategy: Strategy::Node, ..learned }));
    }
}
