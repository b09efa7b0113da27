//! Writing graphs and matrices.

use std::io::Write;

use crate::{
    Graph, Matrix, Value, Weights,
    io::{
        error::WriteError,
        lines::{put_number, put_real, put_weight, write_rows},
    },
};

/// Writes a graph: undirected ones as the lower triangle of a symmetric matrix. The vertices are
/// numbered from 1, whatever their ids.
pub(in crate::io) fn write(graph: &Graph, out: &mut dyn Write) -> Result<(), WriteError> {
    let field = match graph.weights() {
        None => "pattern",
        Some(Weights::U32(_)) => "integer",
        Some(Weights::F32(_) | Weights::F64(_)) => "real",
    };
    let undirected = graph.is_undirected();
    let symmetry = if undirected { "symmetric" } else { "general" };
    // In an undirected graph, what is left out are the neighbours greater than the vertex.
    let written = |vertex: u32| match graph.neighbors(vertex) {
        neighbors if undirected => neighbors.partition_point(|&neighbor| neighbor <= vertex),
        neighbors => neighbors.len(),
    };
    let vertices = graph.vertices();
    let entries: u64 = match undirected {
        true => (0..vertices).map(|vertex| written(vertex) as u64).sum(),
        false => graph.edges(),
    };
    writeln!(out, "%%MatrixMarket matrix coordinate {field} {symmetry}")?;
    writeln!(out, "{vertices} {vertices} {entries}")?;
    write_rows(graph.csr(), out, |vertex, text| {
        for edge in graph.csr().range(vertex).take(written(vertex)) {
            put_position(text, vertex, graph.csr().indices()[edge]);
            if let Some(weights) = graph.weights() {
                put_weight(text, weights, edge);
            }
            text.push(b'\n');
        }
    })?;
    Ok(())
}

/// Writes a matrix.
pub(in crate::io) fn write_matrix<T: Value>(
    matrix: &Matrix<T>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    writeln!(out, "%%MatrixMarket matrix coordinate real general")?;
    writeln!(out, "{} {} {}", matrix.rows(), matrix.columns(), matrix.entries())?;
    write_rows(matrix.csr(), out, |row, text| {
        let (columns, values) = matrix.row(row);
        for (&column, &value) in columns.iter().zip(values) {
            put_position(text, row, column);
            text.push(b' ');
            put_real(text, value);
            text.push(b'\n');
        }
    })?;
    Ok(())
}

fn put_position(text: &mut Vec<u8>, row: u32, column: u32) {
    put_number(text, u64::from(row) + 1);
    text.push(b' ');
    put_number(text, u64::from(column) + 1);
}
