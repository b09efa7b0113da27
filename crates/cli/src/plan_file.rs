//! A strategy for each turn of a search, from a file.

use std::fs;

use equipoise::{Step, Trace, traversal::IterationPlan};
use serde::Deserialize;

use crate::{
    failure::{Failure, Result},
    files::InputFile,
};

/// A trace in a file, as `--trace` writes them.
#[derive(Deserialize)]
struct Traced {
    steps: Vec<Step>,
}

/// Reads a plan: lines of a turn and a strategy, or a trace that `--trace` wrote as JSON, of which
/// the first search's strategies are taken.
pub fn read(path: &InputFile) -> Result<IterationPlan> {
    let text = fs::read_to_string(path).map_err(|error| Failure::of_file(path, &error))?;
    let plan = match text.trim_start().starts_with('[') {
        true => {
            let traces: Vec<Traced> = serde_json::from_str(&text)
                .map_err(|error| Failure::new(format!("{}: this is no trace: {error}", path)))?;
            let steps = traces.into_iter().next().map(|trace| trace.steps).unwrap_or_default();
            IterationPlan::of_trace(&Trace { steps })
        }
        false => text.parse(),
    };
    plan.map_err(|error| Failure::new(format!("{}: {error}", path)))
}
