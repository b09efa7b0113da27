//! Files with a strategy for each iteration of a search.

use std::fs;

use equipoise::{Step, Trace, traversal::IterationPlan};
use serde::Deserialize;

use crate::{
    failure::{Failure, Result},
    files::InputFile,
};

/// A trace file, as written by `--trace`.
#[derive(Deserialize)]
struct Traced {
    steps: Vec<Step>,
}

/// Reads a plan: lines of an iteration and a strategy, or a JSON trace written by `--trace`, whose
/// first search is used.
pub fn read(path: &InputFile) -> Result<IterationPlan> {
    let text = fs::read_to_string(path).map_err(|error| Failure::of_file(path, &error))?;
    let plan = if text.trim_start().starts_with('[') {
        let traces: Vec<Traced> = serde_json::from_str(&text)
            .map_err(|error| Failure::new(format!("{}: this is no trace: {error}", path)))?;
        let steps = traces.into_iter().next().map(|trace| trace.steps).unwrap_or_default();
        IterationPlan::of_trace(&Trace { steps })
    } else {
        text.parse()
    };
    plan.map_err(|error| Failure::new(format!("{}: {error}", path)))
}
