//! Readers and writers, one file a format.
//!
//! A format is chosen by the file's extension or by name; `.gz`, `.zst`, `.xz` and `.bz2` are
//! seen through.
//!
//! ```no_run
//! use equipoise_graph::io::{ReadOptions, read_graph, write_graph};
//!
//! let graph = read_graph("roads.mtx.xz".as_ref(), &ReadOptions::default())?;
//! write_graph(&graph, "roads.eqp".as_ref(), None)?;
//! # Ok::<(), equipoise_graph::Error>(())
//! ```

mod abandoned;
mod chunks;
mod compression;
mod dimacs;
mod edge_list;
mod eqp;
mod error;
mod file_map;
mod format;
mod gap_edges;
mod gap_graph;
mod gml;
mod graphml;
mod input;
mod limits;
mod lines;
mod listed;
mod mapped;
mod matrix_market;
mod metis;
mod numbers;
mod options;
mod output;
mod pairs;
mod scan;
mod text;
mod text_file;
mod tns;
mod unpack;
mod weights;

use std::{borrow::Cow, io::Write, path::Path};

pub use eqp::{EqpIds, EqpLayout};
pub(crate) use file_map::FileMap;
pub use file_map::report_shortened_files;
pub use format::Format;
pub use mapped::MappedFile;
pub use options::{IdKind, Progress, ReadOptions, TableOptions};
pub use output::{discard_unfinished, write_file};
pub use text_file::{TextFile, TextPart, TextPiece, TextVertices};
pub use tns::{parse_tensor, print_tensor, read_tensor, write_tensor};
pub use unpack::unpack;
pub use weights::WeightKinds;

use crate::{Error, Graph, Matrix, Result, Value};
use error::{ParseError, WriteError};
use input::Bytes;

/// What stands in an error for the name of a file where bytes came without one.
const NO_FILE: &str = "input";
/// The same where bytes go to no file.
const NO_OUTPUT: &str = "output";

/// Reads a graph from a file.
///
/// Fails where the file cannot be read, its format is not known, or its bytes are not what the
/// format asks for; the error names the file, the line and what was expected.
///
/// ```
/// use equipoise_graph::io::{ReadOptions, read_graph};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("roads.el");
/// std::fs::write(&path, "0 1\n1 2\n").unwrap();
/// let graph = read_graph(&path, &ReadOptions { undirected: true, ..Default::default() })?;
/// assert_eq!(graph.neighbors(1), [0, 2]);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn read_graph(path: &Path, options: &ReadOptions) -> Result<Graph> {
    let format = format_of(path, options.format)?;
    let bytes = input::open(path, format.is_text(), options.progress)?;
    match (format, &bytes) {
        (Format::Eqp, Bytes::Mapped(map)) => {
            eqp::open(path, map, &options.builder()).map_err(|error| located(error, path, &[]))
        }
        _ => parse_named(path, &bytes, format, |bytes| graph_of(bytes, format, options)),
    }
}

/// Reads a matrix from a file.
///
/// Matrix Market is read as it is: any shape, values of either sign, symmetric files expanded.
/// Other formats hold graphs, and the matrix is the adjacency matrix. Duplicates are summed
/// unless the options say to drop them.
///
/// Fails as [`read_graph`] does.
///
/// ```
/// use equipoise_graph::io::{ReadOptions, read_matrix};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("a.mtx");
/// std::fs::write(&path, "%%MatrixMarket matrix coordinate real general\n1 3 1\n1 3 -2.5\n").unwrap();
/// let matrix = read_matrix::<f64>(&path, &ReadOptions::default())?;
/// assert_eq!(matrix.row(0), (&[2][..], &[-2.5][..]));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn read_matrix<T: Value>(path: &Path, options: &ReadOptions) -> Result<Matrix<T>> {
    let format = format_of(path, options.format)?;
    let bytes = input::open(path, format.is_text(), options.progress)?;
    match (format, &bytes) {
        (Format::Eqp, Bytes::Mapped(map)) => {
            eqp::open_matrix(path, map, options).map_err(|error| located(error, path, &[]))
        }
        _ => parse_named(path, &bytes, format, |bytes| matrix_of(bytes, format, options)),
    }
}

