//! What an algorithm found: arrays that Python looks at where they are, facts, and how to verify it.

use std::sync::Arc;

use equipoise::{LoadedGraph, Times, Trace};
use pyo3::{prelude::*, types::PyDict};
use serde_json::Value;

use crate::{array::Array, errors::Failure, graph::Graph, work};

/// A result of any algorithm.
#[pyclass(frozen, module = "equipoise._native")]
pub struct Found {
    parts: Parts,
    check: Arc<dyn Fn() -> equipoise::Result<()> + Send + Sync>,
}

/// What a result consists of.
pub struct Parts {
    /// Arrays, by their names.
    pub arrays: Vec<(&'static str, Array)>,
    /// An object of single numbers and names.
    pub facts: Value,
    /// What happened, where that is told.
    pub trace: Trace,
    /// How long it took.
    pub times: Times,
}

/// An algorithm: how it is run, what it gives to Python, and how a result is verified.
pub struct Algorithm<O, R> {
    pub find: fn(&LoadedGraph<'_>, &O) -> equipoise::Result<R>,
    pub parts: fn(&Arc<R>) -> Result<Parts, Failure>,
    pub verify: Verify<O, R>,
}

/// Fails where a result of a graph, found with these options, is wrong.
type Verify<O, R> = fn(&R, &equipoise::graph::Graph, &O) -> equipoise::Result<()>;

impl<O: Send + Sync + 'static, R: Send + Sync + 'static> Algorithm<O, R> {
    /// Runs it on the device of a graph.
    pub fn run(self, py: Python<'_>, graph: &Graph, options: O) -> PyResult<Found> {
        let graph = graph.clone();
        work::run(py, move || {
            let found = graph.on_device(|graph| (self.find)(graph, &options))?;
            Found::new(&graph, Arc::new(options), found, self.parts, self.verify)
        })
    }
}

impl Found {
    /// What Python gets of a result.
    pub fn new<O: Send + Sync + 'static, R: Send + Sync + 'static>(
        graph: &Graph,
        options: Arc<O>,
        found: R,
        parts: fn(&Arc<R>) -> Result<Parts, Failure>,
        verify: Verify<O, R>,
    ) -> Result<Self, Failure> {
        let found = Arc::new(found);
        let (parts, graph) = (parts(&found)?, graph.clone());
        let check = Arc::new(move || verify(&found, graph.graph(), &options));
        Ok(Self { parts, check })
    }
}

#[pymethods]
impl Found {
    /// The arrays, by their names.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(py);
        for (name, array) in &self.parts.arrays {
            arrays.set_item(name, Bound::new(py, array.clone())?)?;
        }
        Ok(arrays)
    }

    /// Single numbers and names, as JSON.
    fn facts(&self) -> String {
        self.parts.facts.to_string()
    }

    /// The steps, as JSON.
    fn trace(&self) -> PyResult<String> {
        as_json(&self.parts.trace.steps)
    }

    /// How many seconds each part took, as JSON.
    fn times(&self) -> PyResult<String> {
        as_json(&self.parts.times)
    }

    /// Fails where the result is wrong.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        let check = self.check.clone();
        work::run(py, move || Ok(check()?))
    }
}

/// JSON, as which small things go to Python.
pub fn as_json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| PyErr::from(Failure::Value(error.to_string())))
}
