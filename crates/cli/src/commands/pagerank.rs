//! `equipoise pagerank`: how often a walk is at each vertex.

use equipoise::{
    LoadedGraph, Times, Trace,
    graph::Graph,
    pagerank::{PageRank, PageRankOptions},
};
use serde::Serialize;

use crate::{
    choice::Job,
    columns::{self, Column, Values},
    failure::Result,
    graph_command::GraphCommand,
    ids::Id,
    numbers,
    output::ResultFile,
    screen::Screen,
    sources::vertices,
    steps::StepNames,
};

pub const EXAMPLE: &str = "\
Examples:
  equipoise pagerank rmat:scale=16
  equipoise pagerank links.csv -o ranks.csv --tolerance 1e-4
  equipoise pagerank friends.csv --personalization Alice,Bob
  equipoise pagerank web.mtx --device cuda --max-iterations 20 --tolerance 0 --repeat 5";

/// How many vertices are printed.
const SHOWN: usize = 5;

#[derive(Debug, clap::Args)]
pub struct Command {
    #[command(flatten)]
    options: PageRankOptions,
    /// Start anew at the vertex that the input calls ID only (repeatable, or several with commas)
    #[arg(long, value_name = "ID")]
    personalization: Vec<String>,
}

/// The library's options, and where walks start anew as it was said.
#[derive(Serialize)]
pub struct Options {
    #[serde(flatten)]
    options: PageRankOptions,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    personalization: Vec<String>,
}

#[derive(Serialize)]
struct Facts {
    iterations: u32,
    change: f64,
    converged: bool,
    highest: Vec<Ranked>,
}

#[derive(Serialize)]
struct Ranked {
    vertex: Id,
    rank: f32,
}

impl GraphCommand for Command {
    const NAME: &'static str = "pagerank";
    const STEPS: StepNames = StepNames {
        index: "iteration",
        strategy: "direction",
        frontier: "vertices",
        found: "ranked",
    };

    type Options = Options;
    type Found = PageRank;

    fn is_plain(&self) -> bool {
        self.options.schedule.is_none()
    }

    fn job(&self, graph: &Graph, runs: u64) -> Job {
        Job::pagerank(graph, self.options.max_iterations, runs)
    }

    fn options(&self, graph: &Graph) -> Result<Options> {
        let mut options = self.options.clone();
        if !self.personalization.is_empty() {
            let mut shares = vec![0.0; graph.vertices() as usize];
            for vertex in vertices(graph, &self.personalization)? {
                shares[vertex as usize] = 1.0;
            }
            options.personalization = Some(shares);
        }
        Ok(Options { options, personalization: self.personalization.clone() })
    }

    fn find(there: &LoadedGraph, options: &Options) -> equipoise::Result<PageRank> {
        there.pagerank(&options.options)
    }

    fn told(found: &PageRank) -> (Times, Trace) {
        (found.times, found.trace.clone())
    }

    fn verify(found: &PageRank, graph: &Graph, options: &Options) -> equipoise::Result<()> {
        found.verify(graph, &options.options)
    }

    fn verdict(_found: &PageRank) -> String {
        "one more iteration in f64 changes the ranks no more than it may, and they add up to 1"
            .into()
    }

    fn write(&self, graph: &Graph, found: &PageRank, file: Option<&ResultFile>) -> Result<()> {
        let values = Values::F32(&found.ranks);
        columns::write(graph, file, &[Column { name: "rank", values }])
    }

    fn print(&self, graph: &Graph, found: &PageRank, screen: &mut Screen) -> Result<()> {
        let highest = highest(graph, found).into_iter();
        let shown: Vec<String> =
            highest.map(|ranked| format!("{} ({:.3e})", ranked.vertex, ranked.rank)).collect();
        if !shown.is_empty() {
            screen.fact("highest", shown.join(", "))?;
        }
        let iterations = numbers::counted(found.iterations.into(), "iteration", "iterations");
        let settled = if found.converged { "settled" } else { "not settled" };
        let change = found.change;
        screen.fact(
            "ranks",
            format_args!("{settled} after {iterations}, the last changed {change:.1e}"),
        )
    }

    fn facts<'a>(graph: &'a Graph, found: &'a PageRank) -> impl Serialize + 'a {
        let (iterations, change, converged) = (found.iterations, found.change, found.converged);
        Facts { iterations, change, converged, highest: highest(graph, found) }
    }
}

/// The vertices of the highest ranks.
fn highest(graph: &Graph, found: &PageRank) -> Vec<Ranked> {
    let vertices = found.highest(SHOWN).into_iter();
    let ranked =
        |vertex| Ranked { vertex: Id::of(graph, vertex), rank: found.ranks[vertex as usize] };
    vertices.map(ranked).collect()
}
