//! Edges between vertices that are called by any words.

use std::{borrow::Cow, collections::HashMap};

use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3DefaultBuilder;

use super::{
    cells::{Cell, Cells, Rows},
    layout::{Layout, WEIGHT_KEYS, WeightAt},
    numbered,
};
use crate::{
    Edges, Error, MAX_VERTICES, VertexIds, VertexNames,
    io::{
        IdKind, Progress,
        chunks::{self, concatenate},
        error::ParseError,
        pairs::Counted,
        scan::Scanner,
        weights::{WeightColumn, WeightType, join},
    },
    memory::{self, bytes_of},
};

/// Edges between vertices counted from 0, in the order of their names, and these.
pub(super) struct Named {
    pub edges: Edges,
    pub ids: VertexIds,
    pub vertices: u64,
}

/// Reads all edges of a table. `weights` are of a type if it is known; `without_edges` are vertices
/// that no edge names.
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
        read_chunk(scanner, most, layout, weights)
    })?;
    let listed = without_edges.iter().map(Vec::as_slice);
    let mut words: Vec<&[u8]> = parts.iter().flat_map(Chunk::words).chain(listed).collect();
    words.par_sort_unstable();
    words.dedup();
    let vertices = words.len() as u64;
    if vertices > MAX_VERTICES {
        return Err(Error::TooMany { what: "vertices", count: vertices }.into());
    }
    let (ids, order) = named(&words, kind)?;
    // The vertex of each word of each part, and so the vertices of its edges.
    let vertex = |word: &[u8]| {
        let place = words.partition_point(|&other| other < word) as u32;
        order.as_ref().map_or(place, |order| order[place as usize])
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
    let columns = parts.into_iter().filter_map(|part| part.weights).collect();
    let weights = layout.weight.map(|_| join(weights, columns)).transpose()?;
    let edges = Edges::new(concatenate(sources), concatenate(targets), weights)?;
    Ok(Named { edges, ids, vertices })
}

/// Whether there is memory for so many lines of which each names two vertices that no other does.
fn check_memory(lines: u64) -> Result<(), ParseError> {
    let words = bytes_of::<(Cow<[u8]>, u32, u64, &[u8])>(lines.saturating_mul(2));
    let edges = Edges::memory_of(lines, true).saturating_mul(2);
    let what = format_args!("reading {lines} lines with names");
    Ok(memory::check(what, words.saturating_add(edges))?)
}

/// What ascending words call the vertices; where these are numbers, also the vertex of each word, as
/// numbers ascend otherwise.
fn named(words: &[&[u8]], kind: IdKind) -> Result<(VertexIds, Option<Vec<u32>>), ParseError> {
    let numbers = || words.par_iter().map(|&word| number(word)).collect::<Option<Vec<u64>>>();
    let Some(numbers) = (kind == IdKind::Auto).then(numbers).flatten() else {
        let names = words.iter().map(|word| std::str::from_utf8(word).unwrap_or_default());
        return Ok((VertexIds::Names(VertexNames::ascending(names)), None));
    };
    let mut sorted = numbers.clone();
    sorted.par_sort_unstable();
    let place = |number: &u64| sorted.partition_point(|other| other < number) as u32;
    let order = numbers.par_iter().map(place).collect();
    Ok((numbered(sorted), Some(order)))
}

/// The number whose digits a word is: 7, but not 07.
pub(in crate::io) fn number(word: &[u8]) -> Option<u64> {
    match word {
        [b'0'] => Some(0),
        [b'1'..=b'9', ..] => std::str::from_utf8(word).ok()?.parse().ok(),
        _ => None,
    }
}

/// The edges of a piece of a text, between its words as they are numbered there.
struct Chunk<'a> {
    words: Vec<Cow<'a, [u8]>>,
    sources: Vec<u32>,
    targets: Vec<u32>,
    weights: Option<WeightColumn>,
}

impl Chunk<'_> {
    fn words(&self) -> impl Iterator<Item = &[u8]> {
        self.words.iter().map(AsRef::as_ref)
    }
}

/// The words of a piece of a text, each with its number.
type Words<'a> = HashMap<Cow<'a, [u8]>, u32, Xxh3DefaultBuilder>;

