//! Coloring on a device: time, colors and iterations of every strategy, compared with the colors of
//! sequential first fit in largest-first order.

use std::{cmp::Reverse, collections::HashSet, time::Duration};

use clap::Parser;
use equipoise::{
    LoadedGraph, NONE,
    color::{ColorOptions, ColorStrategy, QueuePass},
    device::{Device, OpenDevice},
    graph::{Graph, io::ReadOptions, load},
};
use equipoise_benches::{
    Result,
    measure::{milliseconds, table},
};

/// The default graphs.
const GRAPHS: &[&str] = &[
    "rmat:scale=20,edge-factor=16",
    "rmat:scale=22,edge-factor=16",
    "er:n=1048576,m=16777216",
    "grid:width=2000,height=2000",
];

/// Coloring on a device.
#[derive(Parser)]
#[command(name = "cargo bench -p equipoise-benches --bench coloring --")]
struct Options {
    /// Files or generators' specs; without any, two RMAT graphs, a uniform one and a grid
    graphs: Vec<String>,
    #[arg(long, default_value = "auto")]
    device: Device,
    /// Strategies, with settings after colons: `hybrid:switch=after=3`, `jones-plassmann:schedule=merge-path`,
    /// `work-stealing:queues=16:no-steal`, `work-stealing:cube-size=64:steal-within`
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "speculative,jones-plassmann,min-max,hybrid,multi-hash,work-stealing,work-stealing:no-steal"
    )]
    strategies: Vec<String>,
    /// How often to repeat each
    #[arg(long, default_value = "3")]
    repeats: usize,
    /// Leave out largest-first, which runs on the cpu
    #[arg(long)]
    brief: bool,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let device = options.device.open()?;
    let named: Vec<&str> = options.graphs.iter().map(String::as_str).collect();
    println!("milliseconds of kernels and overhead, the median of the repeats; every run verified");
    let columns = ["graph", "strategy", "time", "slowest", "colors", "iterations", "first pass"];
    let mut table = table(&columns, 2);
    for &spec in if named.is_empty() { GRAPHS } else { &named[..] } {
        eprintln!("{spec}");
        let graph = load(spec, &ReadOptions::default())?;
        for strategy in &options.strategies {
            let run = run(&device, &graph, strategy, options.repeats)?;
            let [time, slowest] = [run.time, run.slowest].map(milliseconds);
            let (colors, iterations) = (run.colors.to_string(), run.iterations.to_string());
            table.add_row([spec, strategy, &time, &slowest, &colors, &iterations, &run.queues]);
        }
        if !options.brief {
            let colors = largest_first(&graph).to_string();
            table.add_row([spec, "(largest-first, sequential)", "", "", &colors, "", ""]);
        }
    }
    println!("{table}");
    Ok(())
}

struct Run {
    time: Duration,
    slowest: Duration,
    colors: u32,
    iterations: usize,
    queues: String,
}

fn run(device: &OpenDevice, graph: &Graph, strategy: &str, repeats: usize) -> Result<Run> {
    let options = settings(strategy)?;
    let mut times = Vec::new();
    let device_graph = LoadedGraph::new(device, graph)?;
    // The first run is not counted, as on the page; it includes the upload of the graph.
    let mut last = Some(device_graph.color(&options)?);
    for _ in 0..repeats.max(1) {
        let coloring = device_graph.color(&options)?;
        coloring.verify(graph)?;
        times.push(coloring.times.run());
        last = Some(coloring);
    }
    times.sort();
    let coloring = last.ok_or("nothing was run")?;
    let queues = coloring.queues.map_or(String::new(), |queues| {
        queues.passes.first().map_or(String::new(), |first| {
            let QueuePass { max, min, mean, deviation, .. } = first;
            format!("{max} {min} {mean:.1} (σ {deviation:.2})")
        })
    });
    Ok(Run {
        time: times[times.len() / 2],
        slowest: times[times.len() - 1],
        colors: coloring.count,
        iterations: coloring.trace.steps.len(),
        queues,
    })
}

fn settings(text: &str) -> Result<ColorOptions> {
    let mut words = text.split(':');
    let strategy: ColorStrategy = words.next().unwrap_or_default().parse()?;
    let mut options = ColorOptions { strategy, ..ColorOptions::default() };
    for word in words {
        match word.split_once('=').unwrap_or((word, "")) {
            ("switch", rule) => options.switch = rule.parse()?,
            ("schedule", name) => options.schedule = Some(name.parse()?),
            ("queues", count) => options.queues = Some(count.parse()?),
            ("hashes", count) => options.hashes = count.parse()?,
            ("passes", count) => options.passes = Some(count.parse()?),
            ("no-steal", "") => options.no_steal = true,
            ("steal", "") => options.steal = true,
            ("steal-within", "") => options.steal_within = true,
            ("cube-size", units) => options.cube_size = units.parse()?,
            _ => return Err(format!("`{word}` is no setting of coloring").into()),
        }
    }
    Ok(options)
}

/// The number of colors of sequential first fit, by descending degree and then by number.
fn largest_first(graph: &Graph) -> u32 {
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); graph.vertices() as usize];
    for vertex in 0..graph.vertices() {
        for &other in graph.neighbors(vertex).iter().filter(|&&other| other != vertex) {
            rows[vertex as usize].push(other);
            if !graph.is_undirected() {
                rows[other as usize].push(vertex);
            }
        }
    }
    for row in &mut rows {
        row.sort_unstable();
        row.dedup();
    }
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&vertex| Reverse(rows[vertex].len()));
    let mut colors = vec![NONE; rows.len()];
    let mut near = HashSet::new();
    for vertex in order {
        near.clear();
        near.extend(rows[vertex].iter().map(|&other| colors[other as usize]));
        colors[vertex] = (0..).find(|color| !near.contains(color)).unwrap_or(NONE);
    }
    colors.iter().max().map_or(0, |largest| largest + 1)
}
