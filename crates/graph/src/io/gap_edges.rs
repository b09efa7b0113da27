//! Edge lists of the GAP Benchmark Suite (<https://github.com/sbeamer/gapbs>): a line is a
//! directed edge, two vertices counted from 0 and, in `.wel`, a weight. There are as many
//! vertices as the largest number needs.

use std::io::Write;

use super::{
    Progress,
    error::{ParseError, WriteError},
    limits::most_rows,
    lines::{put_number, put_weight, write_rows},
    pairs::{self, Counted, Lines},
    scan::Scanner,
    weights::WeightType,
};
use crate::{Edges, Graph, GraphBuilder, MAX_VERTICES};

/// Reads a graph without weights.
pub(super) fn read(
    bytes: &[u8],
    builder: &GraphBuilder,
    progress: Option<&dyn Progress>,
) -> Result<Graph, ParseError> {
    read_edges(bytes, None, builder, progress)
}

/// Reads a graph with weights: whole numbers, or `f32`.
pub(super) fn read_weighted(
    bytes: &[u8],
    builder: &GraphBuilder,
    progress: Option<&dyn Progress>,
) -> Result<Graph, ParseError> {
    read_edges(bytes, Some(WeightType::Any), builder, progress)
}

fn read_edges(
    bytes: &[u8],
    weights: Option<WeightType>,
    builder: &GraphBuilder,
    progress: Option<&dyn Progress>,
) -> Result<Graph, ParseError> {
    let lines = lines(weights);
    let most = most_vertices(bytes.len());
    let text = Counted::new(bytes, 0);
    let pairs = pairs::read(&text, &lines, progress, |scanner| vertex(scanner, most))?;
    Ok(builder.build(Edges::new(pairs.sources, pairs.targets, pairs.weights)?)?)
}

/// How the lines look.
pub(super) fn lines(weights: Option<WeightType>) -> Lines {
    Lines { comments: b"", weights, times: false }
}

/// The most vertices that a text of `bytes` bytes may have.
pub(super) fn most_vertices(bytes: usize) -> u64 {
    most_rows(bytes).min(MAX_VERTICES)
}

/// The vertex that stands here, which must be less than `most`.
#[inline(always)]
pub(super) fn vertex(scanner: &mut Scanner, most: u64) -> Result<u32, ParseError> {
    let start = *scanner;
    match scanner.unsigned() {
        Some(vertex) if vertex < most => Ok(vertex as u32),
        _ => Err(start.expected(format_args!(
            "a vertex from 0 to {}, which is as far as a file of this size may go",
            most - 1
        ))),
    }
}

/// Writes a graph without weights, its vertices counted from 0 whatever their ids.
pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> Result<(), WriteError> {
    match graph.weights() {
        None => write_edges(graph, out),
        Some(_) => Err(WriteError::CannotHold("weights; wel can".into())),
    }
}

/// Writes a graph with weights, its vertices counted from 0 whatever their ids.
pub(super) fn write_weighted(graph: &Graph, out: &mut dyn Write) -> Result<(), WriteError> {
    match graph.weights() {
        Some(_) => write_edges(graph, out),
        None => Err(WriteError::CannotHold("a graph without weights; el can".into())),
    }
}

fn write_edges(graph: &Graph, out: &mut dyn Write) -> Result<(), WriteError> {
    let csr = graph.csr();
    if let Some(last) = graph.vertices().checked_sub(1)
        && csr.row_len(last) == 0
        && !csr.indices().contains(&last)
    {
        let what = "a graph whose last vertex has no edge, as edges alone tell how many there are";
        return Err(WriteError::CannotHold(what.into()));
    }
    write_rows(csr, out, |vertex, text| {
        for edge in csr.range(vertex) {
            put_number(text, vertex.into());
            text.push(b' ');
            put_number(text, csr.indices()[edge].into());
            if let Some(weights) = graph.weights() {
                put_weight(text, weights, edge);
            }
            text.push(b'\n');
        }
    })?;
    Ok(())
}
