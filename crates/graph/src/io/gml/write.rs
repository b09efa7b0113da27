//! Writes GML.

use std::io::Write;

use crate::{
    Graph, Value, VertexId, VertexIds, Weights,
    io::{
        error::WriteError,
        lines::{edges_once, put_number, write_rows},
    },
};

/// Writes a graph with the ids of its vertices as labels; each undirected edge once.
pub(in crate::io) fn write(graph: &Graph, out: &mut dyn Write) -> Result<(), WriteError> {
    if let VertexIds::Names(names) = graph.ids()
        && names.iter().any(str::is_empty)
    {
        return Err(WriteError::CannotHold("\"\" as the name of a vertex".into()));
    }
    out.write_all(b"graph [\n")?;
    if !graph.is_undirected() {
        out.write_all(b"  directed 1\n")?;
    }
    // NetworkX rejects parallel edges without it.
    let is_parallel = |pair: &[u32]| pair[0] == pair[1];
    if (0..graph.vertices()).any(|vertex| graph.neighbors(vertex).windows(2).any(is_parallel)) {
        out.write_all(b"  multigraph 1\n")?;
    }
    write_rows(graph.csr(), out, |vertex, text| {
        text.extend_from_slice(b"  node [\n    id ");
        put_number(text, vertex.into());
        text.extend_from_slice(b"\n    label \"");
        put_label(text, graph.ids().id(vertex));
        text.extend_from_slice(b"\"\n  ]\n");
    })?;
    write_rows(graph.csr(), out, |vertex, text| {
        for edge in edges_once(graph, vertex) {
            text.extend_from_slice(b"  edge [\n    source ");
            put_number(text, vertex.into());
            text.extend_from_slice(b"\n    target ");
            put_number(text, graph.csr().indices()[edge].into());
            if let Some(weights) = graph.weights() {
                text.extend_from_slice(b"\n    weight ");
                match weights {
                    Weights::U32(weights) => put_number(text, weights[edge].into()),
                    Weights::F32(weights) => put_real(text, weights[edge]),
                    Weights::F64(weights) => put_real(text, weights[edge]),
                }
            }
            text.extend_from_slice(b"\n  ]\n");
        }
    })?;
    Ok(out.write_all(b"]\n")?)
}

/// Appends a vertex's id in ASCII: other characters as numeric references.
fn put_label(text: &mut Vec<u8>, id: VertexId) {
    let name = match id {
        VertexId::Number(number) => return put_number(text, number),
        VertexId::Name(name) => name,
    };
    for letter in name.chars() {
        match letter {
            ' '..='~' if !matches!(letter, '&' | '"') => text.push(letter as u8),
            _ => {
                text.extend_from_slice(b"&#");
                put_number(text, u32::from(letter).into());
                text.push(b';');
            }
        }
    }
}

/// Appends a number in GML's syntax: with a point even before an exponent, and a signed infinity.
fn put_real<T: Value>(text: &mut Vec<u8>, number: T) {
    let shortest = format!("{number:?}");
    let written = match (number.to_f64().is_finite(), shortest.split_once('e')) {
        (true, Some((digits, exponent))) if !digits.contains('.') => {
            format!("{digits}.0E{exponent}")
        }
        (true, _) => shortest.replace('e', "E"),
        (false, _) if number.to_f64() > 0.0 => "+INF".to_owned(),
        (false, _) => shortest.to_uppercase(),
    };
    text.extend_from_slice(written.as_bytes());
}
