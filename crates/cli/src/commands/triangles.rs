//! `equipoise triangles`: how many there are, and how clustered vertices are.

use std::cell::OnceCell;

use equipoise::{
    LoadedGraph, Times, Trace,
    graph::Graph,
    triangles::{TriangleCheck, Triangles, TrianglesOptions, TrianglesStrategy},
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
  equipoise triangles rmat:scale=14
  equipoise triangles friends.csv -o clustering.csv
  equipoise triangles links.mtx --device cuda --strategy binary-search --repeat 5";

#[derive(Debug, clap::Args)]
pub struct Command {
    #[command(flatten)]
    options: TrianglesOptions,
}

/// What was found, and what was checked of it, once it was.
pub struct Found {
    triangles: Triangles,
    check: OnceCell<TriangleCheck>,
}

#[derive(Serialize)]
struct Facts {
    strategy: TrianglesStrategy,
    triangles: u64,
    transitivity: f64,
    average_clustering: f64,
}

impl GraphCommand for Command {
    const NAME: &'static str = "triangles";
    const STEPS: StepNames = StepNames {
        index: "step",
        strategy: "rows compared by",
        frontier: "vertices",
        found: "triangles",
    };

    type Options = TrianglesOptions;
    type Found = Found;

    fn is_plain(&self) -> bool {
        self.options.strategy == TrianglesStrategy::Auto
    }

    fn job(&self, graph: &Graph, runs: u64) -> Job {
        Job::triangles(graph, runs)
    }

    fn options(&self, _graph: &Graph) -> Result<TrianglesOptions> {
        Ok(self.options.clone())
    }

    fn find(there: &LoadedGraph, options: &TrianglesOptions) -> equipoise::Result<Found> {
        Ok(Found { triangles: there.triangles(options)?, check: OnceCell::new() })
    }

    fn told(found: &Found) -> (Times, Trace) {
        (found.triangles.times, found.triangles.trace.clone())
    }

    fn verify(found: &Found, graph: &Graph, _options: &TrianglesOptions) -> equipoise::Result<()> {
        let check = found.triangles.verify(graph)?;
        found.check.get_or_init(|| check);
        Ok(())
    }

    fn verdict(_found: &Found) -> String {
        "each vertex is in as many as by counting anew".into()
    }

    fn sampled(found: &Found) -> Option<String> {
        let Some(&TriangleCheck::Sampled { vertices, wedges, within }) = found.check.get() else {
            return None;
        };
        let vertices = numbers::counted(vertices.into(), "vertex", "vertices");
        let wedges = numbers::count(wedges.into());
        Some(format!(
            "{vertices} counted anew, and {wedges} pairs of neighbours, with the share that is closed within {within:.4}"
        ))
    }

    fn write(&self, graph: &Graph, found: &Found, file: Option<&ResultFile>) -> Result<()> {
        let clustering = if file.is_some() { found.triangles.clustering() } else { Vec::new() };
        let columns = [
            Column { name: "triangles", values: Values::U64(&found.triangles.counts) },
            Column { name: "clustering", values: Values::F64(&clustering) },
        ];
        columns::write(graph, file, &columns)
    }

    fn print(&self, _graph: &Graph, found: &Found, screen: &mut Screen) -> Result<()> {
        let found = &found.triangles;
        let count = numbers::counted(found.total, "triangle", "triangles");
        screen.fact("found", format_args!("{count} ({})", found.strategy))?;
        let (all, mean) = (found.transitivity(), found.average_clustering());
        screen.fact("clustering", format_args!("{all:.6} (transitivity), {mean:.6} on average"))
    }

    fn facts<'a>(_graph: &'a Graph, found: &'a Found) -> impl Serialize + 'a {
        let found = &found.triangles;
        Facts {
            strategy: found.strategy,
            triangles: found.total,
            transitivity: found.transitivity(),
            average_clustering: found.average_clustering(),
        }
    }
}