/// Reads a graph from the bytes of a file of the given format. Compressed bytes are not seen
/// through, and `options.format` is not looked at.
///
/// ```
/// use equipoise_graph::io::{Format, ReadOptions, parse_graph};
///
/// let options = ReadOptions::default();
/// let graph = parse_graph(b"p sp 2 1\na 1 2 7\n", Format::Dimacs, &options)?;
/// assert_eq!(graph.weights().unwrap().get(0), 7.0);
///
/// let error = parse_graph(b"p sp 2 1\na 1 9 7\n", Format::Dimacs, &options).unwrap_err();
/// assert_eq!(error.to_string(), "input:2: expected a vertex from 1 to 2, found \"9\"");
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn parse_graph(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<Graph> {
    parse_named(NO_FILE.as_ref(), bytes, format, |bytes| graph_of(bytes, format, options))
}

/// Reads a matrix from the bytes of a file of the given format, as [`parse_graph`] does a graph.
///
/// ```
/// use equipoise_graph::io::{Format, ReadOptions, parse_matrix};
///
/// let matrix = parse_matrix::<f32>(b"0 1 0.5\n", Format::EdgeList, &ReadOptions::default())?;
/// assert_eq!(matrix.row(0), (&[1][..], &[0.5][..]));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn parse_matrix<T: Value>(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
) -> Result<Matrix<T>> {
    parse_named(NO_FILE.as_ref(), bytes, format, |bytes| matrix_of(bytes, format, options))
}

/// Writes a graph to a file, whole or not at all, in `format` or the one that the file's name
/// tells.
///
/// Fails where the file cannot be written, the format is not known, or it cannot hold the graph.
///
/// ```
/// use equipoise_graph::{Edges, GraphBuilder, io::{ReadOptions, read_graph, write_graph}};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("roads.mtx");
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 4u32), (1, 2, 5)]))?;
/// write_graph(&graph, &path, None)?;
/// assert_eq!(read_graph(&path, &ReadOptions::default())?.csr(), graph.csr());
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn write_graph(graph: &Graph, path: &Path, format: Option<Format>) -> Result<()> {
    let format = format_of(path, format)?;
    graph.check()?;
    output::write_whole(path, |out| {
        put_graph(graph, format, out).map_err(|error| unwritten(error, path, format))
    })
}

/// Writes a matrix to a file, whole or not at all, in `format` or the one that the file's name
/// tells.
///
/// Fails as [`write_graph`] does. Formats of graphs hold square matrices only, and values that
/// an `f32` holds exactly.
///
/// ```
/// use equipoise_graph::{Matrix, io::{ReadOptions, read_matrix, write_matrix}};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("a.mtx");
/// let matrix = Matrix::from_entries(1, 3, &[(0, 2, 0.1f64)])?;
/// write_matrix(&matrix, &path, None)?;
/// assert_eq!(read_matrix::<f64>(&path, &ReadOptions::default())?, matrix);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn write_matrix<T: Value>(
    matrix: &Matrix<T>,
    path: &Path,
    format: Option<Format>,
) -> Result<()> {
    let format = format_of(path, format)?;
    matrix.check()?;
    output::write_whole(path, |out| {
        put_matrix(matrix, format, out).map_err(|error| unwritten(error, path, format))
    })
}

/// Writes a graph in a format to anything that takes bytes: the counterpart of [`parse_graph`].
///
/// Fails where `out` does, or the format cannot hold the graph.
///
/// ```
/// use equipoise_graph::{Edges, GraphBuilder, io::{Format, print_graph}};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// let mut bytes = Vec::new();
/// print_graph(&graph, Format::GapGraph, &mut bytes)?;
/// assert_eq!(bytes.len(), 17 + 2 * (4 * 8 + 2 * 4));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn print_graph(graph: &Graph, format: Format, out: &mut dyn Write) -> Result<()> {
    graph.check()?;
    put_graph(graph, format, out).map_err(|error| unwritten(error, NO_OUTPUT.as_ref(), format))
}

/// Writes a matrix in a format to anything that takes bytes, as [`print_graph`] does a graph.
///
/// ```
/// use equipoise_graph::{Matrix, io::{Format, ReadOptions, parse_matrix, print_matrix}};
///
/// let matrix = Matrix::from_entries(1, 3, &[(0, 2, 0.1f64)])?;
/// let mut bytes = Vec::new();
/// print_matrix(&matrix, Format::Eqp, &mut bytes)?;
/// assert_eq!(parse_matrix::<f64>(&bytes, Format::Eqp, &ReadOptions::default())?, matrix);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn print_matrix<T: Value>(
    matrix: &Matrix<T>,
    format: Format,
    out: &mut dyn Write,
) -> Result<()> {
    matrix.check()?;
    put_matrix(matrix, format, out).map_err(|error| unwritten(error, NO_OUTPUT.as_ref(), format))
}

/// Reads the bytes of a file by `parse`, and adds the file and the line to its errors.
fn parse_named<T>(
    path: &Path,
    bytes: &[u8],
    format: Format,
    parse: impl Fn(&[u8]) -> Result<T, ParseError>,
) -> Result<T> {
    let text = match format.is_text() {
        true => text::normalize(bytes).map_err(|error| located(error, path, bytes))?,
        false => Cow::Borrowed(bytes),
    };
    parse(&text).map_err(|error| located(error, path, &text))
}

