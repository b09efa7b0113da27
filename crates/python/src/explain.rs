//! The choices of a model, for Python.

use equipoise::{
    explain::{Explainable, Explainer},
    graph::UnknownName,
};
use pyo3::{exceptions::PyValueError, prelude::*};

use crate::{graph::Graph, run_result::as_json, work};

/// The choice of the embedded model for the graph's device, as JSON.
#[pyfunction]
pub fn explain(py: Python<'_>, graph: &Graph, algorithm: &str, source: u32) -> PyResult<String> {
    let unknown = |error: UnknownName| PyValueError::new_err(error.to_string());
    let algorithm: Explainable = algorithm.parse().map_err(unknown)?;
    let graph = graph.clone();
    let choices = work::run(py, move || {
        let model = algorithm.embedded_model(graph.on_device(|graph| graph.is_on_gpu()))?;
        Ok(Explainer::new(graph.graph(), algorithm, &model)?.explain(source)?)
    })?;
    as_json(&choices)
}
