//! A learned policy's choice for a search.

use equipoise_graph::Graph;
use equipoise_select::{Model, features::GraphShape};

use super::{SsspCandidate, SsspOptions, features};
use crate::{Error, Result, learned, traversal::Strategy};

impl SsspOptions {
    /// The model that chooses the strategy on that kind of device, if one does: what was given, or
    /// for `auto` what comes with the program.
    pub(crate) fn policy(&self, device: &str) -> Result<Option<&Model>> {
        let is_open = self.plan.is_none() && self.delta.is_none() && !self.adaptive;
        match &self.model {
            Some(_) if !is_open => Err(Error::Option(
                "a model chooses the strategy and its width: it goes with no plan, no `delta` and \
                 not with `adaptive`"
                    .into(),
            )),
            Some(model) => {
                learned::check_device(model, device)?;
                Ok(Some(model))
            }
            None if is_open && self.strategy == Strategy::Auto => {
                Ok(Model::embedded("sssp", device))
            }
            None => Ok(None),
        }
    }

    /// These options with what a model chooses of the candidates that fit; without the model where
    /// none does.
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
    fn models_that_come_with_the_program_fit_it() {
        let model = Model::embedded("sssp", "gpu").unwrap();
        SsspCandidate::align(model, &SsspCandidate::of_gpu()).unwrap();
        assert!(Model::embedded("sssp", "cpu").is_none(), "test the new one, too");
    }
}
