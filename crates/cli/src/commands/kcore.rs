//! `equipoise kcore`: the core number of each vertex, and a core as a graph.

use equipoise::{
    LoadedGraph, Times, Trace,
    graph::{
        Graph,
        io::{Format, write_graph},
    },
    kcore::KCore,
};
use serde::Serialize;

use super::convert::warn_of_new_ids;
use crate::{
    choice::Job,
    columns::{self, Column, Values},
    failure::Result,
    files::OutputFile,
    graph_command::GraphCommand,
    numbers,
    output::{ResultFile, graph_format},
    screen::Screen,
    steps::StepNames,
};

pub const EXAMPLE: &str = "\
Examples:
  equipoise kcore rmat:scale=16
  equipoise kcore friends.csv -o cores.csv
  equipoise kcore links.mtx --device cuda --core 10 --subgraph core.mtx";

#[derive(Debug, clap::Args)]
pub struct Command {
    /// Write this core with --subgraph; the innermost one without it
    #[arg(long, value_name = "K", requires = "subgraph")]
    core: Option<u32>,
    /// Write a core as a graph to FILE, whose name tells the format and the compression
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    subgraph: Option<OutputFile>,
}

impl Command {
    /// The core that is written.
    fn core(&self, found: &KCore) -> u32 {
        self.core.unwrap_or(found.degeneracy)
    }
}

fn format_of(file: &OutputFile) -> Result<Format> {
    graph_format(file, None, "another ending")
}

/// What the library is told: nothing.
#[derive(Serialize)]
pub struct Options {}

#[derive(Serialize)]
struct Facts {
    degeneracy: u32,
    innermost: u32,
}

impl GraphCommand for Command {
    const NAME: &'static str = "kcore";
    const STEPS: StepNames =
        StepNames { index: "level", strategy: "by", frontier: "peeled", found: "left" };

    type Options = Options;
    type Found = KCore;

    fn is_plain(&self) -> bool {
        true
    }

    fn job(&self, graph: &Graph, runs: u64) -> Job {
        Job::kcore(graph, runs)
    }

    /// Refuses a file that no graph can be written to before anything is run.
    fn options(&self, _graph: &Graph) -> Result<Options> {
        if let Some(file) = &self.subgraph {
            format_of(file)?;
        }
        Ok(Options {})
    }

    fn find(there: &LoadedGraph, _options: &Options) -> equipoise::Result<KCore> {
        there.kcore()
    }

    fn told(found: &KCore) -> (Times, Trace) {
        (found.times, found.trace.clone())
    }

    fn verify(found: &KCore, graph: &Graph, _options: &Options) -> equipoise::Result<()> {
        found.verify(graph)
    }

    fn verdict(_found: &KCore) -> String {
        "vertices have enough neighbours in their cores, and the numbers of peeling one by one"
            .into()
    }

    fn write(&self, graph: &Graph, found: &KCore, file: Option<&ResultFile>) -> Result<()> {
        if let Some(file) = &self.subgraph {
            let (core, format) = (found.subgraph(graph, self.core(found))?, format_of(file)?);
            write_graph(&core, file, Some(format))?;
            warn_of_new_ids(&core, format);
        }
        let values = Values::U32(&found.cores);
        columns::write(graph, file, &[Column { name: "core", values }])
    }

    fn print(&self, _graph: &Graph, found: &KCore, screen: &mut Screen) -> Result<()> {
        let vertices = |k| numbers::counted(found.size(k).into(), "vertex", "vertices");
        let most = found.degeneracy;
        screen.fact("degeneracy", numbers::count(most.into()))?;
        screen.fact("innermost", format_args!("{} in the {most}-core", vertices(most)))?;
        match &self.subgraph {
            None => Ok(()),
            Some(file) => {
                let core = self.core(found);
                screen.fact("written", format_args!("{file}: the {core}-core, {}", vertices(core)))
            }
        }
    }

    fn facts<'a>(_graph: &'a Graph, found: &'a KCore) -> impl Serialize + 'a {
        Facts { degeneracy: found.degeneracy, innermost: found.size(found.degeneracy) }
    }
}
