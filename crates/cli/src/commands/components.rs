//! `equipoise components`: which vertices hang together.

use equipoise::{
    LoadedGraph, Times, Trace,
    components::{Components, ComponentsOptions, ComponentsStrategy},
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
  equipoise components rmat:scale=16
  equipoise components friends.csv -o components.csv
  equipoise components links.csv --strong
  equipoise components links.mtx --device cuda --strategy hooking --repeat 5";

#[derive(Debug, clap::Args)]
pub struct Command {
    #[command(flatten)]
    options: ComponentsOptions,
}

#[derive(Serialize)]
struct Facts {
    strategy: ComponentsStrategy,
    components: u32,
    largest: u32,
}

impl GraphCommand for Command {
    const NAME: &'static str = "components";
    const STEPS: StepNames = StepNames {
        index: "step",
        strategy: "edges of each",
        frontier: "vertices",
        found: "joined",
    };

    fn steps(&self) -> StepNames {
        match self.options.strong {
            true => StepNames { strategy: "by", frontier: "left", found: "found", ..Self::STEPS },
            false => Self::STEPS,
        }
    }

    type Options = ComponentsOptions;
    type Found = Components;

    fn is_plain(&self) -> bool {
        self.options.strategy == ComponentsStrategy::Auto
    }

    fn job(&self, graph: &Graph, runs: u64) -> Job {
        match self.options.strong && !graph.is_undirected() {
            true => Job::strong_components(graph, runs),
            false => Job::components(graph, runs),
        }
    }

    fn options(&self, _graph: &Graph) -> Result<ComponentsOptions> {
        Ok(self.options.clone())
    }

    fn find(there: &LoadedGraph, options: &ComponentsOptions) -> equipoise::Result<Components> {
        there.components(options)
    }

    fn told(found: &Components) -> (Times, Trace) {
        (found.times, found.trace.clone())
    }

    fn verify(
        found: &Components,
        graph: &Graph,
        _options: &ComponentsOptions,
    ) -> equipoise::Result<()> {
        found.verify(graph)
    }

    fn verdict(found: &Components) -> String {
        match found.strong {
            true => "the components are those of Tarjan's algorithm".into(),
            false => "edges join no two components, and there are as many as by union-find".into(),
        }
    }

    /// A component is called by its first vertex.
    fn write(&self, graph: &Graph, found: &Components, file: Option<&ResultFile>) -> Result<()> {
        let values = Values::Vertices(&found.labels);
        columns::write(graph, file, &[Column { name: "component", values }])
    }

    fn print(&self, _graph: &Graph, found: &Components, screen: &mut Screen) -> Result<()> {
        let count = numbers::counted(found.count.into(), "component", "components");
        let strong = if found.strong { "strongly connected, " } else { "" };
        screen.fact("found", format_args!("{count} ({strong}{})", found.strategy))?;
        screen.fact("largest", numbers::counted(found.largest.into(), "vertex", "vertices"))
    }

    fn facts<'a>(_graph: &'a Graph, found: &'a Components) -> impl Serialize + 'a {
        let (strategy, components, largest) = (found.strategy, found.count, found.largest);
        Facts { strategy, components, largest }
    }
}
