//! `equipoise generate`: a graph or matrix by recipe, into a file.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use equipoise::graph::{
    generate::{self, Spec},
    io::{Format, write_graph, write_matrix},
};
use serde::Serialize;

use crate::{
    arguments::ThreadArguments,
    edges,
    failure::Result,
    files::OutputFile,
    numbers,
    output::graph_format,
    screen::{Screen, ScreenArguments},
};

const EXAMPLE: &str = "\
Example:
  equipoise generate grid:width=500,height=500,drop=0.1,weights=1..1000 -o roads.gr.gz";

/// Generate a graph or matrix and write it to a file
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE, after_long_help = format!("{EXAMPLE}\n\n{}", generate::help()))]
pub struct Arguments {
    /// What to generate, such as rmat:scale=18; --help lists all generators
    #[arg(value_name = "SPEC")]
    spec: Spec,
    /// Write it to FILE
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: OutputFile,
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
    output: OutputFile,
    bytes: u64,
    #[serde(flatten)]
    size: Size,
    generate_seconds: f64,
    write_seconds: f64,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Size {
    Graph { vertices: u32, directed_edges: u64 },
    Matrix { rows: u32, columns: u32, entries: u64 },
}

/// What was written.
struct Written {
    size: Size,
    /// The size, in words.
    words: String,
    generating: Duration,
    writing: Duration,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let Arguments { spec, output, .. } = arguments;
    let format = graph_format(&output, arguments.to, "--to")?;
    let written = match spec.shape() {
        None => graph(&spec, &output, format)?,
        Some(_) => matrix(&spec, &output, format)?,
    };
    let Written { size, words, generating, writing } = written;
    let bytes = std::fs::metadata(&output).map_or(0, |metadata| metadata.len());

    let time = numbers::time(generating);
    screen.fact("generated", format_args!("{spec}: {words}, in {time}"))?;
    let (length, time) = (numbers::bytes(bytes), numbers::time(writing));
    screen.fact("written", format_args!("{}: {length}, in {time}", output))?;
    screen.json(&Document {
        command: "generate",
        spec: spec.to_string(),
        output,
        bytes,
        size,
        generate_seconds: generating.as_secs_f64(),
        write_seconds: writing.as_secs_f64(),
    })
}

fn graph(spec: &Spec, output: &Path, format: Format) -> Result<Written> {
    let start = Instant::now();
    let graph = spec.generate()?;
    let generating = start.elapsed();
    let start = Instant::now();
    write_graph(&graph, output, Some(format))?;
    let writing = start.elapsed();
    let vertices = numbers::counted(graph.vertices().into(), "vertex", "vertices");
    let edges = numbers::counted(edges::count(&graph, |_| true), "edge", "edges");
    let size = Size::Graph { vertices: graph.vertices(), directed_edges: graph.edges() };
    Ok(Written { size, words: format!("{vertices}, {edges}"), generating, writing })
}

fn matrix(spec: &Spec, output: &Path, format: Format) -> Result<Written> {
    let start = Instant::now();
    let matrix = spec.generate_matrix::<f64>()?;
    let generating = start.elapsed();
    let start = Instant::now();
    write_matrix(&matrix, output, Some(format))?;
    let writing = start.elapsed();
    let (rows, columns, entries) = (matrix.rows(), matrix.columns(), matrix.entries());
    let words = format!("{rows} × {columns}, {}", numbers::counted(entries, "entry", "entries"));
    Ok(Written { size: Size::Matrix { rows, columns, entries }, words, generating, writing })
}
