//! Graphs of files that list vertices and edges one by one: vertices by words, edges with attributes.

mod told;
mod words;

use std::borrow::Cow;

use super::{
    IdKind, TableOptions,
    error::ParseError,
    scan::Scanner,
    weights::{WeightColumn, WeightType, join},
};
use crate::{
    Edges, Error, MAX_VERTICES, VertexIds,
    memory::{self, bytes_of},
};
use words::{Words, in_order};

pub(super) use told::Told;

/// The attribute that is the weight of an edge where nobody says another.
const WEIGHT: &str = "weight";

/// Which attribute of edges is their weight.
#[derive(Clone, Copy)]
pub(super) struct WeightName<'o> {
    pub name: &'o str,
    /// Whether it was asked for, so that it has to be there.
    pub is_asked: bool,
}

impl<'o> WeightName<'o> {
    /// The attribute that the options name, if any is wanted. Fails where they ask for other ends of an
    /// edge than it has.
    pub fn of(options: &TableOptions<'o>) -> Result<Option<Self>, ParseError> {
        let Some(columns) = options.columns else {
            return Ok(Some(Self { name: WEIGHT, is_asked: false }));
        };
        for (column, end) in columns.iter().zip(["source", "target"]) {
            if column != end {
                return Err(ParseError::Whole(format!(
                    "there is no column `{column}`: an edge has `source` and `target`, in this order, \
                     and attributes, of which a third column names its weight"
                )));
            }
        }
        Ok(columns.get(2).map(|name| Self { name, is_asked: true }))
    }
}

/// How much a file lists at most.
pub(super) struct Counts {
    pub vertices: usize,
    pub edges: usize,
    /// Whether edges may have weights, and what is known of these.
    pub weights: Option<WeightType>,
    /// The bytes that its reader takes beside: words that are not as they stand in the file, and what
    /// only its format has.
    pub beside: u64,
}

/// What was read of a file so far.
pub(super) struct Listed<'a, 'o> {
    words: Words<'a>,
    sources: Vec<u32>,
    targets: Vec<u32>,
    weights: Option<WeightColumn>,
    weight_name: Option<WeightName<'o>>,
    /// The place of the first edge without a weight.
    without_weight: Option<usize>,
}

/// Edges between vertices counted from 0, in the order of their ids, and these.
pub(super) struct Named {
    pub edges: Edges,
    pub ids: VertexIds,
    pub vertices: u64,
}

impl<'a, 'o> Listed<'a, 'o> {
    /// Takes room for a file. Fails where there is not enough memory.
    pub fn new(counts: &Counts, weight_name: Option<WeightName<'o>>) -> Result<Self, ParseError> {
        let (vertices, edges) = (counts.vertices as u64, counts.edges as u64);
        if vertices > MAX_VERTICES {
            return Err(Error::TooMany { what: "vertices", count: vertices }.into());
        }
        // Weights whose type shows late are there in both types for a moment.
        let weights = match counts.weights {
            None => 0,
            Some(WeightType::Any) => bytes_of::<[u32; 2]>(edges),
            Some(WeightType::U32 | WeightType::F32) => bytes_of::<u32>(edges),
            Some(WeightType::F64) => bytes_of::<u64>(edges),
        };
        let bytes = Words::memory_of(vertices)
            .saturating_add(counts.beside)
            .saturating_add(Edges::memory_of(edges, false))
            .saturating_add(weights);
        let what = format_args!("reading {vertices} vertices and {edges} edges");
        memory::check(what, bytes)?;
        let column = |kind| WeightColumn::with_capacity(kind, counts.edges);
        Ok(Self {
            words: Words::with_capacity(counts.vertices),
            sources: Vec::with_capacity(counts.edges),
            targets: Vec::with_capacity(counts.edges),
            weights: counts.weights.map(column),
            weight_name,
            without_weight: None,
        })
    }

    /// How many vertices there are so far.
    pub fn vertices(&self) -> usize {
        self.words.len()
    }

    /// Adds a vertex and gives its number, if the file is right so far.
    pub fn vertex(&mut self, word: Cow<'a, str>, at: usize) -> Result<Option<u32>, ParseError> {
        self.words.declare(word, at)
    }

    /// Adds an edge, with its weight's text if it has one.
    pub fn edge(
        &mut self,
        [source, target]: [Cow<'a, str>; 2],
        weight: Option<Scanner>,
        at: usize,
    ) -> Result<(), ParseError> {
        self.sources.push(self.words.named(source, at));
        self.targets.push(self.words.named(target, at));
        match (weight, &mut self.weights) {
            (Some(text), Some(weights)) => read_weight(text, weights),
            _ => {
                self.without_weight.get_or_insert(at);
                Ok(())
            }
        }
    }

    /// Orders vertices by what they are called: by `labels`, if there are some. Fails where an edge
    /// names a vertex that is not there, and where only some edges have a weight.
    pub fn finish(
        self,
        labels: Option<Vec<Cow<'a, str>>>,
        kind: IdKind,
    ) -> Result<Named, ParseError> {
        let weights = self.weights.map(|column| join(WeightType::Any, vec![column])).transpose()?;
        let weights = weights.filter(|weights| !weights.is_empty() || self.sources.is_empty());
        if let (Some(name), Some(at)) = (self.weight_name, self.without_weight) {
            check_all_have(name, at, weights.is_some())?;
        }
        let words = self.words.into_list()?;
        let (ids, vertex_of) = in_order(labels.as_deref().unwrap_or(&words), kind)?;
        let [sources, targets] = [self.sources, self.targets].map(|mut ends| {
            ends.iter_mut().for_each(|end| *end = vertex_of[*end as usize]);
            ends
        });
        let vertices = words.len() as u64;
        Ok(Named { edges: Edges::new(sources, targets, weights)?, ids, vertices })
    }
}

/// Reads the number that a text is, but for blanks around it.
fn read_weight(mut text: Scanner, weights: &mut WeightColumn) -> Result<(), ParseError> {
    text.next_line(b"");
    weights.read(&mut text)?;
    match text.next_line(b"") {
        true => Err(text.expected("nothing behind the weight")),
        false => Ok(()),
    }
}

/// Fails where the edge at a place has no weight but should: others have, or it was asked for.
fn check_all_have(weight: WeightName, at: usize, others_have: bool) -> Result<(), ParseError> {
    let name = weight.name;
    let reason = match others_have {
        true => "as others have one",
        false if weight.is_asked => "as was asked for",
        false => return Ok(()),
    };
    let message = format!("expected an edge with the attribute `{name}`, {reason}");
    Err(ParseError::At { byte: at, message })
}
