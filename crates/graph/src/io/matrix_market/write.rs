//! Writes graphs and matrices.

use std::io::Write;

use crate::{
    Graph, Matrix, Value, Weights,
    io::{
        error::WriteError,
        lines::{put_from_1, put_real, write_edges, write_rows},
    },
};

/// Writes a graph, an undirected one as the lower triangle of a symmetric matrix. Vertices are
/// counted from 1 regardless of their ids.
pub(in crate::io) fn write(graph: &Graph, out: &mut dyn Write) -> Result<(), WriteError> {
    let field = match graph.weights() {
        None => "pattern",
        Some(Weights::U32(_)) => "integer",
        Some(Weights::F32(_) | Weights::F64(_)) => "real",
    };
    let undirected = graph.is_undirected();
    let symmetry = if undirected { "symmetric" } else { "general" };
    // For undirected graphs, neighbours greater than the vertex are omitted.
    let written = |vertex: u32| match graph.neighbors(vertex) {
        neighbors if undirected => neighbors.partition_point(|&neighbor| neighbor <= vertex),
        neighbors => neighbors.len(),
    };
    let vertices = graph.vertices();
    let entries: u64 = if undirected {
        (0..vertices).map(|vertex| written(vertex) as u64).sum()
    } else {
        graph.edges()
    };
    writeln!(out, "%%MatrixMarket matrix coordinate {field} {symmetry}")?;
    writeln!(out, "{vertices} {vertices} {entries}")?;
    let edges = |vertex| {
        let start = graph.csr().range(vertex).start;
        start..start + written(vertex)
    };
    write_edges(graph, out, (b"", b' '), edges, put_from_1)
}

pub(in crate::io) fn write_matrix<T: Value>(
    matrix: &Matrix<T>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    writeln!(out, "%%MatrixMarket matrix coordinate real general")?;
    writeln!(out, "{} {} {}", matrix.rows(), matrix.columns(), matrix.entries())?;
    write_rows(matrix.csr(), out, |row, text| {
        let (columns, values) = matrix.row(row);
        for (&column, &value) in columns.iter().zip(values) {
            put_from_1(text, row);
            text.push(b' ');
            put_from_1(text, column);
            text.push(b' ');
            put_real(text, value);
            text.push(b'\n');
        }
    })
}
