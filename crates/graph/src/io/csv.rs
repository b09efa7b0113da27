//! Writes tables of edges with a header, as spreadsheets and pandas read them.
//! [`edge_list`](super::edge_list) reads them.

use std::io::Write;

use super::{
    edge_list::{check_names, touched},
    error::WriteError,
    format::Format,
    lines::{edges_once, put_number, put_quoted, write_edges},
    numeric_ids::number,
};
use crate::{Graph, Result, VertexId, VertexIds, memory};

/// Writes a graph with the ids of its vertices under a header; each undirected edge once.
pub(super) fn write(graph: &Graph, delimiter: u8, out: &mut dyn Write) -> Result<(), WriteError> {
    if let VertexIds::Names(names) = graph.ids() {
        check_names(names)?;
    }
    let header: &[&str] = match graph.weights() {
        None => &["source", "target"],
        Some(_) => &["source", "target", "weight"],
    };
    writeln!(out, "{}", header.join(&char::from(delimiter).to_string()))?;
    let put_end = |text: &mut Vec<u8>, vertex| put_id(text, graph.ids().id(vertex), delimiter);
    write_edges(graph, out, (b"", delimiter), |vertex| edges_once(graph, vertex), put_end)
}

/// Appends the id of a vertex, in quotes if it would be ambiguous without.
fn put_id(text: &mut Vec<u8>, id: VertexId, delimiter: u8) {
    match id {
        VertexId::Number(number) => put_number(text, number),
        VertexId::Name(name) if needs_no_quotes(name, delimiter) => {
            text.extend_from_slice(name.as_bytes());
        }
        VertexId::Name(name) => put_quoted(text, name),
    }
}

/// Whether a name reads back without quotes. Numerals are quoted: in a table of numbers, 7 and 07
/// would be equal.
fn needs_no_quotes(name: &str, delimiter: u8) -> bool {
    let has_meaning =
        |letter: char| letter.is_control() || letter == '"' || letter == char::from(delimiter);
    name.trim() == name
        && !name.starts_with(['#', '%', '{'])
        && !name.starts_with(|letter: char| letter.is_ascii_digit() || "+-.".contains(letter))
        && !name.contains(has_meaning)
}

/// One sentence per property of a graph that a format loses, though it keeps the edges. Empty for
/// all formats except tables with a header.
///
/// ```
/// use equipoise_graph::{Edges, GraphBuilder, io::{Format, losses}};
///
/// let graph = GraphBuilder::new().vertices(4).build(Edges::from(vec![(0, 1)]))?;
/// assert_eq!(losses(&graph, Format::Csv)?, ["csv has no place for the 2 vertices without an edge"]);
/// assert!(losses(&graph, Format::EdgeList)?.is_empty());
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn losses(graph: &Graph, format: Format) -> Result<Vec<String>> {
    let mut losses = Vec::new();
    if !matches!(format, Format::Csv | Format::Tsv) {
        return Ok(losses);
    }
    memory::check("the vertices that have edges", graph.vertices().into())?;
    match touched(graph).into_iter().filter(|touched| !touched).count() {
        0 => {}
        1 => losses.push(format!("{format} has no place for the vertex without an edge")),
        count => {
            losses.push(format!("{format} has no place for the {count} vertices without an edge"))
        }
    }
    if graph.is_undirected() {
        losses.push(format!(
            "{format} does not say that edges are undirected: whoever reads it has to"
        ));
    }
    if let VertexIds::Names(names) = graph.ids()
        && names.iter().all(|name| number(name.as_bytes()).is_some())
        && graph.edges() > 0
    {
        losses
            .push(format!("{format} does not say that these ids are names: they read as numbers"));
    }
    Ok(losses)
}
