//! Edges between vertices with names.

use std::{borrow::Cow, collections::HashMap, fmt::Display};

use super::{
    attributes,
    cells::{Cell, Cells, Rows},
    header::Header,
    layout::{Layout, WeightAt},
};
use crate::{
    Edges, Error, MAX_VERTICES, Remedy, VertexIds, VertexNames, WeightType,
    io::{
        chunks::{self, concatenate},
        commas,
        error::ParseError,
        listed::Named,
        numeric_ids::{number, numbered},
        options::{IdKind, Progress},
        pairs::Counted,
        scan::Scanner,
        weights::{MISSING_WEIGHT, WeightColumn, join},
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
    check_memory(text.lines() + without_edges.len() as u64)?;
    let parts = chunks::parse(bytes, text.pieces, progress, |scanner, most| {
        read_chunk(scanner, most, layout, kind, weights)
    })?;
    let listed = without_edges.iter().map(Vec::as_slice);
    let mut words: Vec<&[u8]> = parts.iter().flat_map(Chunk::words).chain(listed).collect();
    words.par_sort_unstable();
    words.dedup();
    let vertices = words.len() as u64;
    if vertices > MAX_VERTICES {
        return Err(Error::TooMany { what: "vertices", count: vertices }.into());
    }
    check_header(layout, &words)?;
    let (ids, order) = ids_of(&words, kind)?;
    // The vertex of each word of each piece, and so the vertices of its edges.
    let vertex = |word: &[u8]| {
        let index = words.partition_point(|&other| other < word) as u32;
        order.as_ref().map_or(index, |order| order[index as usize])
    };
    let ends: Vec<[Vec<u32>; 2]> = parts
        .par_iter()
        .map(|part| {
            let vertices: Vec<u32> = part.words().map(vertex).collect();
            [&part.sources, &part.targets]
                .map(|ends| ends.iter().map(|&word| vertices[word as usize]).collect())
        })
        .collect();
    let (sources, targets) = ends.into_iter().map(|[sources, targets]| (sources, targets)).unzip();
    let (sources, targets) = (concatenate(sources), concatenate(targets));
    check_first_edge(layout, &sources, &targets, &ids)?;
    let without_weight: u64 = parts.iter().map(|part| part.without_weight).sum();
    let columns = parts.into_iter().filter_map(|part| part.weights).collect();
    let has_weights =
        layout.weight.is_some() && (without_weight == 0 || without_weight < sources.len() as u64);
    let weights = has_weights.then(|| join(weights, columns)).transpose()?;
    let assumed_weights = if has_weights { without_weight } else { 0 };
    let edges = Edges::new(sources, targets, weights)?;
    Ok(Named { edges, ids, vertices, assumed_weights })
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
fn check_first_edge(
    layout: &Layout,
    sources: &[u32],
    targets: &[u32],
    ids: &VertexIds,
) -> Result<(), ParseError> {
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

/// Checks the memory for `lines` lines that each name two new vertices.
fn check_memory(lines: u64) -> Result<(), ParseError> {
    let words = bytes_of::<(Cow<[u8]>, u32, u64, &[u8])>(lines.saturating_mul(2));
    let edges = Edges::memory_of(lines, WeightType::Auto.most_bytes()).saturating_mul(2);
    let what = format_args!("reading {lines} lines with names");
    Ok(memory::check(what, words.saturating_add(edges))?)
}

/// The ids of vertices with these ascending words; for numbers, also the vertex of each word,
/// because numbers have another order.
fn ids_of(words: &[&[u8]], kind: IdKind) -> Result<(VertexIds, Option<Vec<u32>>), ParseError> {
    let numbers = || words.par_iter().map(|&word| number(word)).collect::<Option<Vec<u64>>>();
    let Some(numbers) = (kind != IdKind::Names).then(numbers).flatten() else {
        let names = words.iter().map(|word| std::str::from_utf8(word).unwrap_or_default());
        return Ok((VertexIds::Names(VertexNames::ascending(names)), None));
    };
    let mut sorted = numbers.clone();
    sorted.par_sort_unstable();
    let index = |number: &u64| sorted.partition_point(|other| other < number) as u32;
    let order = numbers.par_iter().map(index).collect();
    Ok((numbered(sorted), Some(order)))
}

/// The edges of a piece of a text, with its words numbered locally.
struct Chunk<'a> {
    words: Vec<Cow<'a, [u8]>>,
    sources: Vec<u32>,
    targets: Vec<u32>,
    weights: Option<WeightColumn>,
    /// The number of edges whose attributes have no weight.
    without_weight: u64,
}

impl Chunk<'_> {
    fn words(&self) -> impl Iterator<Item = &[u8]> {
        self.words.iter().map(AsRef::as_ref)
    }
}

/// The words of a piece of a text, each with its number. The map is randomly seeded, so that a file
/// cannot choose words that all collide.
type Words<'a> = HashMap<Cow<'a, [u8]>, u32>;

fn read_chunk<'a>(
    scanner: Scanner<'a>,
    most: usize,
    layout: &Layout,
    kind: IdKind,
    weight_type: WeightType,
) -> Result<Chunk<'a>, ParseError> {
    let mut words = Words::default();
    let (mut sources, mut targets) = (Vec::with_capacity(most), Vec::with_capacity(most));
    let mut weights = layout.weight.map(|_| WeightColumn::with_capacity(weight_type, most));
    let mut without_weight = 0;
    for (start, line) in Rows::new(scanner.bytes(), scanner.position()) {
        let behind = |error: ParseError| error.behind(start);
        let Row { ends: [source, target], weight } = read_line(line, layout).map_err(behind)?;
        sources.push(known(source, kind, &mut words).map_err(behind)?);
        targets.push(known(target, kind, &mut words).map_err(behind)?);
        if let Some(weights) = &mut weights {
            // Positions are absolute: some errors are reported only when all weights are known.
            let line_end = start + line.len();
            let text = Scanner::new(&scanner.bytes()[..line_end], start);
            without_weight += u64::from(!read_weight(text, weight, layout, weights)?);
        }
    }
    let mut listed: Vec<(Cow<[u8]>, u32)> = words.into_iter().collect();
    listed.sort_unstable_by_key(|&(_, number)| number);
    let words = listed.into_iter().map(|(word, _)| word).collect();
    Ok(Chunk { words, sources, targets, weights, without_weight })
}

