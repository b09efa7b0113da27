//! Shortest-path graphs of the ninth DIMACS challenge
//! (<http://www.diag.uniroma1.it/challenge9/format.shtml>).
//!
//! Lines that start with `c` are comments; `p sp N M` tells the numbers of vertices and edges;
//! each line `a U V W` is a directed edge with a weight, between vertices counted from 1. Weights
//! are whole numbers, or `f32`.

use std::io::Write;

use super::{
    Progress,
    chunks::{self, concatenate},
    error::{ParseError, WriteError},
    limits::{check_count, check_entries},
    lines::{put_number, put_weight, write_rows},
    pairs::{Columns, Counted},
    scan::Scanner,
    weights::{WeightColumn, WeightType, join},
};
use crate::{Edges, Graph, GraphBuilder, VertexIds, memory};

const COMMENTS: &[u8] = b"c";

/// What a file says before its edges.
pub(super) struct Header {
    pub vertices: u32,
    pub edges: u64,
    /// Where the line with these numbers is.
    pub line: usize,
    /// Where the edges start.
    pub edges_at: usize,
}

impl Header {
    /// Fails unless the file has as many edges as it says.
    pub fn check_count(&self, found: u64) -> Result<(), ParseError> {
        if found == self.edges {
            return Ok(());
        }
        let message = format!("expected {} edges, as this line says, found {found}", self.edges);
        Err(ParseError::At { byte: self.line, message })
    }
}

/// Reads a graph.
pub(super) fn read(
    bytes: &[u8],
    builder: &GraphBuilder,
    progress: Option<&dyn Progress>,
) -> Result<Graph, ParseError> {
    let header = read_header(bytes)?;
    let text = Counted::new(bytes, header.edges_at);
    text.check_memory::<u32>(true)?;
    let listed = Edges::memory_of(header.edges, true);
    let building = builder.memory_of(header.vertices.into(), header.edges, true);
    memory::check("reading it", listed.saturating_add(building))?;
    let columns = read_columns(text, header.vertices, progress)?;
    header.check_count(columns.sources.len() as u64)?;
    let weights = join(WeightType::Any, columns.weights)?;
    let edges = Edges::new(columns.sources, columns.targets, Some(weights))?;
    let ids = VertexIds::Dense { first: 1 };
    Ok(builder.clone().vertices(header.vertices.into()).ids(ids).build(edges)?)
}

/// Reads the edges of a part of a text, and leaves the type of their weights open.
pub(super) fn read_columns(
    text: Counted,
    vertices: u32,
    progress: Option<&dyn Progress>,
) -> Result<Columns<u32>, ParseError> {
    let parts = chunks::parse(text.bytes, text.pieces, progress, |scanner, most| {
        read_chunk(scanner, most, vertices)
    })?;
    let mut sources = Vec::with_capacity(parts.len());
    let mut targets = Vec::with_capacity(parts.len());
    let mut weights = Vec::with_capacity(parts.len());
    for part in parts {
        sources.push(part.sources);
        targets.push(part.targets);
        weights.push(part.weights);
    }
    Ok(Columns { sources: concatenate(sources), targets: concatenate(targets), weights })
}

/// Reads what a file says before its edges.
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
    let mut count = |what: &str| {
        scanner.skip_blanks();
        scanner.unsigned().ok_or_else(|| scanner.expected(what))
    };
    let vertices = count("the number of vertices")?;
    let edges = count("the number of edges")?;
    scanner.end_line()?;
    let vertices = check_count("vertices", vertices, bytes.len(), line)?;
    check_entries("edges", edges, scanner.remaining(), "a 1 1 1\n".len(), line)?;
    Ok(Header { vertices, edges, line, edges_at: scanner.position() })
}

struct Chunk {
    sources: Vec<u32>,
    targets: Vec<u32>,
    weights: WeightColumn,
}

fn read_chunk(mut scanner: Scanner, most: usize, vertices: u32) -> Result<Chunk, ParseError> {
    let mut sources = Vec::with_capacity(most);
    let mut targets = Vec::with_capacity(most);
    let mut weights = WeightColumn::with_capacity(WeightType::Any, most);
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
        scanner.end_line()?;
    }
    Ok(Chunk { sources, targets, weights })
}

/// Writes a graph with weights, its vertices counted from 1 whatever their ids.
pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> Result<(), WriteError> {
    let Some(weights) = graph.weights() else {
        return Err(WriteError::CannotHold("a graph without weights".into()));
    };
    writeln!(out, "p sp {} {}", graph.vertices(), graph.edges())?;
    write_rows(graph.csr(), out, |vertex, text| {
        for edge in graph.csr().range(vertex) {
            text.extend_from_slice(b"a ");
            put_number(text, u64::from(vertex) + 1);
            text.push(b' ');
            put_number(text, u64::from(graph.csr().indices()[edge]) + 1);
            put_weight(text, weights, edge);
            text.push(b'\n');
        }
    })?;
    Ok(())
}
