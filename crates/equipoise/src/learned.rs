//! What policies share that choose from a graph's shape.

use equipoise_select::{
    CandidateSet, Chooser, Model,
    features::{GraphShape, NAMES, Step},
};

use crate::{Error, Result};

/// The names of the features of a graph, which are the same at all steps.
pub(crate) fn graph_features() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().filter(|name| is_of_graph(name))
}

/// Their values.
pub(crate) fn graph_values(shape: &GraphShape) -> impl Iterator<Item = f32> {
    let values = NAMES.into_iter().zip(shape.at(&Step::default()));
    values.filter(|(name, _)| is_of_graph(name)).map(|(_, value)| value)
}

/// Whether a feature stays the same at all steps.
pub(crate) fn is_of_graph(name: &str) -> bool {
    !name.starts_with("frontier") && !name.starts_with("discovered")
}

/// A model for an algorithm, with these features and candidates, in their order.
pub(crate) fn align(
    model: &Model,
    algorithm: &str,
    features: &[&str],
    candidates: &[String],
) -> Result<Model> {
    let other = &model.description().algorithm;
    match other == algorithm {
        true => Ok(model.aligned(features, candidates)?),
        false => Err(Error::Option(format!("the model is for `{other}`, not for `{algorithm}`"))),
    }
}

/// Fails where a model is for the cpu and chooses for a GPU, or the other way round.
pub(crate) fn check_device(model: &Model, device: &str) -> Result<()> {
    let of_model = &model.description().device;
    match (of_model == "cpu") == (device == "cpu") {
        true => Ok(()),
        false => Err(Error::Option(format!(
            "the model is for the device `{of_model}`, not for `{device}`"
        ))),
    }
}

/// The candidate that a model chooses of those that fit, if one does.
pub(crate) fn choose(
    model: &Model,
    features: &[f32],
    fits: impl Fn(usize) -> bool,
) -> Result<Option<usize>> {
    let count = model.description().candidates.len();
    let available: CandidateSet = (0..count).filter(|&candidate| fits(candidate)).collect();
    match available.is_empty() {
        true => Ok(None),
        false => Ok(Some(Chooser::new(model, available)?.choose(features).candidate)),
    }
}

/// The candidate of that name. Fails with the names that there are.
pub(crate) fn named<C: Copy + ToString>(text: &str, known: &[C]) -> Result<C> {
    let named = known.iter().find(|candidate| candidate.to_string() == text);
    named.copied().ok_or_else(|| {
        let names: Vec<String> =
            known.iter().map(|known| format!("`{}`", known.to_string())).collect();
        let names = names.join(", ");
        Error::Option(format!("there is no candidate `{text}`; known are: {names}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_has_the_features_that_stay_the_same() {
        let shape = GraphShape { vertices: 7, edges: 9, ..GraphShape::default() };
        let values: Vec<f32> = graph_values(&shape).collect();
        assert_eq!(values.len(), graph_features().count());
        assert_eq!((values[0], values[1]), (7.0, 9.0));
        assert!(graph_features().any(|name| name == "out_degree_max"));
    }
}
