//! All pairs on a device: relaxations a second by every strategy, u32 and f32.

use clap::Parser;
use equipoise::{
    ApspOptions, ApspStrategy, apsp_on,
    device::Device,
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
    /// Vertices of random graphs with 8 edges each
    #[arg(long, value_delimiter = ',', default_value = "4096,16384")]
    vertices: Vec<u32>,
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
    let columns = ["vertices", "weights", "strategy", "time", "10⁹ relaxations a second"];
    let mut table = table(&columns, 3);
    for &vertices in &options.vertices {
        let edges = u64::from(vertices) * 8;
        let spec = format!("er:n={vertices},m={edges},directed=true,weights=1..1000");
        let whole = load(&spec, &ReadOptions::default())?;
        let real = halves(&whole)?;
        for (graph, weights) in [(&whole, "u32"), (&real, "f32")] {
            for &strategy in &options.strategies {
                let mut times = Vec::new();
                for _ in 0..options.repeats.max(1) {
                    let options = ApspOptions { strategy, ..ApspOptions::default() };
                    let result = apsp_on(&device, graph, &options)?;
                    result.verify(graph)?;
                    times.push(result.times.run());
                }
                let Some(&fastest) = times.iter().min() else { continue };
                let relaxations = f64::from(vertices).powi(3) / fastest.as_secs_f64() / 1e9;
                let rate = format!("{relaxations:.2}");
                let row = [
                    &vertices.to_string(),
                    weights,
                    strategy.name(),
                    &milliseconds(fastest),
                    &rate,
                ];
                table.add_row(row);
            }
        }
    }
    println!("{table}");
    Ok(())
}

/// The same graph with half the weights, as floating-point numbers.
fn halves(graph: &Graph) -> Result<Graph> {
    let weights = graph.weights().map(|weights| {
        let halves = (0..weights.len()).map(|edge| weights.get(edge) as f32 / 2.0);
        Weights::from(halves.collect::<Vec<f32>>())
    });
    Ok(graph.clone().with_weights(weights)?)
}
