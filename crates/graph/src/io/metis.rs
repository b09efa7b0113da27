//! METIS adjacency lists (<https://github.com/KarypisLab/METIS>).
//!
//! The first line is `N M [FMT [NCON]]`: the numbers of vertices and of undirected edges, and the
//! kinds of weights. Each further line has the neighbours of the next vertex, counted from 1, each
//! with its edge's weight if the last digit of FMT is 1. They are preceded by the vertex's size
//! (first digit) and its NCON weights (second digit), which are skipped. Lines that start with `%`
//! are comments; a line may be empty.

use std::io::Write;

use super::{
    chunks::{self, Pieces, concatenate},
    commas,
    error::{ParseError, WriteError},
    limits::{check_count, check_entries, check_stated},
    lines::{put_from_1, put_weight, write_rows},
    options::Progress,
    scan::Scanner,
    weights::{WeightColumn, join},
};
use crate::{
    Edges, Graph, GraphBuilder, VertexIds, WeightType, Weights,
    memory::{self, bytes_of},
    symmetry::find_one_way_edge,
};

struct Header {
    vertices: u32,
    edges: u64,
    /// The number of numbers before the neighbours of each vertex.
    skipped: u64,
    weights: bool,
    /// The byte at which the header line starts.
    line: usize,
    vertices_at: usize,
}

pub(super) fn read(
    bytes: &[u8],
    builder: &GraphBuilder,
    progress: Option<&dyn Progress>,
) -> Result<Graph, ParseError> {
    let header = read_header(bytes)?;
    let pieces = chunks::count(bytes, header.vertices_at, |scanner| Counts {
        lines: scanner.lines(),
        words: scanner.words(),
    });
    check_memory(&pieces, &header, builder)?;
    let parts =
        chunks::parse(bytes, pieces, progress, |scanner, most| read_chunk(scanner, most, &header))?;
    let mut degrees = Vec::with_capacity(parts.len());
    let mut targets = Vec::with_capacity(parts.len());
    let mut weights = Vec::with_capacity(parts.len());
    for part in parts {
        degrees.push(part.degrees);
        targets.push(part.targets);
        weights.extend(part.weights);
    }
    let targets = concatenate(targets);
    let sources = sources(&concatenate(degrees), &targets, bytes, &header)?;
    let weights = header.weights.then(|| join(WeightType::U32, weights)).transpose()?;
    let ids = VertexIds::Dense { first: 1 };
    let builder = builder.clone().vertices(header.vertices.into()).ids(ids.clone());
    // Each edge is listed at both ends, so both directions already exist.
    let listed = builder.undirected(false).build(Edges::new(sources, targets, weights)?)?;
    if let Some((source, target)) = find_one_way_edge(listed.csr(), listed.weights()) {
        let (source_id, target_id) = (ids.id(source), ids.id(target));
        return Err(ParseError::at_byte(
            line_of_vertex(bytes, &header, source),
            format!(
                "expected vertex {target_id} to list {source_id} as often and with the same weight \
             as {source_id} lists it"
            ),
        ));
    }
    let weights = listed.weights().cloned();
    Ok(Graph::from_parts(listed.csr().clone(), weights, true).with_ids(ids)?)
}

fn read_header(bytes: &[u8]) -> Result<Header, ParseError> {
    let mut scanner = Scanner::new(bytes, 0);
    scanner.next_line(b"%");
    let line = scanner.position();
    let vertices = scanner.count("the number of vertices")?;
    let edges = scanner.count("the number of edges")?;
    scanner.skip_blanks();
    let start = scanner;
    let format = scanner.word();
    let flag = |digit: usize| format.bytes().rev().nth(digit) == Some(b'1');
    if format.len() > 3 || !format.bytes().all(|digit| matches!(digit, b'0' | b'1')) {
        return Err(start.expected("a format of up to three digits 0 or 1"));
    }
    let (weights, vertex_weights, sizes) = (flag(0), flag(1), flag(2));
    let constraints =
        if scanner.at_line_end() { 1 } else { scanner.count("the number of weights")? };
    scanner.end_line()?;
    let rest = scanner.remaining();
    let vertices = check_count("vertices", vertices, bytes.len(), line)?;
    check_entries("lines of vertices", vertices.into(), rest, "\n".len(), line)?;
    let least = if weights { "2 1 1 1\n" } else { "2 1\n" }.len();
    check_entries("edges", edges, rest, least, line)?;
    let skipped = u64::from(sizes).saturating_add(if vertex_weights { constraints } else { 0 });
    let vertices_at = scanner.position();
    Ok(Header { vertices, edges, skipped, weights, line, vertices_at })
}

/// The contents of a piece of the text.
struct Counts {
    lines: usize,
    words: usize,
}

impl Counts {
    /// An upper bound on the number of neighbours.
    fn neighbors(&self, header: &Header) -> usize {
        if header.weights { self.words / 2 + 1 } else { self.words }
    }
}

