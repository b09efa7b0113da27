//! Trace files: the steps of each run, for plots and models.

use equipoise::{Step, Trace};
use serde::Serialize;

use crate::{
    endings::{self, Packing},
    failure::{Failure, Result},
    files::OutputFile,
    ids::Id,
    output::{check_folder, is_standard_output, write_whole},
    rows::{Cell, Layout, Rows},
};

/// An output file for traces, requested by the user.
#[derive(Clone, Debug)]
pub struct TraceFile {
    path: OutputFile,
    layout: Layout,
}

/// The trace of one run.
#[derive(Serialize)]
pub struct TracedRun<'a> {
    /// The id of the source of a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'a Id>,
    #[serde(flatten)]
    pub trace: &'a Trace,
}

impl TraceFile {
    /// The requested file, if any.
    pub fn new(path: &Option<OutputFile>) -> Result<Option<Self>> {
        let Some(path) = path else { return Ok(None) };
        let layout = match endings::known(path, &["json", "csv"], Packing::ByName)? {
            Some("csv") => Layout::Csv,
            Some(_) => Layout::Json,
            None if is_standard_output(path) => Layout::Json,
            None => {
                let message = format!("--trace {path}: the name of a trace ends in .json or .csv");
                return Err(Failure::usage(message));
            }
        };
        check_folder(path)?;
        Ok(Some(Self { path: path.clone(), layout }))
    }

    /// Writes the traces of all runs.
    pub fn write(&self, runs: &[TracedRun]) -> Result<()> {
        let path = &self.path;
        write_whole(path, |out| {
            if self.layout == Layout::Json {
                return serde_json::to_writer_pretty(out, runs)
                    .map_err(|error| Failure::of_file(path, &error.into()));
            }
            let names = [
                "source",
                "index",
                "strategy",
                "frontier",
                "edges",
                "found",
                "sub_steps",
                "seconds",
            ];
            let mut rows = Rows::start(path, out, self.layout, &names)?;
            for run in runs {
                for step in &run.trace.steps {
                    rows.write(&cells(run.source, step))?;
                }
            }
            rows.finish()
        })
    }
}

fn cells<'a>(source: Option<&'a Id>, step: &'a Step) -> [Cell<'a>; 8] {
    [
        source.map_or(Cell::Missing, Id::cell),
        Cell::Whole(step.index.into()),
        Cell::Word(&step.strategy),
        Cell::Whole(step.frontier),
        Cell::Whole(step.edges),
        Cell::Whole(step.found),
        Cell::Whole(step.sub_steps.into()),
        Cell::Double(step.time.as_secs_f64()),
    ]
}