/// The number of a cell's word, which may be new.
fn known<'a>(mut cell: Cell<'a>, kind: IdKind, words: &mut Words<'a>) -> Result<u32, ParseError> {
    if kind == IdKind::Numbers {
        cell.text = Cow::Owned(numeral(&cell)?);
    }
    if let Some(&number) = words.get(&cell.text) {
        return Ok(number);
    }
    if cell.text.is_empty() {
        return Err(ParseError::at_byte(cell.start, "expected a name, found an empty cell"));
    }
    if std::str::from_utf8(&cell.text).is_err() {
        return Err(ParseError::at_byte(cell.start, "expected a name in UTF-8, found other bytes"));
    }
    let number = words.len() as u32;
    words.insert(cell.text, number);
    Ok(number)
}

/// The digits of the number in a cell, without leading zeros.
fn numeral(cell: &Cell) -> Result<Vec<u8>, ParseError> {
    let mut scanner = Scanner::new(&cell.text, 0);
    match scanner.unsigned() {
        Some(number) if scanner.remaining() == 0 => Ok(number.to_string().into_bytes()),
        _ => Err(Scanner::new(&cell.text, 0)
            .expected("a vertex id of at most 64 bits")
            .behind(cell.start)),
    }
}

/// The relevant cells of a line. Positions are relative to the line's start.
struct Row<'a> {
    ends: [Cell<'a>; 2],
    weight: Option<Cell<'a>>,
}

/// Splits a line, which must have the number of cells of the first.
fn read_line<'a>(line: &'a [u8], layout: &Layout) -> Result<Row<'a>, ParseError> {
    let weight_at = layout.weight.map(WeightAt::column);
    let (mut source, mut target, mut weight) = (None, None, None);
    let mut found = 0;
    for (column, cell) in Cells::new(line, layout.delimiter).enumerate() {
        let cell = cell?;
        if column == layout.width {
            return Err(too_many(line, layout, &cell));
        }
        if column == layout.source {
            source = Some(cell.clone());
        }
        if column == layout.target {
            target = Some(cell.clone());
        }
        if Some(column) == weight_at {
            weight = Some(cell);
        }
        found = column + 1;
    }
    let missing = |column: usize, what: &str| {
        let message =
            format!("expected a {what} in column {}, found the end of the line", column + 1);
        ParseError::at_byte(line.len(), message)
    };
    let source = source.ok_or_else(|| missing(layout.source, "vertex"))?;
    let target = target.ok_or_else(|| missing(layout.target, "vertex"))?;
    if let (Some(column), None) = (weight_at, &weight) {
        return Err(missing(column, "weight"));
    }
    if found < layout.width {
        let message = format!("expected {}, found {found}", layout.expected_cells());
        return Err(ParseError::at_byte(line.len(), message));
    }
    Ok(Row { ends: [source, target], weight })
}

/// The error for a line with more cells than the first.
#[cold]
fn too_many(line: &[u8], layout: &Layout, cell: &Cell) -> ParseError {
    let count = Cells::new(line, layout.delimiter).count();
    let message = format!("expected {}, found {count}", layout.expected_cells());
    let error = ParseError::at_byte(cell.start, message);
    // The delimiter may be a comma within a number.
    let before = line[..cell.start].iter().rev().skip(1).take_while(|byte| byte.is_ascii_digit());
    let start = cell.start - 1 - before.count();
    commas::with_advice(error, &line[start..cell.start + cell.text.len()])
}

/// Adds the weight of the line at byte `line` to `weights`; false if the attributes have none, in
/// which case it is 1.
fn read_weight(
    line: Scanner,
    cell: Option<Cell>,
    layout: &Layout,
    weights: &mut WeightColumn,
) -> Result<bool, ParseError> {
    let Some(cell) = cell else { return Ok(true) };
    let (bytes, start) = (line.bytes(), line.position() + cell.start);
    if let Some(WeightAt::Attributes(_)) = layout.weight {
        let text = attributes::weight(bytes, start);
        weights.read(&mut text.unwrap_or(Scanner::new(MISSING_WEIGHT, 0)))?;
        return Ok(text.is_some());
    }
    let mut text = Scanner::new(&bytes[..start + cell.text.len()], start);
    let with_advice = |error| commas::with_advice(error, &cell.text);
    if cell.text.is_empty() {
        return Err(ParseError::at_byte(start, "expected a weight, found an empty cell"));
    }
    weights.read(&mut text).map_err(with_advice)?;
    match text.remaining() {
        0 => Ok(true),
        _ => Err(with_advice(text.expected("the end of the cell"))),
    }
}
