//! A learned policy's choice of how to color.

use equipoise_graph::Graph;
use equipoise_select::Model;

use super::{ColorCandidate, ColorOptions, ColorPreference, ColorStrategy};
use crate::{Result, learned, traversal::graph_shape};

impl ColorOptions {
    /// These options, with what a model chooses of the candidates that fit where one does: the
    /// model that was given, or for `auto` what comes with the program. That one may choose what
    /// needs many colors if time is preferred.
    pub(super) fn chosen(
        &self,
        device: &str,
        graph: &Graph,
        candidates: &[ColorCandidate],
        fits: impl Fn(&ColorOptions) -> bool,
    ) -> Result<Self> {
        let given = self.model.as_deref();
        given.map_or(Ok(()), |model| learned::check_device(model, device))?;
        self.switch.check_device(device)?;
        let own = || match self.strategy {
            ColorStrategy::Auto => Model::embedded("color", device),
            _ => None,
        };
        let Some(model) = given.or_else(own) else { return Ok(self.clone()) };
        let any = given.is_some() || self.prefer == ColorPreference::Time;
        let options = |candidate: ColorCandidate| candidate.options(self);
        let is_possible = |&candidate: &ColorCandidate| {
            (any || candidate.needs_few_colors()) && fits(&options(candidate))
        };
        let possible: Vec<bool> = candidates.iter().map(is_possible).collect();
        let chosen = match possible.iter().filter(|&&it| it).count() {
            // There is nothing to choose, for which the shape of the graph would be needed.
            1 if given.is_none() => possible.iter().position(|&it| it),
            _ => {
                let model = ColorCandidate::align(model, candidates)?;
                let features = ColorCandidate::features(&graph_shape(graph)?);
                learned::choose(&model, &features, |number| possible[number])?
            }
        };
        Ok(match chosen {
            Some(number) => options(candidates[number]),
            None => Self { model: None, ..self.clone() },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_that_come_with_the_program_fit_it() {
        let model = Model::embedded("color", "gpu").unwrap();
        ColorCandidate::align(model, ColorCandidate::of_gpu()).unwrap();
        assert!(Model::embedded("color", "cpu").is_none(), "test the new one, too");
    }
}
