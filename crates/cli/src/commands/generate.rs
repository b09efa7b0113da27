//! `equipoise generate`: a graph by recipe, into a file.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use equipoise::graph::{
    generate::{self, Spec},
    io::{Format, write_graph},
};
use serde::Serialize;

use crate::{
    arguments::ThreadArguments,
    edges,
    failure::Result,
    numbers,
    output::graph_format,
    screen::{Screen, ScreenArguments},
};

const EXAMPLE: &str = "\
Example:
  equipoise generate grid:width=500,height=500,drop=0.1,weights=1..1000 -o roads.gr.gz";

/// Generate a graph and write it to a file
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE, after_long_help = format!("{EXAMPLE}\n\n{}", generate::help()))]
pub struct Arguments {
    /// What to generate, such as rmat:scale=18; --help lists all generators
    #[arg(value_name = "SPEC")]
    spec: Spec,
    /// Write the graph to FILE
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,
    /// The file's format; without it, the one its name tells
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    to: Option<Format>,
    #[command(flatten)]
    threads: ThreadArguments,
    #[command(flatten)]
    screen: ScreenArguments,
}

#[derive(Serialize)]
struct Document {
    command: &'static str,
    spec: String,
    output: PathBuf,
    bytes: u64,
    vertices: u32,
    directed_edges: u64,
    generate_seconds: f64,
    write_seconds: f64,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let Arguments { spec, output, .. } = arguments;
    let format = graph_format(&output, arguments.to, "--to")?;
    arguments.threads.start()?;
    let start = Instant::now();
    let graph = spec.generate()?;
    let generating = start.elapsed();
    let start = Instant::now();
    write_graph(&graph, &output, Some(format))?;
    let writing: Duration = start.elapsed();
    let bytes = std::fs::metadata(&output).map_or(0, |metadata| metadata.len());

    let vertices = numbers::counted(graph.vertices().into(), "vertex", "vertices");
    let edges = numbers::counted(edges::count(&graph, |_| true), "edge", "edges");
    let time = numbers::time(generating);
    screen.fact("generated", format_args!("{spec}: {vertices}, {edges}, in {time}"))?;
    let (size, time) = (numbers::bytes(bytes), numbers::time(writing));
    screen.fact("written", format_args!("{}: {size}, in {time}", output.display()))?;
    screen.json(&Document {
        command: "generate",
        spec: spec.to_string(),
        output,
        bytes,
        vertices: graph.vertices(),
        directed_edges: graph.edges(),
        generate_seconds: generating.as_secs_f64(),
        write_seconds: writing.as_secs_f64(),
    })
}
