//! Writing edge lists.

use std::io::Write;

use crate::{
    Graph, VertexIds,
    io::{
        error::WriteError,
        lines::{put_number, put_weight, write_rows},
    },
    memory,
};

/// Writes a graph in its own ids, after a comment with what edges alone do not tell. Of an
/// undirected graph, each edge is written once.
pub(in crate::io) fn write(graph: &Graph, out: &mut dyn Write) -> Result<(), WriteError> {
    write!(out, "# equipoise vertices={}", graph.vertices())?;
    if let VertexIds::Dense { first } = graph.ids() {
        write!(out, " first-id={first}")?;
    }
    if graph.is_undirected() {
        write!(out, " undirected")?;
    }
    if let Some(weights) = graph.weights() {
        write!(out, " weights={}", weights.type_name())?;
    }
    writeln!(out)?;
    if let VertexIds::Table(ids) = graph.ids() {
        memory::check("the vertices that have edges", graph.vertices().into())?;
        for (id, _) in ids.iter().zip(touched(graph)).filter(|(_, touched)| !touched) {
            writeln!(out, "# vertex {id}")?;
        }
    }
    write_rows(graph.csr(), out, |vertex, text| {
        let left_out = match graph.is_undirected() {
            true => graph.neighbors(vertex).partition_point(|&neighbor| neighbor < vertex),
            false => 0,
        };
        for edge in graph.csr().range(vertex).skip(left_out) {
            put_number(text, graph.ids().id(vertex));
            text.push(b' ');
            put_number(text, graph.ids().id(graph.csr().indices()[edge]));
            if let Some(weights) = graph.weights() {
                put_weight(text, weights, edge);
            }
            text.push(b'\n');
        }
    })?;
    Ok(())
}

/// Whether each vertex has an edge, from it or to it.
fn touched(graph: &Graph) -> Vec<bool> {
    let mut touched: Vec<bool> =
        (0..graph.vertices()).map(|vertex| graph.degree(vertex) > 0).collect();
    for &target in graph.csr().indices() {
        touched[target as usize] = true;
    }
    touched
}
