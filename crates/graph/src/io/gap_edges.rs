//! Edge lists of the GAP Benchmark Suite (<https://github.com/sbeamer/gapbs>): a line is a directed
//! edge of two vertices counted from 0 and, in `.wel`, a weight. The number of vertices is the
//! largest number plus one.

use std::io::Write;

use super::{
    edge_list::{Ends, Head},
    error::{ParseError, WriteError},
    limits::most_rows,
    lines::{put_number, write_edges},
    options::Progress,
    pairs::Lines,
};
use crate::{Graph, GraphBuilder, MAX_VERTICES, WeightType};

/// Reads a graph, with weights of a type if the format has them.
pub(super) fn read(
    bytes: &[u8],
    weights: Option<WeightType>,
    builder: &GraphBuilder,
    progress: Option<&dyn Progress>,
) -> Result<Graph, ParseError> {
    Ok(builder.build(head(bytes.len(), weights).read(bytes, progress)?.0)?)
}

/// The description of a text of `bytes` bytes.
pub(super) fn head(bytes: usize, weights: Option<WeightType>) -> Head {
    let ends = Ends::Below(most_rows(bytes).min(MAX_VERTICES));
    Head { edges_at: 0, undirected: false, lines: Lines::new(weights), ends }
}

/// Writes a graph, whose weights must be present or absent as the format requires; vertices are
/// counted from 0 regardless of their ids.
pub(super) fn write(
    graph: &Graph,
    has_weights: bool,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let cannot = |what: &str| Err(WriteError::CannotHold(what.into()));
    match (graph.weights(), has_weights) {
        (Some(_), false) => return cannot("weights; wel can"),
        (None, true) => return cannot("a graph without weights; el can"),
        _ => {}
    }
    let csr = graph.csr();
    if let Some(last) = graph.vertices().checked_sub(1)
        && csr.row_len(last) == 0
        && !csr.indices().contains(&last)
    {
        return cannot(
            "a graph whose last vertex has no edge, as only its edges tell the number of vertices",
        );
    }
    let put_end = |text: &mut Vec<u8>, vertex: u32| put_number(text, vertex.into());
    write_edges(graph, out, (b"", b' '), |vertex| csr.range(vertex), put_end)
}
