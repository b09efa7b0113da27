//! Writing edge lists.

use std::io::Write;

use crate::{
    Graph, VertexId, VertexIds, VertexNames,
    io::{
        error::WriteError,
        lines::{edges_once, put_number, put_weight, write_rows},
    },
    memory,
};

/// Writes a graph in its own ids, after a comment with what edges alone do not tell. Of an
/// undirected graph, each edge is written once.
pub(in crate::io) fn write(graph: &Graph, out: &mut dyn Write) -> Result<(), WriteError> {
    write!(out, "# equipoise vertices={}", graph.vertices())?;
    match graph.ids() {
        VertexIds::Dense { first } => write!(out, " first-id={first}")?,
        VertexIds::Table(_) => {}
        VertexIds::Names(names) => {
            check_names(names)?;
            write!(out, " names")?;
        }
    }
    if graph.is_undirected() {
        write!(out, " undirected")?;
    }
    if let Some(weights) = graph.weights() {
        write!(out, " weights={}", weights.type_name())?;
    }
    writeln!(out)?;
    if !matches!(graph.ids(), VertexIds::Dense { .. }) {
        memory::check("the vertices that have edges", graph.vertices().into())?;
        for (vertex, _) in (0..).zip(touched(graph)).filter(|(_, touched)| !touched) {
            let mut line = b"# vertex ".to_vec();
            put_id(&mut line, graph.ids().id(vertex));
            line.push(b'\n');
            out.write_all(&line)?;
        }
    }
    write_rows(graph.csr(), out, |vertex, text| {
        for edge in edges_once(graph, vertex) {
            put_id(text, graph.ids().id(vertex));
            text.push(b' ');
            put_id(text, graph.ids().id(graph.csr().indices()[edge]));
            if let Some(weights) = graph.weights() {
                put_weight(text, weights, edge);
            }
            text.push(b'\n');
        }
    })?;
    Ok(())
}

/// Fails where a name does not fit on a line.
fn check_names(names: &VertexNames) -> Result<(), WriteError> {
    let is_left_out = |name: &&str| name.is_empty() || name.contains(['\n', '\r']);
    match names.iter().find(is_left_out) {
        Some(name) => Err(WriteError::CannotHold(format!("{name:?} as the name of a vertex"))),
        None => Ok(()),
    }
}

/// Appends what a vertex is called: a name in quotes where it could be taken for something else.
fn put_id(text: &mut Vec<u8>, id: VertexId) {
    match id {
        VertexId::Number(number) => put_number(text, number),
        VertexId::Name(name) if is_word(name) => text.extend_from_slice(name.as_bytes()),
        VertexId::Name(name) => {
            text.push(b'"');
            text.extend_from_slice(name.replace('"', "\"\"").as_bytes());
            text.push(b'"');
        }
    }
}

fn is_word(name: &str) -> bool {
    let has_meaning = |letter: char| letter.is_control() || " \",;|".contains(letter);
    !name.starts_with(['#', '%', '{']) && !name.contains(has_meaning)
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
