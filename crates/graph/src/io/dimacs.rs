//! Shortest-path graphs of the 9th DIMACS challenge
//! (<http://www.diag.uniroma1.it/challenge9/format.shtml>).
//!
//! Lines that start with `c` are comments; `p sp N M` gives the numbers of vertices and edges; each
//! line `a U V W` is a directed edge with a weight, between vertices counted from 1.

use std::io::Write;

use super::{
    chunks, commas,
    error::{ParseError, WriteError},
    limits::{check_count, check_entries, check_stated},
    lines::{put_from_1, write_edges},
    options::{Progress, ReadOptions},
    pairs::{Chunk, Columns, Counted},
    scan::Scanner,
    weights::{WeightColumn, join},
};
use crate::{Edges, Graph, GraphBuilder, VertexIds, WeightType, memory};

const COMMENTS: &[u8] = b"c";

/// The problem line of a file.
pub(super) struct Header {
    pub vertices: u32,
    pub edges: u64,
    /// The byte at which the problem line starts.
    pub line: usize,
    pub edges_at: usize,
}

impl Header {
    /// Fails unless the file has the number of edges that its problem line states.
    pub fn check_count(&self, found: u64) -> Result<(), ParseError> {
        check_stated("edges", self.edges, found, self.line)
    }
}

pub(super) fn read(
    bytes: &[u8],
    builder: &GraphBuilder,
    options: &ReadOptions,
) -> Result<Graph, ParseError> {
    let header = read_header(bytes)?;
    let text = Counted::new(bytes, header.edges_at);
    text.check_memory::<u32>(options.weights.most_bytes())?;
    // Edges beyond the stated number are reported later, and the builder checks its own memory.
    let weight_bytes = options.weights.or(WeightType::U32).most_bytes();
    let listed = Edges::memory_of(header.edges, weight_bytes);
    let building = builder.memory_of(header.vertices.into(), header.edges, weight_bytes);
    memory::check("reading it", listed.saturating_add(building))?;
    let columns = read_columns(text, header.vertices, options.weights, options.progress)?;
    header.check_count(columns.sources.len() as u64)?;
    let weights = join(options.weights, columns.weights)?;
    let edges = Edges::new(columns.sources, columns.targets, Some(weights))?;
    let ids = VertexIds::Dense { first: 1 };
    Ok(builder.clone().vertices(header.vertices.into()).ids(ids).build(edges)?)
}

/// Reads the edges of a part of a text, without fixing the type of their weights.
pub(super) fn read_columns(
    text: Counted,
    vertices: u32,
    weights: WeightType,
    progress: Option<&dyn Progress>,
) -> Result<Columns<u32>, ParseError> {
    let parts = chunks::parse(text.bytes, text.pieces, progress, |scanner, most| {
        read_chunk(scanner, most, vertices, weights)
    })?;
    Ok(Chunk::join(parts))
}

/// Reads the problem line and the comments before it.
pub(super) fn read_header(bytes: &[u8]) -> Result<Header, ParseError> {
    let mut scanner = Scanner::new(bytes, 0);
    scanner.next_line(COMMENTS);
    let line = scanner.position();
    for (word, expected) in
        [("p", "a line \"p sp VERTICES EDGES\""), ("sp", "\"sp\", as no other problem is read")]
    {
        scanner.skip_blanks();
        let start = scanner;
        if scanner.word() != word {
            return Err(start.expected(expected));
        }
    }
    let vertices = scanner.count("the number of vertices")?;
    let edges = scanner.count("the number of edges")?;
    scanner.end_line()?;
    let vertices = check_count("vertices", vertices, bytes.len(), line)?;
    check_entries("edges", edges, scanner.remaining(), "a 1 1 1\n".len(), line)?;
    Ok(Header { vertices, edges, line, edges_at: scanner.position() })
}

fn read_chunk(
    mut scanner: Scanner,
    most: usize,
    vertices: u32,
    weights: WeightType,
) -> Result<Chunk<u32>, ParseError> {
    let mut sources = Vec::with_capacity(most);
    let mut targets = Vec::with_capacity(most);
    let mut weights = WeightColumn::with_capacity(weights, most);
    while scanner.next_line(COMMENTS) {
        let start = scanner;
        if !(scanner.take(b'a') && (scanner.take(b' ') || scanner.take(b'\t'))) {
            return Err(start.expected("a line \"a FROM TO WEIGHT\""));
        }
        scanner.skip_blanks();
        sources.push(scanner.number_in(1..u64::from(vertices) + 1, "vertex")?);
        scanner.skip_blanks();
        targets.push(scanner.number_in(1..u64::from(vertices) + 1, "vertex")?);
        scanner.skip_blanks();
        weights.read(&mut scanner)?;
        commas::end_line(&mut scanner)?;
    }
    Ok(Chunk { sources, targets, weights: Some(weights) })
}

/// Writes a graph with weights; vertices are counted from 1 regardless of their ids.
pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> Result<(), WriteError> {
    if graph.weights().is_none() {
        return Err(WriteError::CannotHold("a graph without weights".into()));
    }
    writeln!(out, "p sp {} {}", graph.vertices(), graph.edges())?;
    write_edges(graph, out, (b"a ", b' '), |vertex| graph.csr().range(vertex), put_from_1)
}
