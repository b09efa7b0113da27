//! Reads graphs and matrices in any format.

use std::{borrow::Cow, path::Path};

use super::{
    content, dimacs, edge_list,
    eqp::EqpFile,
    error::{NO_FILE, ParseError, located},
    format::Format,
    gap_edges, gap_graph, gml, graphalytics, graphml,
    input::Bytes,
    matrix_market, metis,
    options::ReadOptions,
    text,
};
use crate::{Graph, Matrix, Result, Value, VertexIds};

/// Reads a graph from a file.
///
/// Fails if the file cannot be read, its format is unknown, or its contents are invalid; the error
/// names the file, the line and the expected input.
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
    let (format, bytes) = content::open(path, options)?;
    bytes.while_unchanged(|| graph_in(path, &bytes, format, options))
}

/// Reads a matrix from a file.
///
/// Matrix Market files may have any shape and values of either sign; symmetric files are expanded.
/// Other formats contain graphs, and the result is the adjacency matrix. Duplicates are summed
/// unless the options drop them.
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
    let (format, bytes) = content::open(path, options)?;
    bytes.while_unchanged(|| matrix_in(path, &bytes, format, options))
}

/// Reads a matrix as [`read_matrix`] does, with the ids of its rows, in a single pass, as a pipe
/// requires.
///
/// ```
/// use equipoise_graph::{VertexIds, io::{ReadOptions, read_matrix_and_rows}};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("roads.csv");
/// std::fs::write(&path, "source,target\nUlm,Bonn\n").unwrap();
/// let (matrix, rows) = read_matrix_and_rows::<f64>(&path, &ReadOptions::default())?;
/// assert_eq!((matrix.row(1), rows.id(1).to_string()), ((&[0][..], &[1.0][..]), "Ulm".to_owned()));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn read_matrix_and_rows<T: Value>(
    path: &Path,
    options: &ReadOptions,
) -> Result<(Matrix<T>, VertexIds)> {
    let (format, bytes) = content::open(path, options)?;
    let options_of_graph = ReadOptions { weights: T::WEIGHTS, ..*options };
    let graph = || graph_in(path, &bytes, format, &options_of_graph);
    bytes.while_unchanged(|| match format {
        Format::MatrixMarket => {
            Ok((matrix_in(path, &bytes, format, options)?, VertexIds::Dense { first: 1 }))
        }
        Format::Eqp => {
            // Not every matrix is a graph; rows of others have no ids.
            let rows = graph().map(|graph| graph.ids().clone()).unwrap_or_default();
            Ok((matrix_in(path, &bytes, format, options)?, rows))
        }
        _ => {
            let graph = graph()?;
            Ok((Matrix::from_graph(&graph)?, graph.ids().clone()))
        }
    })
}

/// Parses a graph from the bytes of a file in `format`. Bytes must not be compressed;
/// `options.format` is ignored.
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

/// Parses a matrix from the bytes of a file in `format`; see [`parse_graph`].
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

/// Reads the graph in the bytes of the file `path`.
fn graph_in(path: &Path, bytes: &Bytes, format: Format, options: &ReadOptions) -> Result<Graph> {
    match (format, bytes) {
        (Format::Eqp, Bytes::Mapped(map)) => EqpFile::mapped(path, map)
            .and_then(|file| file.graph(&options.builder()))
            .and_then(|graph| Ok(graph.with_weight_type(options.weights)?))
            .map_err(|error| located(error, path, &[])),
        (Format::Graphalytics, _) => graphalytics::read(path, options),
        _ => parse_named(path, bytes, format, |bytes| graph_of(bytes, format, options)),
    }
}

/// Reads the matrix in the bytes of the file `path`.
fn matrix_in<T: Value>(
    path: &Path,
    bytes: &Bytes,
    format: Format,
    options: &ReadOptions,
) -> Result<Matrix<T>> {
    match (format, bytes) {
        (Format::Eqp, Bytes::Mapped(map)) => EqpFile::mapped(path, map)
            .and_then(|file| file.matrix(options))
            .map_err(|error| located(error, path, &[])),
        (Format::Graphalytics, _) => {
            let weights = options.weights.or(T::WEIGHTS);
            Matrix::from_graph(&graphalytics::read(path, &ReadOptions { weights, ..*options })?)
        }
        _ => parse_named(path, bytes, format, |bytes| matrix_of(bytes, format, options)),
    }
}

/// Parses the bytes of a file with `parse`, and adds the file and the line to its errors.
pub(super) fn parse_named<T>(
    path: &Path,
    bytes: &[u8],
    format: Format,
    parse: impl Fn(&[u8]) -> Result<T, ParseError>,
) -> Result<T> {
    let text = if format.is_text() {
        text::normalize(bytes).map_err(|error| located(error, path, bytes))?
    } else {
        Cow::Borrowed(bytes)
    };
    parse(&text).map_err(|error| located(error, path, &text))
}

fn graph_of(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<Graph, ParseError> {
    options.table.check(format)?;
    let builder = &options.builder();
    let graph = match format {
        Format::MatrixMarket => matrix_market::read(bytes, builder, options),
        Format::EdgeList | Format::Csv | Format::Tsv => {
            edge_list::read(bytes, format, builder, options)
        }
        Format::Dimacs => dimacs::read(bytes, builder, options),
        Format::Metis => metis::read(bytes, builder, options.progress),
        Format::GraphMl => graphml::read(bytes, builder, options),
        Format::Gml => gml::read(bytes, builder, options),
        Format::GapEdges => gap_edges::read(bytes, None, builder, options.progress),
        Format::GapWeightedEdges => {
            gap_edges::read(bytes, Some(options.weights), builder, options.progress)
        }
        Format::GapGraph => gap_graph::read(bytes, builder),
        Format::GapWeightedGraph => gap_graph::read_weighted(bytes, builder),
        Format::Graphalytics => {
            Err(ParseError::Whole(format!("expected a path, not {}", graphalytics::THREE_FILES)))
        }
        Format::Eqp => EqpFile::copied(bytes)?.graph(builder),
    };
    // Has an effect only for formats of integers and binary numbers.
    Ok(graph?.with_weight_type(options.weights)?)
}

fn matrix_of<T: Value>(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
) -> Result<Matrix<T>, ParseError> {
    options.table.check(format)?;
    match format {
        Format::MatrixMarket => matrix_market::read_matrix(bytes, options),
        Format::Eqp => EqpFile::copied(bytes)?.matrix(options),
        _ => {
            let weights = options.weights.or(T::WEIGHTS);
            let options = ReadOptions { weights, ..*options };
            Ok(Matrix::from_graph(&graph_of(bytes, format, &options)?)?)
        }
    }
}
