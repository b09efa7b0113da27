//! BFS and SSSP on a GPU, device-resident, by several strategies.

use std::time::Duration;

use clap::Parser;
use equipoise::{
    LoadedGraph,
    algorithm::Algorithm,
    bfs::{Bfs, BfsOptions},
    device::Device,
    graph::{io::ReadOptions, load},
    sssp::{Sssp, SsspOptions},
    traversal::Strategy,
};
use equipoise_benches::{
    Result,
    library::sources,
    measure::{milliseconds, table},
};

/// The graphs of docs/performance.md. The times of other programs on them, with machines and dates,
/// are in docs/guide/src/figures/time-to-answer.csv.
const GRAPHS: [&str; 4] = [
    "rmat:scale=20,edge-factor=16,weights=1..255",
    "rmat:scale=22,edge-factor=16,weights=1..255",
    "er:n=1048576,m=16777216,weights=1..255",
    "grid:width=2000,height=2000,drop=0.1,weights=1..1000",
];

/// BFS and SSSP on a GPU.
#[derive(Parser)]
#[command(name = "cargo bench -p equipoise-benches --bench searches --")]
struct Options {
    /// Files or generators' specs; without any, two RMAT graphs, a uniform one and a grid
    graphs: Vec<String>,
    #[arg(long, default_value = "auto")]
    device: Device,
    /// Strategies beside auto and node
    #[arg(long, value_delimiter = ',')]
    strategies: Vec<String>,
    /// Leave out node, which takes long on large graphs
    #[arg(long)]
    brief: bool,
    /// How many vertices to search from
    #[arg(long, default_value = "8")]
    sources: usize,
    /// How often to repeat each search
    #[arg(long, default_value = "3")]
    repeats: usize,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let named: Vec<&str> = options.graphs.iter().map(String::as_str).collect();
    println!("milliseconds of kernels and overhead, the median over sources; every run verified");
    println!("edges: those that were looked at, divided by those of the graph");
    let columns = ["graph", "search", "strategy", "time", "slowest", "prepare", "steps", "edges"];
    let mut table = table(&columns, 3);
    for spec in if named.is_empty() { GRAPHS.to_vec() } else { named } {
        eprintln!("{spec}");
        let graph = load(spec, &ReadOptions::default())?;
        let sources = sources(&graph, options.sources)?;
        let device = options.device.open()?;
        let device_graph = LoadedGraph::new(&device, &graph)?;
        let of_graph = graph.edges() as f64;
        let mut row =
            |search: &str, strategy: &str, run: &dyn Fn(u32) -> Result<Vec<Run>>| -> Result<()> {
                let (Run { time, prepare, steps, edges }, slowest) = median(&sources, run)?;
                let [time, slowest, prepare] = [time, slowest, prepare].map(milliseconds);
                let (steps, edges) = (steps.to_string(), format!("{:.2}", edges / of_graph));
                let row = [spec, search, strategy, &time, &slowest, &prepare, &steps, &edges];
                table.add_row(row);
                Ok(())
            };
        for name in options.strategies() {
            if let Some(strategy) = strategy_named(name, Strategy::BFS) {
                let bfs = BfsOptions { strategy, ..BfsOptions::default() };
                let run = |source| repeated::<Bfs>(&device_graph, source, &bfs, options.repeats);
                row("bfs", name, &run)?;
            }
        }
        for name in options.strategies() {
            if let Some(strategy) = strategy_named(name, Strategy::SSSP) {
                let sssp = SsspOptions { strategy, ..SsspOptions::default() };
                let run = |source| repeated::<Sssp>(&device_graph, source, &sssp, options.repeats);
                row("sssp", name, &run)?;
            }
        }
    }
    println!("{table}");
    Ok(())
}

impl Options {
    fn strategies(&self) -> impl Iterator<Item = &str> {
        let usual: &[&str] = if self.brief { &["auto"] } else { &["auto", "node"] };
        usual.iter().copied().chain(self.strategies.iter().map(String::as_str))
    }
}

/// A timed search.
#[derive(Clone, Copy)]
struct Run {
    time: Duration,
    prepare: Duration,
    steps: u32,
    edges: f64,
}

/// The run with the median time, and the slowest time, over all sources and repeats.
fn median(sources: &[u32], run: &dyn Fn(u32) -> Result<Vec<Run>>) -> Result<(Run, Duration)> {
    let mut runs = Vec::new();
    for &source in sources {
        runs.extend(run(source)?);
    }
    runs.sort_by_key(|run| run.time);
    Ok((runs[runs.len() / 2], runs[runs.len() - 1].time))
}

/// Repeats a search: the first result is verified, and the others must equal it.
fn repeated<A: Algorithm>(
    device_graph: &LoadedGraph,
    source: u32,
    options: &A::Options,
    repeats: usize,
) -> Result<Vec<Run>> {
    let search = || A::find_from(device_graph, &[source], options)?.remove(0).download();
    let first = search()?;
    first.check(device_graph.graph(), options)?;
    let mut runs = vec![as_run(&first)];
    for _ in 1..repeats {
        let again = search()?;
        if again.difference(&first, options).is_some() {
            return Err(format!("{}: two searches from {source} differ", A::NAME).into());
        }
        runs.push(as_run(&again));
    }
    Ok(runs)
}

fn as_run<A: Algorithm>(search: &A) -> Run {
    let (times, steps) = (search.times(), &search.trace().steps);
    let edges = steps.iter().map(|step| step.edges as f64).sum();
    let steps = steps.iter().map(|step| step.sub_steps).sum();
    Run { time: times.run(), prepare: times.prepare, steps, edges }
}

/// The strategy with this name, if it is among `all`.
fn strategy_named(name: &str, all: &[Strategy]) -> Option<Strategy> {
    name.parse().ok().filter(|strategy| all.contains(strategy))
}