/// Checks the memory to read and build the graph. The pieces are duplicated when they are
/// concatenated.
fn check_memory(
    pieces: &Pieces<Counts>,
    header: &Header,
    builder: &GraphBuilder,
) -> crate::Result<()> {
    let lines: u64 = pieces.iter().map(|(_, counts)| counts.lines as u64).sum();
    let neighbors = pieces.iter().map(|(_, counts)| counts.neighbors(header) as u64).sum();
    let weight_bytes = if header.weights { WeightType::U32.most_bytes() } else { 0 };
    let parsed = Edges::memory_of(neighbors, weight_bytes);
    let reading = parsed.saturating_add(bytes_of::<[usize; 2]>(lines));
    let listed = header.edges.saturating_mul(2);
    let builder = builder.clone().undirected(false);
    let building = builder.memory_of(header.vertices.into(), listed, weight_bytes);
    let building = Edges::memory_of(listed, weight_bytes).saturating_add(building);
    memory::check("reading it", reading.max(building))
}

/// Consecutive vertices.
struct Chunk {
    degrees: Vec<usize>,
    targets: Vec<u32>,
    weights: Option<WeightColumn>,
}

fn read_chunk(mut scanner: Scanner, counts: Counts, header: &Header) -> Result<Chunk, ParseError> {
    let most = counts.neighbors(header);
    let mut degrees = Vec::with_capacity(counts.lines);
    let mut targets = Vec::with_capacity(most);
    let mut weights = header.weights.then(|| WeightColumn::with_capacity(WeightType::U32, most));
    while scanner.remaining() > 0 {
        scanner.skip_blanks();
        if scanner.take(b'%') {
            scanner.rest_of_line();
            continue;
        }
        let before = targets.len();
        if !scanner.at_line_end() {
            skip_numbers(&mut scanner, header.skipped)?;
        }
        while !scanner.at_line_end() {
            let start = scanner;
            let neighbor = scanner.number_in(1..u64::from(header.vertices) + 1, "neighbour");
            targets.push(neighbor.map_err(|error| commas::with_advice_at(error, start))?);
            if let Some(weights) = &mut weights {
                scanner.skip_blanks();
                weights.read(&mut scanner)?;
            }
        }
        scanner.end_line()?;
        degrees.push(targets.len() - before);
    }
    Ok(Chunk { degrees, targets, weights })
}

fn skip_numbers(scanner: &mut Scanner, count: u64) -> Result<(), ParseError> {
    for _ in 0..count {
        scanner.count("the weight or size of a vertex")?;
    }
    Ok(())
}

/// The vertex that lists each target. Fails unless the numbers of vertices and edges are as stated.
fn sources(
    degrees: &[usize],
    targets: &[u32],
    bytes: &[u8],
    header: &Header,
) -> Result<Vec<u32>, ParseError> {
    let vertices = header.vertices as usize;
    let wrong = |byte: usize, message: String| Err(ParseError::at_byte(byte, message));
    if degrees.len() < vertices {
        let (stated, found) = (vertices as u64, degrees.len() as u64);
        check_stated("lines of vertices", stated, found, header.line)?;
    }
    let (degrees, surplus) = degrees.split_at(vertices);
    if let Some(extra) = surplus.iter().position(|&degree| degree > 0) {
        let line = line_of_vertex(bytes, header, (vertices + extra) as u32);
        return wrong(line, format!("expected no more than {vertices} lines of vertices"));
    }
    if targets.len() as u64 != 2 * header.edges {
        return wrong(
            header.line,
            format!(
                "expected {} neighbours in all, two for each of {} edges, found {}",
                2 * header.edges,
                header.edges,
                targets.len()
            ),
        );
    }
    let mut sources = Vec::with_capacity(targets.len());
    for (vertex, &degree) in degrees.iter().enumerate() {
        sources.extend(std::iter::repeat_n(vertex as u32, degree));
    }
    if let Some(edge) = (0..targets.len()).find(|&edge| sources[edge] == targets[edge]) {
        let line = line_of_vertex(bytes, header, sources[edge]);
        let vertex = sources[edge] + 1;
        return wrong(line, format!("expected neighbours other than vertex {vertex} itself"));
    }
    Ok(sources)
}

/// The byte at which the line of a vertex starts.
fn line_of_vertex(bytes: &[u8], header: &Header, vertex: u32) -> usize {
    let mut scanner = Scanner::new(bytes, header.vertices_at);
    let mut before = 0;
    loop {
        let start = scanner.position();
        scanner.skip_blanks();
        let comment = scanner.take(b'%');
        if !comment && before == vertex || scanner.remaining() == 0 {
            return start;
        }
        before += u32::from(!comment);
        scanner.rest_of_line();
    }
}

/// Writes an undirected graph without self-loops; vertices are counted from 1 regardless of their
/// ids.
pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> Result<(), WriteError> {
    let cannot = |what: &str| Err(WriteError::CannotHold(what.into()));
    if !graph.is_undirected() {
        return cannot("a directed graph");
    }
    if matches!(graph.weights(), Some(Weights::F32(_) | Weights::F64(_))) {
        return cannot("weights that are not whole numbers");
    }
    let has_loop = |vertex| graph.neighbors(vertex).binary_search(&vertex).is_ok();
    if (0..graph.vertices()).any(has_loop) {
        return cannot("a self-loop");
    }
    let format = if graph.weights().is_some() { " 001" } else { "" };
    writeln!(out, "{} {}{format}", graph.vertices(), graph.edges() / 2)?;
    write_rows(graph.csr(), out, |vertex, text| {
        for (index, edge) in graph.csr().range(vertex).enumerate() {
            if index > 0 {
                text.push(b' ');
            }
            put_from_1(text, graph.csr().indices()[edge]);
            if let Some(weights) = graph.weights() {
                text.push(b' ');
                put_weight(text, weights, edge);
            }
        }
        text.push(b'\n');
    })
}