fn read_chunk<'a>(
    scanner: Scanner<'a>,
    most: usize,
    layout: &Layout,
    weight_type: WeightType,
) -> Result<Chunk<'a>, ParseError> {
    let mut words = Words::default();
    let (mut sources, mut targets) = (Vec::with_capacity(most), Vec::with_capacity(most));
    let mut weights = layout.weight.map(|_| WeightColumn::with_capacity(weight_type, most));
    for (start, line) in Rows::new(scanner.bytes(), scanner.position()) {
        let edge = read_line(line, layout, weights.as_mut());
        let [source, target] = edge
            .and_then(|[source, target]| {
                Ok([known(source, &mut words)?, known(target, &mut words)?])
            })
            .map_err(|error| error.behind(start))?;
        sources.push(source);
        targets.push(target);
    }
    let mut listed: Vec<(Cow<[u8]>, u32)> = words.into_iter().collect();
    listed.sort_unstable_by_key(|&(_, number)| number);
    let words = listed.into_iter().map(|(word, _)| word).collect();
    Ok(Chunk { words, sources, targets, weights })
}

/// The number of a cell's word, which may be a new one.
fn known<'a>(cell: Cell<'a>, words: &mut Words<'a>) -> Result<u32, ParseError> {
    if let Some(&number) = words.get(&cell.text) {
        return Ok(number);
    }
    if cell.text.is_empty() {
        let message = "expected a name, found an empty cell".into();
        return Err(ParseError::At { byte: cell.start, message });
    }
    if std::str::from_utf8(&cell.text).is_err() {
        let message = "expected a name in UTF-8, found other bytes".into();
        return Err(ParseError::At { byte: cell.start, message });
    }
    let number = words.len() as u32;
    words.insert(cell.text, number);
    Ok(number)
}

/// The two ends of a line's edge; its weight is added to `weights`. Places are from the line's start.
fn read_line<'a>(
    line: &'a [u8],
    layout: &Layout,
    weights: Option<&mut WeightColumn>,
) -> Result<[Cell<'a>; 2], ParseError> {
    let weight_at = match layout.weight {
        Some(WeightAt::Column(column) | WeightAt::Attributes(column)) => Some(column),
        None => None,
    };
    let (mut source, mut target, mut weight) = (None, None, None);
    for (column, cell) in Cells::new(line, layout.delimiter).enumerate() {
        let cell = cell?;
        if column == layout.source {
            source = Some(cell.clone());
        }
        if column == layout.target {
            target = Some(cell.clone());
        }
        if Some(column) == weight_at {
            weight = Some(cell);
        }
        let found_all = source.is_some() && target.is_some();
        if found_all && (weight_at.is_none() || weight.is_some()) {
            break;
        }
    }
    let missing = |column: usize, what: &str| {
        let message =
            format!("expected a {what} in column {}, found the end of the line", column + 1);
        ParseError::At { byte: line.len(), message }
    };
    if let Some(weights) = weights {
        let column = weight_at.unwrap_or_default();
        let cell = weight.ok_or_else(|| missing(column, "weight"))?;
        let mut scanner = match layout.weight {
            Some(WeightAt::Attributes(_)) => weight_attribute(line, cell.start)?,
            _ => Scanner::new(&line[..cell.start + cell.text.len()], cell.start),
        };
        weights.read(&mut scanner)?;
        if scanner.remaining() > 0 && matches!(layout.weight, Some(WeightAt::Column(_))) {
            return Err(scanner.expected("the end of the cell"));
        }
    }
    let source = source.ok_or_else(|| missing(layout.source, "vertex"))?;
    let target = target.ok_or_else(|| missing(layout.target, "vertex"))?;
    Ok([source, target])
}

/// Where the number behind `'weight':` is among the attributes that start in a line.
fn weight_attribute(line: &[u8], start: usize) -> Result<Scanner<'_>, ParseError> {
    let attributes = &line[start..];
    let key = WEIGHT_KEYS.iter().find_map(|key| {
        let place = attributes.windows(key.len()).position(|part| part == key.as_bytes())?;
        Some(start + place + key.len())
    });
    let Some(from) = key else {
        let message = "expected a 'weight' among the attributes, as the first edge has".into();
        return Err(ParseError::At { byte: start, message });
    };
    let end = line[from..].iter().position(|byte| b",}".contains(byte));
    let mut scanner = Scanner::new(&line[..end.map_or(line.len(), |end| from + end)], from);
    scanner.skip_blanks();
    Ok(scanner)
}
