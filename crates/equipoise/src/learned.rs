//! Common parts of policies that choose by a graph's shape.

use std::{path::Path, sync::Arc};

use equipoise_select::{
    CandidateSet, Chooser, Model,
    features::{GraphShape, NAMES, Step},
};

use crate::{Error, Result};

/// The names of the features that describe the graph, not the step of a search.
pub(crate) fn graph_features() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().filter(|name| is_graph_feature(name))
}

/// The values of the features named by [`graph_features`].
pub(crate) fn graph_values(shape: &GraphShape) -> impl Iterator<Item = f32> {
    let values = NAMES.into_iter().zip(shape.features(&Step::default()));
    values.filter(|(name, _)| is_graph_feature(name)).map(|(_, value)| value)
}

/// Whether a feature describes the graph, and so is the same at all steps.
pub(crate) fn is_graph_feature(name: &str) -> bool {
    !name.starts_with("frontier") && !name.starts_with("discovered")
}

/// Reads a model from a file, or from standard input where the path is `-`.
pub(crate) fn read(path: &Path) -> Result<Arc<Model>> {
    let path = if path == "-" { Path::new("/dev/stdin") } else { path };
    Ok(Arc::new(Model::read(path)?))
}

/// The model with its features and candidates in the given order. Fails where it is for another algorithm.
pub(crate) fn align(
    model: &Model,
    algorithm: &str,
    features: &[&str],
    candidates: &[String],
) -> Result<Model> {
    let other = &model.description().algorithm;
    if other != algorithm {
        return Err(Error::Option(format!("the model is for `{other}`, not for `{algorithm}`")));
    }
    Ok(model.aligned(features, candidates)?)
}

/// Fails where a model for the cpu is used on a GPU, or the reverse.
pub(crate) fn check_device(model: &Model, device: &str) -> Result<()> {
    let trained_for = &model.description().device;
    if (trained_for == "cpu") == (device == "cpu") {
        return Ok(());
    }
    Err(Error::Option(format!("the model is for the device `{trained_for}`, not for `{device}`")))
}

/// The model's choice among the candidates that fit, if any fits.
pub(crate) fn choose(
    model: &Model,
    features: &[f32],
    fits: impl Fn(usize) -> bool,
) -> Result<Option<usize>> {
    let count = model.description().candidates.len();
    let available: CandidateSet = (0..count).filter(|&candidate| fits(candidate)).collect();
    if available.is_empty() {
        return Ok(None);
    }
    Ok(Some(Chooser::new(model, available)?.choose(features).candidate))
}

/// The candidate with this name. The error lists the known names.
pub(crate) fn named<C: Copy + ToString>(text: &str, known: &[C]) -> Result<C> {
    let matching = known.iter().find(|candidate| candidate.to_string() == text);
    matching.copied().ok_or_else(|| {
        let names: Vec<String> =
            known.iter().map(|known| format!("`{}`", known.to_string())).collect();
        let names = names.join(", ");
        Error::Option(format!("unknown candidate `{text}`; known are: {names}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graph_features_leave_out_those_of_a_step() {
        let shape = GraphShape { vertices: 7, edges: 9, ..GraphShape::default() };
        let values: Vec<f32> = graph_values(&shape).collect();
        assert_eq!(values.len(), graph_features().count());
        assert_eq!((values[0], values[1]), (7.0, 9.0));
        assert!(graph_features().any(|name| name == "out_degree_max"));
    }
}
