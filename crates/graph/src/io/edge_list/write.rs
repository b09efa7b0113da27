//! Writes edge lists.

use std::io::Write;

use crate::{
    Graph, VertexId, VertexIds, VertexNames,
    io::{
        error::WriteError,
        lines::{edges_once, put_number, put_quoted, write_edges},
    },
    memory,
};

/// Writes a graph with its ids, after a comment that states what edges alone do not show; each
/// undirected edge once.
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
    let put_end = |text: &mut Vec<u8>, vertex| put_id(text, graph.ids().id(vertex));
    write_edges(graph, out, (b"", b' '), |vertex| edges_once(graph, vertex), put_end)
}

/// Fails if a name does not fit on a line.
pub(in crate::io) fn check_names(names: &VertexNames) -> Result<(), WriteError> {
    let is_left_out = |name: &&str| name.is_empty() || name.contains(['\n', '\r']);
    match names.iter().find(is_left_out) {
        Some(name) => Err(WriteError::CannotHold(format!("{name:?} as the name of a vertex"))),
        None => Ok(()),
    }
}

/// Appends the id of a vertex; a name is quoted if it would be ambiguous without.
fn put_id(text: &mut Vec<u8>, id: VertexId) {
    match id {
        VertexId::Number(number) => put_number(text, number),
        VertexId::Name(name) if is_word(name) => text.extend_from_slice(name.as_bytes()),
        VertexId::Name(name) => put_quoted(text, name),
    }
}

fn is_word(name: &str) -> bool {
    let has_meaning = |letter: char| letter.is_control() || " \",;|".contains(letter);
    !name.starts_with(['#', '%', '{']) && !name.contains(has_meaning)
}

/// Whether each vertex has an edge, outgoing or incoming.
pub(in crate::io) fn touched(graph: &Graph) -> Vec<bool> {
    let mut touched: Vec<bool> =
        (0..graph.vertices()).map(|vertex| graph.degree(vertex) > 0).collect();
    for &target in graph.csr().indices() {
        touched[target as usize] = true;
    }
    touched
}
