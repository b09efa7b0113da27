//! `equipoise paths`: how far vertices are from each other.

use equipoise::{
    LoadedGraph, Times, Trace,
    graph::Graph,
    paths::{Paths, PathsOptions},
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
    output::ResultFile,
    screen::Screen,
    sources,
    steps::StepNames,
};

pub const EXAMPLE: &str = "\
Examples:
  equipoise paths friends.csv --undirected -o paths.csv
  equipoise paths roads.gr --weighted --random-sources 100
  equipoise paths friends.csv --within 2 --json";

#[derive(Debug, clap::Args)]
pub struct Command {
    #[command(flatten)]
    options: PathsOptions,
    /// Bounds and estimates from N random vertices that have an edge; without it, from all vertices
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    random_sources: Option<u32>,
    /// The seed of the random vertices
    #[arg(long, value_name = "S", default_value_t = 1, requires = "random_sources")]
    seed: u64,
}

#[derive(Serialize)]
struct Facts {
    sources: usize,
    exact: bool,
    connected: bool,
    diameter: f64,
    most_diameter: Option<f64>,
    radius: f64,
    center: usize,
    periphery: usize,
    /// The vertex with the largest closeness; none without vertices.
    closest: Option<Id>,
}

impl GraphCommand for Command {
    const NAME: &'static str = "paths";
    const STEPS: StepNames =
        StepNames { index: "group", strategy: "by", frontier: "sources", found: "reached" };

    type Options = PathsOptions;
    type Found = Paths;

    fn is_plain(&self) -> bool {
        true
    }

    fn job(&self, graph: &Graph, runs: u64) -> Job {
        let sources = self.random_sources.unwrap_or(graph.vertices());
        Job::paths(graph, sources.into(), self.options.weighted, runs)
    }

    fn options(&self, graph: &Graph) -> Result<PathsOptions> {
        let chosen = self.random_sources.map(|count| sources::random(graph, count, self.seed));
        let sources = chosen.transpose()?.map(|sources| sources.vertices);
        Ok(PathsOptions { sources, ..self.options.clone() })
    }

    fn find(there: &LoadedGraph, options: &PathsOptions) -> equipoise::Result<Paths> {
        there.paths(options)
    }

    fn told(found: &Paths) -> (Times, Trace) {
        (found.times, found.trace.clone())
    }

    fn verify(found: &Paths, graph: &Graph, options: &PathsOptions) -> equipoise::Result<()> {
        found.verify(graph, options)
    }

    fn verdict(_found: &Paths) -> String {
        "eccentricities and centralities are those of searches of another kind".into()
    }

    /// Eccentricities are of all vertices only where searches started from all.
    fn write(&self, graph: &Graph, found: &Paths, file: Option<&ResultFile>) -> Result<()> {
        let column = |name, values| Column { name, values };
        let mut columns = vec![
            column("closeness", Values::F64(&found.closeness)),
            column("harmonic", Values::F64(&found.harmonic)),
        ];
        if found.exact {
            columns.push(column("eccentricity", Values::F64(&found.eccentricities)));
            let within = found.within.as_deref().map(Values::U32);
            columns.extend(within.map(|values| column("within", values)));
        }
        columns::write(graph, file, &columns)
    }

    fn print(&self, graph: &Graph, found: &Paths, screen: &mut Screen) -> Result<()> {
        let Paths { diameter, radius, most_diameter, .. } = found;
        match (found.exact, most_diameter) {
            (true, _) => screen.fact("diameter", diameter)?,
            (false, Some(most)) => {
                screen.fact("diameter", format_args!("at least {diameter}, at most {most}"))?;
            }
            (false, None) => screen.fact("diameter", format_args!("at least {diameter}"))?,
        }
        let center = numbers::counted(found.center().len() as u64, "vertex", "vertices");
        screen.fact("radius", format_args!("{radius} ({center})"))?;
        if !found.connected {
            screen.fact("connected", "no: distances are of what can be reached")?;
        }
        match columns::top(&found.closeness) {
            None => Ok(()),
            Some((vertex, value)) => {
                let id = graph.ids().id(vertex);
                screen.fact("closest", format_args!("{id} (closeness {value:.3})"))
            }
        }
    }

    fn facts<'a>(graph: &'a Graph, found: &'a Paths) -> impl Serialize + 'a {
        Facts {
            sources: found.sources.len(),
            exact: found.exact,
            connected: found.connected,
            diameter: found.diameter,
            most_diameter: found.most_diameter,
            radius: found.radius,
            center: found.center().len(),
            periphery: found.periphery().len(),
            closest: columns::top(&found.closeness).map(|(vertex, _)| Id::of(graph, vertex)),
        }
    }
}
