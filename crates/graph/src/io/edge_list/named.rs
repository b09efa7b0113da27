//! Edges between vertices with names.

use std::fmt::Display;

use super::{
    header::Header,
    interner::Interner,
    interners::Interners,
    layout::Layout,
    piece::{Piece, Reader},
    ranks::Ranks,
};
use crate::{
    Edges, Error, MAX_VERTICES, Remedy, VertexIds, VertexNames, WeightType,
    io::{
        chunks::{self, concatenate},
        error::ParseError,
        listed::Named,
        numeric_ids::{number, numbered},
        options::{IdKind, Progress},
        pairs::Counted,
        weights::join,
    },
    memory::{self, bytes_of},
    parallel::*,
};

/// Reads all edges of a table. `weights` is the type of weights, if known; `without_edges` are
/// vertices that no edge names.
pub(super) fn read(
    bytes: &[u8],
    layout: &Layout,
    kind: IdKind,
    weights: WeightType,
    without_edges: &[Vec<u8>],
    progress: Option<&dyn Progress>,
) -> Result<Named, ParseError> {
    let text = Counted::new(bytes, layout.edges_at);
    let lines = text.lines();
    let weight_bytes = layout.weight.map_or(0, |_| weights.most_bytes());
    // All pieces exist next to the column that is concatenated.
    let column_bytes = weight_bytes.max(bytes_of::<u32>(1));
    check_memory(lines, Edges::memory_of(1, weight_bytes) + column_bytes)?;
    let reader = Reader { layout, kind, weights };
    let interners = Interners::default();
    let mut pieces = chunks::parse(bytes, text.pieces, progress, |scanner, most| {
        interners.with(|table, words| reader.read(scanner, most, table, words))
    })?;
    let tables = interners.into_list();
    let vertices = Vertices::new(&tables, layout, kind, without_edges)?;
    pieces.par_iter_mut().for_each(|piece| {
        let of_words = &vertices.of_words[vertices.first_words[piece.table]..];
        let ends = piece.sources.iter_mut().chain(&mut piece.targets);
        ends.for_each(|end| *end = of_words[*end as usize]);
    });
    let Vertices { ids, count, .. } = vertices;
    drop(tables);
    check_memory(lines, column_bytes)?;
    let (edges, without_weight) = joined(pieces, layout, weights)?;
    check_first_edge(layout, &edges, &ids)?;
    let assumed_weights = if edges.weights().is_some() { without_weight } else { 0 };
    Ok(Named { edges, ids, vertices: count, assumed_weights })
}

/// The edges of all pieces, and the number of those whose attributes have no weight.
fn joined(
    pieces: Vec<Piece>,
    layout: &Layout,
    weights: WeightType,
) -> Result<(Edges, u64), ParseError> {
    let (mut sources, mut targets, mut columns) = (Vec::new(), Vec::new(), Vec::new());
    let mut without_weight = 0;
    for piece in pieces {
        sources.push(piece.sources);
        targets.push(piece.targets);
        columns.extend(piece.weights);
        without_weight += piece.without_weight;
    }
    let (sources, targets) = (concatenate(sources), concatenate(targets));
    let has_weights =
        layout.weight.is_some() && (without_weight == 0 || without_weight < sources.len() as u64);
    let weights = has_weights.then(|| join(weights, columns)).transpose()?;
    Ok((Edges::new(sources, targets, weights)?, without_weight))
}

/// The vertices that words name.
struct Vertices {
    ids: VertexIds,
    count: u64,
    /// The vertex of each word of each table.
    of_words: Vec<u32>,
    /// The index of the first word of each table.
    first_words: Vec<usize>,
}

