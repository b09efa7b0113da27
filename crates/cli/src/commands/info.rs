//! `equipoise info`: statistics of a graph.

use std::time::Instant;

use equipoise::{
    device::Device,
    graph::{
        Graph,
        stats::{Degrees, Statistics},
    },
};
use serde::Serialize;

use crate::{
    arguments::{GraphArguments, ThreadArguments},
    failure::Result,
    histogram,
    load::{self, GraphFacts},
    memory::Memory,
    numbers,
    screen::{Screen, ScreenArguments},
    table::{Column, draw},
};

const EXAMPLE: &str = "\
Examples:
  equipoise info rmat:scale=16
  equipoise info roads.gr.gz --json
  equipoise info rmat:scale=20 --device cuda";

/// Print the statistics of a graph, with a histogram of its degrees
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    #[command(flatten)]
    graph: GraphArguments,
    /// Print what the strategies of searches need of this device's memory, too
    #[arg(long, help_heading = "Run")]
    device: Option<Device>,
    #[command(flatten)]
    threads: ThreadArguments,
    #[command(flatten)]
    screen: ScreenArguments,
}

#[derive(Serialize)]
struct Document<'a> {
    command: &'static str,
    graph: GraphFacts<'a>,
    statistics: &'a Statistics,
    statistics_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<Memory>,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let loaded = load::graph(&arguments.graph, &mut screen)?;
    loaded.print(&mut screen)?;
    let start = Instant::now();
    let statistics = Statistics::new(&loaded.graph)?;
    let time = start.elapsed();
    print(&statistics, &loaded.graph, &mut screen)?;
    let memory = arguments.device.map(|device| Memory::new(device, &loaded.graph)).transpose()?;
    if let Some(memory) = &memory {
        screen.line(format_args!("\n{}", memory.table()))?;
    }
    if screen.is_verbose() {
        screen.line(format_args!("\nstatistics in {}", numbers::time(time)))?;
    }
    screen.json(&Document {
        command: "info",
        graph: loaded.facts(),
        statistics: &statistics,
        statistics_seconds: time.as_secs_f64(),
        memory,
    })
}

fn print(statistics: &Statistics, graph: &Graph, screen: &mut Screen) -> Result<()> {
    let isolated = numbers::count(statistics.isolated.into());
    let vertices = statistics.vertices;
    screen.fact("vertices", format_args!("{vertices} ({isolated} without an edge)"))?;
    let edges = statistics.undirected_edges.unwrap_or(statistics.edges);
    let loops = numbers::counted(statistics.self_loops, "self-loop", "self-loops");
    let duplicates = numbers::counted(statistics.duplicates, "duplicate", "duplicates");
    screen.fact("edges", format_args!("{edges} ({loops}, {duplicates})"))?;
    if let Some(weights) = &statistics.weights {
        let mean = numbers::decimal(weights.mean);
        let [min, max] = [weights.min, weights.max].map(|weight| numbers::short(&weight));
        let kind = weights.kind;
        screen.fact("weights", format_args!("{kind}, from {min} to {max}, mean {mean}"))?;
    }
    let components = &statistics.components;
    let largest: Vec<String> =
        components.largest.iter().take(3).map(|&size| numbers::count(size.into())).collect();
    let count = numbers::count(components.count.into());
    if largest.is_empty() {
        screen.fact("components", count)?
    } else {
        screen.fact("components", format_args!("{count} (largest: {})", largest.join(", ")))?;
    }
    screen.fact("diameter", format_args!("at least {}", statistics.diameter_at_least))?;

    let degrees: &[(&str, &Degrees)] = if graph.is_undirected() {
        &[("degree", &statistics.out_degrees)]
    } else {
        &[("out-degree", &statistics.out_degrees), ("in-degree", &statistics.in_degrees)]
    };
    screen.line(format_args!("\n{}", degree_table(degrees)))?;
    for (name, degrees) in degrees.iter().filter(|(_, degrees)| !degrees.histogram.is_empty()) {
        screen
            .line(format_args!("\nvertices by {name}\n{}", histogram::draw(&degrees.histogram)))?;
    }
    Ok(())
}

fn degree_table(degrees: &[(&str, &Degrees)]) -> String {
    let names = ["min", "quarter", "median", "three quarters", "max", "mean", "σ"];
    let columns: Vec<Column> =
        std::iter::once(Column::Left("")).chain(names.map(Column::Right)).collect();
    let rows = degrees.iter().map(|(name, degrees)| {
        vec![
            (*name).to_owned(),
            numbers::count(degrees.min),
            degrees.lower_quartile.to_string(),
            degrees.median.to_string(),
            degrees.upper_quartile.to_string(),
            numbers::count(degrees.max),
            numbers::decimal(degrees.mean),
            numbers::decimal(degrees.deviation),
        ]
    });
    draw(&columns, rows)
}
