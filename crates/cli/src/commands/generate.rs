//! `equipoise generate`: writes a generated graph or matrix to a file.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use equipoise::graph::{
    WeightType,
    generate::{self, Spec},
    io::{Format, write_graph, write_matrix},
};
use serde::Serialize;

use crate::{
    arguments::ThreadArguments,
    commands::convert::warn_of_losses,
    edges,
    failure::{Failure, Result},
    files::OutputFile,
    numbers,
    output::{graph_format, length, unless_reader_left},
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
    /// The type of the weights of a graph
    #[arg(long, value_enum, value_name = "TYPE", default_value_t)]
    weights: WeightType,
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
    bytes: Option<u64>,
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

/// What was written, for the JSON document.
struct Written {
    size: Size,
    /// The size, as text.
    words: String,
    generating: Duration,
    writing: Duration,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let Arguments { spec, output, .. } = arguments;
    let piped = if spec.shape().is_some() { Format::MatrixMarket } else { Format::EdgeList };
    let format = graph_format(&output, arguments.to, "--to", piped)?;
    let written = match spec.shape() {
        None => graph(&spec, arguments.weights, &output, format)?,
        Some(_) if arguments.weights != WeightType::Auto => {
            return Err(Failure::usage(
                "--weights is for graphs: the values of a matrix have 64 bits",
            ));
        }
        Some(_) => matrix(&spec, &output, format)?,
    };
    let Written { size, words, generating, writing } = written;
    let bytes = length(&output);

    let time = numbers::time(generating);
    screen.fact("generated", format_args!("{spec}: {words}, in {time}"))?;
    let length = bytes.map_or(String::new(), |bytes| format!("{}, ", numbers::bytes(bytes)));
    screen.fact("written", format_args!("{output}: {length}in {}", numbers::time(writing)))?;
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

fn graph(spec: &Spec, weights: WeightType, output: &Path, format: Format) -> Result<Written> {
    let start = Instant::now();
    let graph = spec.generate()?.with_weight_type(weights)?;
    let generating = start.elapsed();
    let start = Instant::now();
    unless_reader_left(output, write_graph(&graph, output, Some(format)))?;
    let writing = start.elapsed();
    warn_of_losses(&graph, format)?;
    let vertices = numbers::counted(graph.vertices().into(), "vertex", "vertices");
    let edges = numbers::counted(edges::count(&graph), "edge", "edges");
    let size = Size::Graph { vertices: graph.vertices(), directed_edges: graph.edges() };
    Ok(Written { size, words: format!("{vertices}, {edges}"), generating, writing })
}

fn matrix(spec: &Spec, output: &Path, format: Format) -> Result<Written> {
    let start = Instant::now();
    let matrix = spec.generate_matrix::<f64>()?;
    let generating = start.elapsed();
    let start = Instant::now();
    unless_reader_left(output, write_matrix(&matrix, output, Some(format)))?;
    let writing = start.elapsed();
    let (rows, columns, entries) = (matrix.rows(), matrix.columns(), matrix.entries());
    let words = format!("{rows} × {columns}, {}", numbers::counted(entries, "entry", "entries"));
    Ok(Written { size: Size::Matrix { rows, columns, entries }, words, generating, writing })
}
