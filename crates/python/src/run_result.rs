//! Results of algorithms: arrays that Python reads in place, scalars, and verification.

use std::sync::{Arc, Mutex, PoisonError};

use equipoise::{
    LoadedGraph, Times, Trace,
    algorithm::{Verdict, Verification},
};
use pyo3::{prelude::*, types::PyDict};
use serde_json::Value;

use crate::{array::Array, device_array::DeviceArray, errors::Failure, graph::Graph, work};

/// The result of any algorithm.
#[pyclass(frozen, module = "equipoise._native")]
pub struct RunResult {
    parts: Parts,
    check: Arc<dyn Fn() -> equipoise::Result<Verdict> + Send + Sync>,
    verification: Mutex<Verification>,
}

/// The parts of a result.
pub struct Parts {
    /// The arrays by name.
    pub arrays: Vec<(&'static str, AnyArray)>,
    /// A JSON object of scalars.
    pub facts: Value,
    /// The trace; empty if the algorithm has none.
    pub trace: Trace,
    /// The times of the parts.
    pub times: Times,
}

/// An array of a result.
pub enum AnyArray {
    Host(Array),
    Device(DeviceArray),
}

/// Converts a result on a graph, computed with these options, to Python.
type Describe<O, R> = fn(&Arc<R>, &equipoise::graph::Graph, &O) -> Result<Parts, Failure>;

/// Checks a result on a graph, computed with these options. Fails if it is wrong.
type Verify<O, R> = for<'a> fn(&R, &LoadedGraph<'a>, &O) -> equipoise::Result<Verdict>;

impl RunResult {
    /// Converts a result to Python.
    pub fn new<O: Send + Sync + 'static, R: Send + Sync + 'static>(
        graph: &Graph,
        options: Arc<O>,
        result: R,
        parts: Describe<O, R>,
        verify: Verify<O, R>,
    ) -> Result<Self, Failure> {
        let result = Arc::new(result);
        let (parts, graph) = (parts(&result, graph.graph(), &options)?, graph.clone());
        let check = Arc::new(move || {
            graph.on_device(|loaded| {
                loaded.graph().while_unchanged(|| verify(&result, loaded, &options))
            })
        });
        let verification = Mutex::new(Verification::off("not requested"));
        Ok(Self { parts, check, verification })
    }

    /// A result whose arrays stay on a device, where it was verified, or not, when it was computed.
    pub fn on_device(parts: Parts, verification: Verification) -> Self {
        let check = Arc::new(|| {
            let advice = "a result with `device_arrays` is verified when it is computed, and its arrays may have been \
                          written to since: run it again with `verify=True`";
            Err(equipoise::Error::Option(advice.into()))
        });
        Self { parts, check, verification: Mutex::new(verification) }
    }

    /// Verifies the result if requested.
    pub fn verified_if(self, verifies: bool) -> Result<Self, Failure> {
        let verification =
            if verifies { Verification::of(|| (self.check)())? } else { self.current() };
        Ok(Self { verification: Mutex::new(verification), ..self })
    }

    fn current(&self) -> Verification {
        self.verification.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[pymethods]
impl RunResult {
    /// The arrays by name.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(py);
        for (name, array) in &self.parts.arrays {
            match array {
                AnyArray::Host(array) => arrays.set_item(name, Bound::new(py, array.clone())?)?,
                AnyArray::Device(array) => arrays.set_item(name, Bound::new(py, array.clone())?)?,
            }
        }
        Ok(arrays)
    }

    /// The scalars, as JSON.
    fn facts(&self) -> String {
        self.parts.facts.to_string()
    }

    /// The steps of the trace, as JSON.
    fn trace(&self) -> PyResult<String> {
        as_json(&self.parts.trace.steps)
    }

    /// The seconds of each part, as JSON.
    fn times(&self) -> PyResult<String> {
        as_json(&self.parts.times)
    }

    /// Verifies the result. Fails if it is wrong.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        let check = self.check.clone();
        let verification = work::run(py, move || Ok(Verification::of(|| check())?))?;
        *self.verification.lock().unwrap_or_else(PoisonError::into_inner) = verification;
        Ok(())
    }

    /// The verdict of the last verification, as JSON.
    fn verification(&self) -> PyResult<String> {
        as_json(&self.current())
    }
}

/// JSON, the format in which small values are passed to Python.
pub fn as_json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| PyErr::from(Failure::Value(error.to_string())))
}
