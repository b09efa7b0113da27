//! All pairs on a device: relaxations per second of every strategy, with u32 and f32.

use std::time::Duration;

use clap::Parser;
use equipoise::{
    LoadedGraph,
    apsp::{ApspOptions, ApspStrategy},
    device::{Device, OpenDevice},
    graph::{Graph, Weights, io::ReadOptions, load},
};
use equipoise_benches::{
    Result,
    measure::{milliseconds, table},
};

/// All pairs on a device.
#[derive(Parser)]
#[command(name = "cargo bench -p equipoise-benches --bench all_pairs --")]
struct Options {
    #[arg(long, default_value = "auto")]
    device: Device,
    /// Vertices of random graphs
    #[arg(long, value_delimiter = ',', default_value = "4096,16384")]
    vertices: Vec<u32>,
    /// Edges of each vertex
    #[arg(long, value_delimiter = ',', default_value = "8")]
    edges: Vec<u32>,
    /// Kinds of weights: u32, f32, or one for edges that all weigh the same
    #[arg(long, value_delimiter = ',', default_value = "u32,f32")]
    weights: Vec<String>,
    /// Find next hops, too
    #[arg(long)]
    next_hops: bool,
    /// The most bytes of the device's memory; a matrix that is larger is streamed
    #[arg(long)]
    memory_limit: Option<u64>,
    /// Strategies
    #[arg(long, value_delimiter = ',', default_value = "blocked,naive,sssp")]
    strategies: Vec<ApspStrategy>,
    /// How often to repeat each
    #[arg(long, default_value = "3")]
    repeats: usize,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let device = options.device.open()?;
    println!("the fastest of {} runs; every run verified by sampled rows", options.repeats);
    let columns = [
        "vertices",
        "edges each",
        "weights",
        "strategy",
        "panels",
        "time",
        "10⁹ relaxations a second",
    ];
    let mut table = table(&columns, 5);
    for &vertices in &options.vertices {
        for &edges in &options.edges {
            for weights in &options.weights {
                let graph = random(vertices, edges, weights)?;
                for &strategy in &options.strategies {
                    let (fastest, panels) = options.run(&device, &graph, strategy)?;
                    let relaxations = f64::from(vertices).powi(3) / fastest.as_secs_f64() / 1e9;
                    table.add_row([
                        &vertices.to_string(),
                        &edges.to_string(),
                        weights,
                        strategy.name(),
                        &panels.to_string(),
                        &milliseconds(fastest),
                        &format!("{relaxations:.2}"),
                    ]);
                }
            }
        }
    }
    println!("{table}");
    Ok(())
}

impl Options {
    /// The fastest run, and the panels that the matrix was streamed in.
    fn run(
        &self,
        device: &OpenDevice,
        graph: &Graph,
        strategy: ApspStrategy,
    ) -> Result<(Duration, u32)> {
        let (next_hops, memory_limit) = (self.next_hops, self.memory_limit);
        let options = ApspOptions { strategy, next_hops, memory_limit, ..ApspOptions::default() };
        let mut fastest = (Duration::MAX, 0);
        for _ in 0..self.repeats.max(1) {
            let result = LoadedGraph::new(device, graph)?.apsp(&options)?;
            result.verify(graph)?;
            fastest = fastest.min((result.times.run(), result.panels));
        }
        Ok(fastest)
    }
}

/// A random graph.
fn random(vertices: u32, edges: u32, weights: &str) -> Result<Graph> {
    let all = u64::from(vertices) * u64::from(edges);
    let plain = format!("er:n={vertices},m={all},directed=true");
    let weighted = || load(&format!("{plain},weights=1..1000"), &ReadOptions::default());
    match weights {
        "one" => Ok(load(&plain, &ReadOptions::default())?),
        "u32" => Ok(weighted()?),
        "f32" => halves(&weighted()?),
        other => Err(format!("weights are `u32`, `f32` or `one`, not `{other}`").into()),
    }
}

/// The same graph with half the weights, as floating-point numbers.
fn halves(graph: &Graph) -> Result<Graph> {
    let weights = graph.weights().map(|weights| {
        let halves = (0..weights.len()).map(|edge| weights.get(edge) as f32 / 2.0);
        Weights::from(halves.collect::<Vec<f32>>())
    });
    Ok(graph.clone().with_weights(weights)?)
}
