//! Writes graphs and matrices in any format.

use std::{io::Write, path::Path};

use super::{
    content, csv, dimacs, edge_list, eqp,
    error::{WriteError, unwritten},
    format::Format,
    gap_edges, gap_graph, gml, graphalytics, graphml, matrix_market, metis, output,
};
use crate::{Error, Graph, Matrix, Result, Value};

/// The name in errors for bytes that are not written to a file.
const NO_OUTPUT: &str = "output";

/// Writes a graph to a file atomically, in `format` or the one that the extension indicates.
///
/// Fails if the file cannot be written, the format is unknown, or the format cannot represent the
/// graph.
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
    if format == Format::Graphalytics {
        return graphalytics::write(graph, path);
    }
    output::write_whole(path, |out| {
        let put = || put_graph(graph, format, out).map_err(|error| unwritten(error, path, format));
        graph.while_unchanged(put)
    })
}

/// Writes a matrix to a file atomically, in `format` or the one that the extension indicates.
///
/// Fails as [`write_graph`] does. Graph formats represent square matrices only.
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
        let put =
            || put_matrix(matrix, format, out).map_err(|error| unwritten(error, path, format));
        matrix.while_unchanged(put)
    })
}

/// Writes a graph in a format to any writer: the counterpart of [`parse_graph`](super::parse_graph).
///
/// Fails if `out` does, or if the format cannot represent the graph.
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

/// Writes a matrix in a format to any writer; see [`print_graph`].
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

fn put_graph(graph: &Graph, format: Format, out: &mut dyn Write) -> Result<(), WriteError> {
    match format {
        Format::MatrixMarket => matrix_market::write(graph, out),
        Format::EdgeList => edge_list::write(graph, out),
        Format::Csv => csv::write(graph, b',', out),
        Format::Tsv => csv::write(graph, b'\t', out),
        Format::Dimacs => dimacs::write(graph, out),
        Format::Metis => metis::write(graph, out),
        Format::GraphMl => graphml::write(graph, out),
        Format::Gml => gml::write(graph, out),
        Format::GapEdges => gap_edges::write(graph, false, out),
        Format::GapWeightedEdges => gap_edges::write(graph, true, out),
        Format::GapGraph => gap_graph::write(graph, out),
        Format::GapWeightedGraph => gap_graph::write_weighted(graph, out),
        Format::Graphalytics => Err(WriteError::CannotHold(graphalytics::THREE_FILES.into())),
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
        _ => {
            let graph = matrix.to_graph().map_err(|error| match error {
                Error::NotSquare { rows, columns } => WriteError::CannotHold(format!(
                    "a matrix that is not square ({rows} × {columns})"
                )),
                other => WriteError::Graph(other),
            });
            put_graph(&graph?, format, out)
        }
    }
}

/// The requested format, or the one that the extension indicates.
fn format_of(path: &Path, requested: Option<Format>) -> Result<Format> {
    requested.or_else(|| Format::of_path(path)).ok_or_else(|| content::unknown(path))
}
