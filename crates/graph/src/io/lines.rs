//! Fast text output: rows are formatted in parallel and written in order.

use std::{io::Write, ops::Range};

use super::error::WriteError;
use crate::{Csr, Graph, Value, Weights, memory, parallel::*};

const ENTRIES_PER_PIECE: u64 = 1 << 16;
const ROWS_PER_PIECE: u32 = 1 << 16;
/// The maximum length of two ids and a weight, doubled because a growing buffer may be half empty.
const MOST_BYTES_PER_ENTRY: u64 = 2 * (20 + 20 + 24 + 4);

/// Writes the text that `format` appends for each row, in order.
pub(super) fn write_rows(
    csr: &Csr,
    out: &mut dyn Write,
    format: impl Fn(u32, &mut Vec<u8>) + Sync,
) -> Result<(), WriteError> {
    let pieces = pieces(csr);
    for batch in pieces.chunks(4 * rayon::current_num_threads()) {
        check_memory(csr, batch)?;
        let texts: Vec<Vec<u8>> = batch
            .par_iter()
            .map(|rows| {
                let mut text = Vec::new();
                for row in rows.clone() {
                    format(row, &mut text);
                }
                text
            })
            .collect();
        for text in texts {
            out.write_all(&text)?;
        }
    }
    Ok(())
}

/// Checks the memory for the text of rows that are too long to be split into pieces.
fn check_memory(csr: &Csr, pieces: &[Range<u32>]) -> Result<(), WriteError> {
    let entries =
        |rows: &Range<u32>| csr.offsets()[rows.end as usize] - csr.offsets()[rows.start as usize];
    let long = pieces.iter().map(entries).filter(|&entries| entries > 2 * ENTRIES_PER_PIECE);
    let entries: u64 = long.sum();
    let what = format_args!("the text of a row of {entries} entries");
    Ok(memory::check(what, entries.saturating_mul(MOST_BYTES_PER_ENTRY))?)
}

/// Cuts the rows into ranges of about equal numbers of entries.
fn pieces(csr: &Csr) -> Vec<Range<u32>> {
    let offsets = csr.offsets();
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < csr.rows() {
        let longest = start.saturating_add(ROWS_PER_PIECE).min(csr.rows());
        let enough = offsets[start as usize] + ENTRIES_PER_PIECE;
        let within = &offsets[start as usize + 1..longest as usize];
        let end = start + 1 + within.partition_point(|&offset| offset < enough) as u32;
        pieces.push(start..end);
        start = end;
    }
    pieces
}

/// The edges of a vertex that are written if each undirected edge is written once.
pub(super) fn edges_once(graph: &Graph, vertex: u32) -> Range<usize> {
    let Range { start, end } = graph.csr().range(vertex);
    if graph.is_undirected() {
        start + graph.neighbors(vertex).partition_point(|&other| other < vertex)..end
    } else {
        start..end
    }
}

/// Writes a line per edge: `prefix`, its two ends by `put_end`, and its weight if it has one,
/// separated by `separator`. `edges` are the written edges of a vertex.
pub(super) fn write_edges(
    graph: &Graph,
    out: &mut dyn Write,
    (prefix, separator): (&[u8], u8),
    edges: impl Fn(u32) -> Range<usize> + Sync,
    put_end: impl Fn(&mut Vec<u8>, u32) + Sync,
) -> Result<(), WriteError> {
    write_rows(graph.csr(), out, |vertex, text| {
        for edge in edges(vertex) {
            if !prefix.is_empty() {
                text.extend_from_slice(prefix);
            }
            put_end(text, vertex);
            text.push(separator);
            put_end(text, graph.csr().indices()[edge]);
            if let Some(weights) = graph.weights() {
                text.push(separator);
                put_weight(text, weights, edge);
            }
            text.push(b'\n');
        }
    })
}

pub(super) fn put_number(text: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0u8; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.extend_from_slice(&digits[first..]);
}

pub(super) fn put_from_1(text: &mut Vec<u8>, vertex: u32) {
    put_number(text, u64::from(vertex) + 1);
}

/// Appends a name in quotes; quotes in it are doubled.
pub(super) fn put_quoted(text: &mut Vec<u8>, name: &str) {
    text.push(b'"');
    text.extend_from_slice(name.replace('"', "\"\"").as_bytes());
    text.push(b'"');
}

/// Appends the shortest text that reads back as the same number, with a point or an exponent, so
/// that it is not mistaken for a whole number.
pub(super) fn put_real<T: Value>(text: &mut Vec<u8>, number: T) {
    let written = write!(text, "{number:?}");
    debug_assert!(written.is_ok(), "a vector takes whatever is written to it");
}

pub(super) fn put_weight(text: &mut Vec<u8>, weights: &Weights, edge: usize) {
    match weights {
        Weights::U32(weights) => put_number(text, weights[edge].into()),
        Weights::F32(weights) => put_real(text, weights[edge]),
        Weights::F64(weights) => put_real(text, weights[edge]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edges, GraphBuilder};

    #[test]
    fn every_row_is_written_once_and_in_order() {
        let spread: Vec<(u32, u32)> = (0..300_000u32).map(|i| (i % 1000 * 200, i % 7)).collect();
        let graph = GraphBuilder::new().vertices(200_000).build(Edges::from(spread)).unwrap();
        assert!(pieces(graph.csr()).len() > 3);
        let mut text = Vec::new();
        write_rows(graph.csr(), &mut text, |row, text| {
            put_number(text, row.into());
            text.push(b'\n');
        })
        .unwrap();
        let expected: String = (0..200_000).map(|row| format!("{row}\n")).collect();
        assert!(text == expected.as_bytes());
    }

    #[test]
    fn numbers_are_written_as_the_standard_library_writes_them() {
        for number in [0, 7, 10, 4_294_967_295, u64::MAX] {
            let mut text = Vec::new();
            put_number(&mut text, number);
            assert_eq!(text, number.to_string().as_bytes());
        }
        let mut text = Vec::new();
        put_real(&mut text, 16_777_216f32);
        put_real(&mut text, -1e-30f64);
        assert_eq!(text, b"16777216.0-1e-30");
    }
}
