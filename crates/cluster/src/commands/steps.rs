//! The steps of a run, as a table, in JSON and as a file for plots.

use std::time::Duration;

use equipoise_graph::{io::write_file, numbers};
use equipoise_terminal::{
    endings::{self, Packing},
    files::OutputFile,
    output::{check_folder, is_standard_output, unless_reader_left},
    rows::{Cell, Layout},
    table::{Column, draw_shortened},
};
use serde::Serialize;

use super::{
    failure::{Failure, Result},
    ids::Id,
    output::agreed_on_first,
    runs::seconds,
    screen::Screen,
};
use crate::{Comm, Trace};

/// The headings of a table of steps.
pub struct StepNames {
    /// The step itself, such as `level`.
    pub index: &'static str,
    /// How it was done, such as `direction`.
    pub strategy: &'static str,
    /// The vertices worked on, such as `frontier`.
    pub frontier: &'static str,
}

/// Prints the table between two empty lines: its first and last rows, or all that are wanted.
pub fn print(screen: &mut Screen, trace: &Trace, names: &StepNames) {
    if trace.steps.is_empty() {
        return;
    }
    let columns = [
        Column::Right(names.index),
        Column::Left(names.strategy),
        Column::Right(names.frontier),
        Column::Right("edges"),
        Column::Right("sent"),
        Column::Right("waited"),
        Column::Right("time"),
    ];
    let table = draw_shortened(&columns, trace.steps.len(), screen.is_verbose(), |index| {
        let step = &trace.steps[index];
        vec![
            index.to_string(),
            step.name.to_string(),
            numbers::count(step.active),
            numbers::count(step.edges),
            numbers::bytes(step.bytes),
            numbers::time(step.waited),
            numbers::time(step.time),
        ]
    });
    screen.line(format_args!("\n{table}\n"));
}

/// The trace of a run, for programs.
#[derive(Serialize)]
pub struct TracedRun {
    /// The id of the vertex that a search started from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Id>,
    pub steps: Vec<TracedStep>,
}

#[derive(Serialize)]
pub struct TracedStep {
    index: usize,
    strategy: String,
    frontier: u64,
    edges: u64,
    bytes: u64,
    #[serde(rename = "waited_seconds", serialize_with = "seconds")]
    waited: Duration,
    #[serde(rename = "seconds", serialize_with = "seconds")]
    time: Duration,
}

impl TracedRun {
    /// The trace of a run without a source.
    pub fn of(trace: &Trace) -> Self {
        let step = |(index, step): (usize, &crate::Step)| TracedStep {
            index,
            strategy: step.name.to_string(),
            frontier: step.active,
            edges: step.edges,
            bytes: step.bytes,
            waited: step.waited,
            time: step.time,
        };
        Self { source: None, steps: trace.steps.iter().enumerate().map(step).collect() }
    }
}

/// The file for traces.
pub struct TraceFile(Option<(OutputFile, Layout)>);

impl TraceFile {
    /// Opens the file, if the arguments have one.
    pub fn of(comm: &dyn Comm, path: Option<&OutputFile>) -> Result<Self> {
        let Some(path) = path else { return Ok(Self(None)) };
        let layout = match endings::known(path, &["json", "csv"], Packing::ByName)? {
            Some(ending) => Layout::from_extension(ending),
            None if is_standard_output(path) => Layout::Json,
            None => {
                let message = format!("--trace {path}: the name of a trace ends in .json or .csv");
                return Err(Failure::usage(message));
            }
        };
        agreed_on_first(comm, || check_folder(path))?;
        Ok(Self(Some((path.clone(), layout))))
    }

    /// Writes the traces of all runs, on rank 0.
    pub fn write(&self, comm: &dyn Comm, runs: &[&TracedRun]) -> Result<()> {
        let Some((path, layout)) = &self.0 else { return Ok(()) };
        agreed_on_first(comm, || {
            let written = write_file(path, |out| match layout {
                Layout::Csv => out.write_all(csv(runs).as_bytes()),
                _ => {
                    serde_json::to_writer_pretty(&mut *out, runs)?;
                    writeln!(out)
                }
            });
            unless_reader_left(path, written).map_err(|error| Failure::new(error.to_string()))
        })
    }
}

fn csv(runs: &[&TracedRun]) -> String {
    let header =
        ["source", "index", "strategy", "frontier", "edges", "bytes", "waited_seconds", "seconds"];
    let mut text = Layout::Csv.head(&header);
    for run in runs {
        for step in &run.steps {
            let cells = [
                run.source.as_ref().map_or(Cell::Missing, Id::cell),
                Cell::Whole(step.index as u64),
                Cell::Word(&step.strategy),
                Cell::Whole(step.frontier),
                Cell::Whole(step.edges),
                Cell::Whole(step.bytes),
                Cell::Double(step.waited.as_secs_f64()),
                Cell::Double(step.time.as_secs_f64()),
            ];
            Layout::Csv.row(&mut text, &header, &cells, false);
        }
    }
    text
}
