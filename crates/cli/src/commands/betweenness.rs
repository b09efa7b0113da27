//! `equipoise betweenness`: how many shortest paths lead through each vertex.

use equipoise::{
    LoadedGraph, Times, Trace,
    betweenness::{Betweenness, BetweennessOptions, EdgeBetweenness},
    graph::Graph,
    npy,
};
use serde::Serialize;

use crate::{
    arguments::at_least_one,
    choice::Job,
    columns::{self, Column, Values},
    failure::Result,
    graph_command::GraphCommand,
    ids::Id,
    numbers,
    output::{Kind, ResultFile, with_rows},
    rows::Cell,
    screen::Screen,
    sources,
    steps::StepNames,
};

pub const EXAMPLE: &str = "\
Examples:
  equipoise betweenness friends.csv --undirected -o betweenness.csv
  equipoise betweenness rmat:scale=16 --random-sources 64 --device cuda
  equipoise betweenness roads.gr --weighted --random-sources 100 --seed 7
  equipoise betweenness friends.csv --undirected --edges -o edges.csv";

#[derive(Debug, clap::Args)]
pub struct Command {
    #[command(flatten)]
    options: BetweennessOptions,
    /// Estimate it from the paths of N random vertices that have an edge; without it, from those of all
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    random_sources: Option<u32>,
    /// The seed of the random vertices
    #[arg(long, value_name = "S", default_value_t = 1, requires = "random_sources")]
    seed: u64,
}

#[derive(Serialize)]
struct Facts {
    sources: u64,
    exact: bool,
    /// The vertex with the largest betweenness; none without vertices.
    top: Option<Id>,
    largest: f64,
}

impl GraphCommand for Command {
    const NAME: &'static str = "betweenness";
    const STEPS: StepNames =
        StepNames { index: "step", strategy: "paths by", frontier: "sources", found: "reached" };

    type Options = BetweennessOptions;
    type Found = Betweenness;

    fn is_plain(&self) -> bool {
        true
    }

    fn job(&self, graph: &Graph, runs: u64) -> Job {
        let sources = self.random_sources.unwrap_or(graph.vertices());
        Job::betweenness(graph, sources.into(), self.options.weighted, runs)
    }

    fn options(&self, graph: &Graph) -> Result<BetweennessOptions> {
        let chosen = self.random_sources.map(|count| sources::random(graph, count, self.seed));
        let sources = chosen.transpose()?.map(|sources| sources.vertices);
        Ok(BetweennessOptions { sources, ..self.options.clone() })
    }

    fn find(there: &LoadedGraph, options: &BetweennessOptions) -> equipoise::Result<Betweenness> {
        there.betweenness(options)
    }

    fn told(found: &Betweenness) -> (Times, Trace) {
        (found.times, found.trace.clone())
    }

    fn verify(
        found: &Betweenness,
        graph: &Graph,
        options: &BetweennessOptions,
    ) -> equipoise::Result<()> {
        found.verify(graph, options)
    }

    fn verdict(found: &Betweenness) -> String {
        let what = if found.edges.is_some() { "vertices and edges" } else { "vertices" };
        format!("the {what}, times random numbers, add up to what their paths do")
    }

    /// Vertices, or where they were asked for edges: an array holds their numbers in the order of the rows.
    fn write(&self, graph: &Graph, found: &Betweenness, file: Option<&ResultFile>) -> Result<()> {
        match &found.edges {
            Some(edges) => write_edges(graph, edges, file),
            None => {
                let values = Values::F64(&found.vertices);
                columns::write(graph, file, &[Column { name: "betweenness", values }])
            }
        }
    }

    fn print(&self, graph: &Graph, found: &Betweenness, screen: &mut Screen) -> Result<()> {
        let sources = numbers::counted(found.sources, "source", "sources");
        let how = if found.exact { "exact" } else { "an estimate" };
        screen.fact("found", format_args!("from {sources} ({how})"))?;
        match columns::top(&found.vertices) {
            None => Ok(()),
            Some((vertex, value)) => {
                let id = graph.ids().id(vertex);
                screen.fact("largest", format_args!("{value:.6} (vertex {id})"))
            }
        }
    }

    fn facts<'a>(graph: &'a Graph, found: &'a Betweenness) -> impl Serialize + 'a {
        let largest = columns::top(&found.vertices);
        Facts {
            sources: found.sources,
            exact: found.exact,
            top: largest.map(|(vertex, _)| Id::of(graph, vertex)),
            largest: largest.map_or(0.0, |(_, value)| value),
        }
    }
}

fn write_edges(graph: &Graph, edges: &EdgeBetweenness, file: Option<&ResultFile>) -> Result<()> {
    if let Some(file) = file.filter(|file| file.kind() == Kind::Npy) {
        let shape = [edges.values.len() as u64];
        return file.write_npy(|out| npy::write(out, &shape, &edges.values));
    }
    with_rows(file, &["source", "target", "betweenness"], |rows| {
        let ends = edges.sources.iter().zip(&edges.targets);
        for ((&source, &target), &value) in ends.zip(&edges.values).filter(|_| file.is_some()) {
            let [source, target] = [source, target].map(|vertex| graph.ids().id(vertex).into());
            rows.write(&[source, target, Cell::Double(value)])?;
        }
        Ok(())
    })
}