impl Vertices {
    /// Numbers vertices in ascending order of their names, or of their numbers.
    fn new(
        tables: &[Interner],
        layout: &Layout,
        kind: IdKind,
        without_edges: &[Vec<u8>],
    ) -> Result<Self, ParseError> {
        let count = tables.iter().map(Interner::len).sum::<usize>() + without_edges.len();
        memory::check(format_args!("listing {count} names"), bytes_of::<&[u8]>(count as u64))?;
        let mut words = Vec::with_capacity(count);
        let mut first_words = Vec::with_capacity(tables.len());
        for table in tables {
            first_words.push(words.len());
            words.extend(table.words());
        }
        words.extend(without_edges.iter().map(Vec::as_slice));
        let Ranks { distinct, ranks: mut of_words } = Ranks::new(&words)?;
        drop(words);
        let count = distinct.len() as u64;
        if count > MAX_VERTICES {
            return Err(Error::TooMany { what: "vertices", count }.into());
        }
        check_header(layout, &distinct)?;
        let (ids, order) = ids_of(&distinct, kind)?;
        if let Some(order) = order {
            of_words.par_iter_mut().for_each(|vertex| *vertex = order[*vertex as usize]);
        }
        Ok(Self { ids, count, of_words, first_words })
    }
}

/// Fails if the first line was taken for a header and edges name vertices that it names.
fn check_header(layout: &Layout, words: &[&[u8]]) -> Result<(), ParseError> {
    let is_named = |name: &&Vec<u8>| words.binary_search(&name.as_slice()).is_ok();
    let named = layout.header_ends.iter().find(is_named);
    match (named, &layout.header) {
        (Some(name), Header::Guessed(_)) => {
            let name = String::from_utf8_lossy(name);
            Err(header_or_edge(layout.header_at, format_args!("other lines name {name:?}, too")))
        }
        _ => Ok(()),
    }
}

/// Fails if the first line was taken for an edge, has no numbers, and no other line names its
/// vertices.
fn check_first_edge(layout: &Layout, edges: &Edges, ids: &VertexIds) -> Result<(), ParseError> {
    let (sources, targets) = (edges.sources(), edges.targets());
    let (Some(&source), Some(&target)) = (sources.first(), targets.first()) else { return Ok(()) };
    if layout.header != Header::Unlikely || source == target {
        return Ok(());
    }
    let others = sources[1..].par_iter().chain(&targets[1..]);
    if others.any(|&end| end == source || end == target) {
        return Ok(());
    }
    let [source, target] = [source, target].map(|end| ids.id(end).to_string());
    let why = format_args!("no other line names {source:?} or {target:?}");
    Err(header_or_edge(layout.edges_at, why))
}

fn header_or_edge(byte: usize, why: impl Display) -> ParseError {
    let message = format!("expected a header or an edge, found what may be either: {why}");
    ParseError::at_byte(byte, message).with_remedy(Remedy::Header)
}

/// Checks the memory for `lines` lines, without names.
fn check_memory(lines: u64, bytes_per_line: u64) -> Result<(), ParseError> {
    let what = format_args!("reading {lines} lines with names");
    Ok(memory::check(what, lines.saturating_mul(bytes_per_line))?)
}

/// The ids of vertices with these ascending words; for numbers, also the vertex of each word,
/// because numbers have another order.
fn ids_of(words: &[&[u8]], kind: IdKind) -> Result<(VertexIds, Option<Vec<u32>>), ParseError> {
    let count = words.len() as u64;
    let what = format_args!("numbering {count} vertices");
    let is_number = |word: &&[u8]| number(word).is_some();
    if kind == IdKind::Names || !words.par_iter().all(is_number) {
        let text: u64 = words.iter().map(|word| word.len() as u64).sum();
        memory::check(what, text.saturating_add(bytes_of::<u64>(count)))?;
        return Ok((VertexIds::Names(VertexNames::ascending(words)), None));
    }
    memory::check(what, bytes_of::<(u64, u64, u32)>(count))?;
    let numbers: Vec<u64> = words.par_iter().filter_map(|word| number(word)).collect();
    let mut sorted = numbers.clone();
    sorted.par_sort_unstable();
    let index = |number: &u64| sorted.partition_point(|other| other < number) as u32;
    let order = numbers.par_iter().map(index).collect();
    Ok((numbered(sorted), Some(order)))
}
