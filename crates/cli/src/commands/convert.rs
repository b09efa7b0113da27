//! `equipoise convert`: converts a graph or matrix from one format to another.

use std::time::Instant;

use equipoise::graph::{
    Graph, VertexIds,
    io::{Format, losses, write_graph, write_matrix},
};
use serde::Serialize;

use crate::{
    arguments::{GraphArguments, ThreadArguments},
    failure::{Failure, Result, warn},
    files::OutputFile,
    load::{self, GraphFacts, MatrixFacts},
    numbers,
    output::{graph_format, length, unless_reader_left},
    screen::{Screen, ScreenArguments},
};

const EXAMPLE: &str = "\
Examples:
  equipoise convert roads.gr.gz -o roads.eqp
  equipoise convert roads.eqp -o roads.csv
  equipoise convert rectangular.mtx -o rectangular.eqp --matrix";

/// Convert a graph from one file format to another
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    #[command(flatten)]
    input: GraphArguments,
    /// The file to write, as --output names it
    #[arg(value_name = "OUT", help_heading = None, hide = true)]
    out: Option<OutputFile>,
    /// Write it to FILE, whose name tells the format and the compression
    #[arg(
        short,
        long,
        value_name = "FILE",
        help_heading = "Output",
        required_unless_present = "out"
    )]
    output: Option<OutputFile>,
    /// The file's format [default: the one its name tells]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    to: Option<Format>,
    /// Convert a matrix: of any shape, with values of 64 bits
    #[arg(long, help_heading = "Input", conflicts_with = "weights")]
    matrix: bool,
    #[command(flatten)]
    threads: ThreadArguments,
    #[command(flatten)]
    screen: ScreenArguments,
}

#[derive(Serialize)]
struct Document<'a> {
    command: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<GraphFacts<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matrix: Option<MatrixFacts<'a>>,
    output: &'a OutputFile,
    format: Format,
    bytes: Option<u64>,
    renumbered: bool,
    write_seconds: f64,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let outputs: Vec<&OutputFile> = arguments.output.iter().chain(&arguments.out).collect();
    let piped = if arguments.matrix { Format::MatrixMarket } else { Format::EdgeList };
    let formats = outputs.iter().map(|output| graph_format(output, arguments.to, "--to", piped));
    let formats = formats.collect::<Result<Vec<Format>>>()?;
    let (&[output], &[format]) = (&outputs[..], &formats[..]) else {
        return Err(Failure::usage("name the file to write once, with --output"));
    };

    let (mut graph, mut matrix) = (None, None);
    let start;
    let mut renumbered = false;
    if arguments.matrix {
        let loaded =
            load::matrix::<f64>(&arguments.input.graph, &arguments.input.load, &mut screen)?;
        loaded.print(&mut screen)?;
        start = Instant::now();
        unless_reader_left(output, write_matrix(&loaded.matrix, output, Some(format)))?;
        matrix = Some(loaded);
    } else {
        let loaded = load::graph(&arguments.input, &mut screen)?;
        loaded.print(&mut screen)?;
        start = Instant::now();
        unless_reader_left(output, write_graph(&loaded.graph, output, Some(format)))?;
        warn_of_losses(&loaded.graph, format)?;
        renumbered = warn_of_new_ids(&loaded.graph, format);
        graph = Some(loaded);
    }
    let writing = start.elapsed();
    let bytes = length(output);
    let size = bytes.map_or(String::new(), |bytes| format!("{}, ", numbers::bytes(bytes)));
    let time = numbers::time(writing);
    screen.fact("written", format_args!("{output}: {format}, {size}in {time}"))?;
    screen.json(&Document {
        command: "convert",
        graph: graph.as_ref().map(|loaded| loaded.facts()),
        matrix: matrix.as_ref().map(|loaded| loaded.facts()),
        output,
        format,
        bytes,
        renumbered,
        write_seconds: writing.as_secs_f64(),
    })
}

/// Warns about properties other than ids that a format loses.
pub fn warn_of_losses(graph: &Graph, format: Format) -> Result<()> {
    let losses = losses(graph, format)?;
    for loss in &losses {
        warn(loss);
    }
    if !losses.is_empty() {
        warn("a file called .edges keeps all of this");
    }
    Ok(())
}

/// Warns if the format numbers vertices differently than the input; returns whether it does.
pub fn warn_of_new_ids(graph: &Graph, format: Format) -> bool {
    let Some(first) = first_id(format) else { return false };
    let last = graph.vertices().checked_sub(1);
    let Some(last) = last.filter(|_| *graph.ids() != VertexIds::Dense { first }) else {
        return false;
    };
    let (old_first, old_last) = (graph.ids().id(0), graph.ids().id(last));
    warn(&format!(
        "{format} numbers vertices from {first}: ids {old_first} to {old_last} became {first} to {}",
        first + u64::from(last)
    ));
    true
}

/// The id of the first vertex in a format that does not store ids.
fn first_id(format: Format) -> Option<u64> {
    match format {
        Format::EdgeList
        | Format::Csv
        | Format::Tsv
        | Format::Eqp
        | Format::GraphMl
        | Format::Graphalytics
        | Format::Gml => None,
        Format::MatrixMarket | Format::Dimacs | Format::Metis => Some(1),
        Format::GapEdges | Format::GapWeightedEdges => Some(0),
        Format::GapGraph | Format::GapWeightedGraph => Some(0),
    }
}
