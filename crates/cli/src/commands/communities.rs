//! `equipoise communities`: groups of vertices with many edges within them.

use equipoise::{
    LoadedGraph, Times, Trace,
    communities::{Communities, CommunitiesOptions, CommunitiesStrategy},
    graph::Graph,
};
use serde::Serialize;

use crate::{
    choice::Job,
    columns::{self, Column, Values},
    failure::Result,
    graph_command::GraphCommand,
    numbers,
    output::ResultFile,
    screen::Screen,
    steps::StepNames,
};

pub const EXAMPLE: &str = "\
Examples:
  equipoise communities friends.csv -o communities.csv
  equipoise communities power-law:n=100000,degree=8 --resolution 0.5
  equipoise communities links.mtx --strategy label-propagation --device cuda --seed 7";

#[derive(Debug, clap::Args)]
pub struct Command {
    #[command(flatten)]
    options: CommunitiesOptions,
}

#[derive(Serialize)]
struct Facts<'a> {
    strategy: CommunitiesStrategy,
    on_gpu: bool,
    communities: u32,
    largest: u32,
    modularity: f64,
    levels: &'a [f64],
    converged: bool,
}

impl GraphCommand for Command {
    const NAME: &'static str = "communities";
    const STEPS: StepNames =
        StepNames { index: "level", strategy: "reaches", frontier: "vertices", found: "merged" };

    fn steps(&self) -> StepNames {
        match self.options.strategy {
            CommunitiesStrategy::LabelPropagation => StepNames {
                index: "sweep",
                strategy: "by",
                frontier: "vertices",
                found: "relabeled",
            },
            _ => Self::STEPS,
        }
    }

    type Options = CommunitiesOptions;
    type Found = Communities;

    fn is_plain(&self) -> bool {
        true
    }

    fn job(&self, graph: &Graph, runs: u64) -> Job {
        match self.options.strategy {
            CommunitiesStrategy::LabelPropagation => Job::label_propagation(graph, runs),
            _ => Job::louvain(graph, runs),
        }
    }

    fn options(&self, _graph: &Graph) -> Result<CommunitiesOptions> {
        Ok(self.options.clone())
    }

    fn find(there: &LoadedGraph, options: &CommunitiesOptions) -> equipoise::Result<Communities> {
        there.communities(options)
    }

    fn told(found: &Communities) -> (Times, Trace) {
        (found.times, found.trace.clone())
    }

    fn verify(
        found: &Communities,
        graph: &Graph,
        options: &CommunitiesOptions,
    ) -> equipoise::Result<()> {
        found.verify(graph, options)
    }

    fn verdict(found: &Communities) -> String {
        let also = match (found.strategy, found.converged) {
            (CommunitiesStrategy::LabelPropagation, true) => {
                ", and no vertex has more neighbours in another community"
            }
            (CommunitiesStrategy::LabelPropagation, false) => "",
            _ => ", and does not fall from level to level",
        };
        format!("the modularity is that of the communities{also}")
    }

    fn write(&self, graph: &Graph, found: &Communities, file: Option<&ResultFile>) -> Result<()> {
        let values = Values::U32(&found.communities);
        columns::write(graph, file, &[Column { name: "community", values }])
    }

    fn print(&self, _graph: &Graph, found: &Communities, screen: &mut Screen) -> Result<()> {
        let count = numbers::counted(found.count.into(), "community", "communities");
        let place = if found.on_gpu { "the GPU" } else { "the cpu" };
        screen.fact("found", format_args!("{count} ({}, on {place})", found.strategy))?;
        screen.fact("modularity", format_args!("{:.6}", found.modularity))?;
        screen.fact("largest", numbers::counted(found.largest.into(), "vertex", "vertices"))?;
        if !found.converged {
            let most = self.options.max_iterations;
            screen.fact("ended", format_args!("after {most} sweeps, as --max-iterations says"))?;
        }
        Ok(())
    }

    fn facts<'a>(_graph: &'a Graph, found: &'a Communities) -> impl Serialize + 'a {
        Facts {
            strategy: found.strategy,
            on_gpu: found.on_gpu,
            communities: found.count,
            largest: found.largest,
            modularity: found.modularity,
            levels: &found.levels,
            converged: found.converged,
        }
    }
}
