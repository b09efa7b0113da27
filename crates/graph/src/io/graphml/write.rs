//! Writes GraphML.

use std::io::Write;

use crate::{
    Graph, VertexId, VertexIds, Weights,
    io::{
        error::WriteError,
        lines::{edges_once, put_number, put_weight, write_rows},
    },
};

const START: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" ",
    "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" ",
    "xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns ",
    "http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n",
);

/// Writes a graph with the ids of its vertices; each undirected edge once.
pub(in crate::io) fn write(graph: &Graph, out: &mut dyn Write) -> Result<(), WriteError> {
    check_names(graph.ids())?;
    out.write_all(START.as_bytes())?;
    if let Some(weights) = graph.weights() {
        let kind = match weights {
            Weights::U32(_) => "long",
            Weights::F32(_) => "float",
            Weights::F64(_) => "double",
        };
        writeln!(
            out,
            "  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"{kind}\"/>"
        )?;
    }
    let default = if graph.is_undirected() { "undirected" } else { "directed" };
    writeln!(out, "  <graph edgedefault=\"{default}\">")?;
    write_rows(graph.csr(), out, |vertex, text| {
        text.extend_from_slice(b"    <node id=\"");
        put_id(text, graph.ids().id(vertex));
        text.extend_from_slice(b"\"/>\n");
    })?;
    write_rows(graph.csr(), out, |vertex, text| {
        for edge in edges_once(graph, vertex) {
            text.extend_from_slice(b"    <edge source=\"");
            put_id(text, graph.ids().id(vertex));
            text.extend_from_slice(b"\" target=\"");
            put_id(text, graph.ids().id(graph.csr().indices()[edge]));
            match graph.weights() {
                None => text.extend_from_slice(b"\"/>\n"),
                Some(weights) => {
                    text.extend_from_slice(b"\"><data key=\"weight\">");
                    put_weight(text, weights, edge);
                    text.extend_from_slice(b"</data></edge>\n");
                }
            }
        }
    })?;
    Ok(out.write_all(b"  </graph>\n</graphml>\n")?)
}

/// Fails if a name cannot be represented in XML.
fn check_names(ids: &VertexIds) -> Result<(), WriteError> {
    let VertexIds::Names(names) = ids else { return Ok(()) };
    let is_left_out = |name: &&str| name.is_empty() || !name.chars().all(is_allowed_in_xml);
    match names.iter().find(is_left_out) {
        Some(name) => Err(WriteError::CannotHold(format!("{name:?} as the name of a vertex"))),
        None => Ok(()),
    }
}

/// Whether a document may contain a character, perhaps as a numeric reference.
fn is_allowed_in_xml(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// Appends a vertex's id as the value of an attribute.
fn put_id(text: &mut Vec<u8>, id: VertexId) {
    let name = match id {
        VertexId::Number(number) => return put_number(text, number),
        VertexId::Name(name) => name,
    };
    for byte in name.bytes() {
        match byte {
            b'&' => text.extend_from_slice(b"&amp;"),
            b'<' => text.extend_from_slice(b"&lt;"),
            b'>' => text.extend_from_slice(b"&gt;"),
            b'"' => text.extend_from_slice(b"&quot;"),
            // Otherwise a reader normalizes them to spaces.
            b'\t' | b'\n' | b'\r' => {
                text.extend_from_slice(b"&#");
                put_number(text, byte.into());
                text.push(b';');
            }
            _ => text.push(byte),
        }
    }
}