fn graph_of(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<Graph, ParseError> {
    let builder = &options.builder();
    let progress = options.progress;
    match format {
        Format::MatrixMarket => matrix_market::read(bytes, builder, progress),
        Format::EdgeList => edge_list::read(bytes, builder, &options.table, progress),
        Format::Dimacs => dimacs::read(bytes, builder, progress),
        Format::Metis => metis::read(bytes, builder, progress),
        Format::GraphMl => graphml::read(bytes, builder, &options.table, progress),
        Format::Gml => gml::read(bytes, builder, &options.table, progress),
        Format::GapEdges => gap_edges::read(bytes, builder, progress),
        Format::GapWeightedEdges => gap_edges::read_weighted(bytes, builder, progress),
        Format::GapGraph => gap_graph::read(bytes, builder),
        Format::GapWeightedGraph => gap_graph::read_weighted(bytes, builder),
        Format::Eqp => eqp::read(bytes, builder),
    }
}

fn matrix_of<T: Value>(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
) -> Result<Matrix<T>, ParseError> {
    match format {
        Format::MatrixMarket => matrix_market::read_matrix(bytes, options),
        Format::Eqp => eqp::read_matrix(bytes, options),
        _ => Ok(Matrix::from_graph(&graph_of(bytes, format, options)?)?),
    }
}

fn put_graph(graph: &Graph, format: Format, out: &mut dyn Write) -> Result<(), WriteError> {
    match format {
        Format::MatrixMarket => matrix_market::write(graph, out),
        Format::EdgeList => edge_list::write(graph, out),
        Format::Dimacs => dimacs::write(graph, out),
        Format::Metis => metis::write(graph, out),
        Format::GraphMl => graphml::write(graph, out),
        Format::Gml => gml::write(graph, out),
        Format::GapEdges => gap_edges::write(graph, out),
        Format::GapWeightedEdges => gap_edges::write_weighted(graph, out),
        Format::GapGraph => gap_graph::write(graph, out),
        Format::GapWeightedGraph => gap_graph::write_weighted(graph, out),
        Format::Eqp => eqp::write(graph, out),
    }
}

fn put_matrix<T: Value>(
    matrix: &Matrix<T>,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    match format {
        Format::MatrixMarket => matrix_market::write_matrix(matrix, out),
        Format::Eqp => eqp::write_matrix(matrix, out),
        _ => put_graph(&exact_graph(matrix)?, format, out),
    }
}

/// The graph of a matrix whose values are all exact as weights.
fn exact_graph<T: Value>(matrix: &Matrix<T>) -> Result<Graph, WriteError> {
    let exact = |value: f64| f64::from(value as f32) == value || value.is_nan();
    match matrix.values().iter().find(|value| !exact(value.to_f64())) {
        Some(value) => Err(WriteError::CannotHold(format!(
            "the value {value} exactly, as its weights have 32 bits"
        ))),
        None => matrix.to_graph().map_err(|error| match error {
            Error::NotSquare { rows, columns } => {
                WriteError::CannotHold(format!("a matrix that is not square ({rows} × {columns})"))
            }
            other => WriteError::Graph(other),
        }),
    }
}

/// The format asked for, or the one that the name of the file tells.
fn format_of(path: &Path, asked: Option<Format>) -> Result<Format> {
    asked.or_else(|| Format::of_path(path)).ok_or_else(|| {
        let known: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        let message = format!(
            "{}: the name does not tell the format; name one of: {}",
            path.display(),
            known.join(", ")
        );
        Error::UnknownFormat { message }
    })
}

/// Adds the file and the line to what a reader said of its bytes.
fn located(error: ParseError, path: &Path, bytes: &[u8]) -> Error {
    let path = path.to_owned();
    match error {
        ParseError::At { byte, message } => {
            let before = &bytes[..byte.min(bytes.len())];
            let line = before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
            Error::Parse { path, line: Some(line), message }
        }
        ParseError::Whole(message) => Error::Parse { path, line: None, message },
        ParseError::Graph(error @ Error::Parse { .. }) => error,
        ParseError::Graph(error @ Error::OutOfMemory { .. }) => located_memory(error, &path),
        ParseError::Graph(error) => Error::Parse { path, line: None, message: error.to_string() },
    }
}

/// Adds the file to what there was no memory for.
fn located_memory(error: Error, path: &Path) -> Error {
    match error {
        Error::OutOfMemory { what, needed, available } => {
            Error::OutOfMemory { what: format!("{}: {what}", path.display()), needed, available }
        }
        other => other,
    }
}

/// Adds the file and the format to what a writer said.
fn unwritten(error: WriteError, path: &Path, format: Format) -> Error {
    match error {
        WriteError::Io(source) => Error::Io { path: path.to_owned(), source },
        WriteError::CannotHold(what) => Error::Unsupported { format: format.name(), what },
        WriteError::Graph(error) => located_memory(error, path),
    }
}
