//! Graphs from files that list vertices and edges one by one: vertices as words, edges with
//! attributes.

mod progress;
mod words;

use std::borrow::Cow;

use super::{
    commas,
    error::ParseError,
    options::{IdKind, Progress, TableOptions},
    scan::Scanner,
    weights::{MISSING_WEIGHT, WeightColumn, assumed_weights, join},
};
use crate::{
    Edges, Error, Graph, GraphBuilder, MAX_VERTICES, VertexIds, WeightType,
    memory::{self, bytes_of},
};
use words::{Words, in_order};

pub(super) use progress::SequentialProgress;

const WEIGHT: &str = "weight";

#[derive(Clone, Copy)]
pub(super) struct WeightName<'o> {
    pub name: &'o str,
    /// Whether it was requested, so that it must exist.
    pub is_requested: bool,
}

impl<'o> WeightName<'o> {
    /// The requested weight attribute, or the default; `None` if no weights are wanted. Fails if
    /// the options request other ends of an edge than `source` and `target`.
    pub fn from_options(options: &TableOptions<'o>) -> Result<Option<Self>, ParseError> {
        let Some(columns) = options.columns else {
            return Ok(Some(Self { name: WEIGHT, is_requested: false }));
        };
        for (column, end) in columns.iter().zip(["source", "target"]) {
            if column != end {
                return Err(ParseError::Whole(format!(
                    "expected the column `{end}`, found `{column}`: the columns are `source`, `target` and, for \
                     weights, an attribute of edges"
                )));
            }
        }
        Ok(columns.get(2).map(|name| Self { name, is_requested: true }))
    }
}

/// Upper bounds on the contents of a file.
pub(super) struct Counts {
    pub vertices: usize,
    pub edges: usize,
    /// The requested type of weights, if edges may have any.
    pub weights: Option<WeightType>,
    /// Further bytes that the reader allocates: unescaped words, and data specific to the format.
    pub extra_bytes: u64,
}

pub(super) struct Listed<'a, 'o> {
    words: Words<'a>,
    sources: Vec<u32>,
    targets: Vec<u32>,
    weights: Option<WeightColumn>,
    weight_name: Option<WeightName<'o>>,
    /// The position of the first edge without a weight.
    first_without_weight: Option<usize>,
    without_weight: usize,
}

/// Edges between vertices counted from 0, in the order of their ids, and the ids.
pub(super) struct Named {
    pub edges: Edges,
    pub ids: VertexIds,
    pub vertices: u64,
    /// The number of edges that got [`MISSING_WEIGHT`] because they have no weight though others
    /// do.
    pub assumed_weights: u64,
}

impl Named {
    /// Builds the graph, and reports assumed weights.
    pub fn build(
        self,
        builder: &GraphBuilder,
        is_undirected: bool,
        progress: Option<&dyn Progress>,
    ) -> Result<Graph, ParseError> {
        if let (Some(progress), true) = (progress, self.assumed_weights > 0) {
            progress.note(&assumed_weights(self.assumed_weights));
        }
        let builder = builder.clone().vertices(self.vertices).ids(self.ids);
        let builder = if is_undirected { builder.undirected(true) } else { builder };
        Ok(builder.build(self.edges)?)
    }
}

impl<'a, 'o> Listed<'a, 'o> {
    /// Reserves memory for a file. Fails if memory is insufficient.
    pub fn new(counts: &Counts, weight_name: Option<WeightName<'o>>) -> Result<Self, ParseError> {
        let (vertices, edges) = (counts.vertices as u64, counts.edges as u64);
        if vertices > MAX_VERTICES {
            return Err(Error::TooMany { what: "vertices", count: vertices }.into());
        }
        let weights = match counts.weights {
            None => 0,
            // Weights whose type is detected late exist in both types for a moment.
            Some(WeightType::Auto) => bytes_of::<[u32; 3]>(edges),
            Some(known) => edges.saturating_mul(known.most_bytes()),
        };
        let bytes = Words::memory_of(vertices)
            .saturating_add(counts.extra_bytes)
            .saturating_add(Edges::memory_of(edges, 0))
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
            first_without_weight: None,
            without_weight: 0,
        })
    }

    /// Adds a vertex and returns its number, if the file is valid so far.
    pub fn vertex(&mut self, word: Cow<'a, str>, at: usize) -> Result<Option<u32>, ParseError> {
        self.words.declare(word, at)
    }

    /// Adds an edge, with the text of its weight if it has one.
    pub fn edge(
        &mut self,
        [source, target]: [Cow<'a, str>; 2],
        weight: Option<Scanner>,
        at: usize,
    ) -> Result<(), ParseError> {
        self.sources.push(self.words.named(source, at));
        self.targets.push(self.words.named(target, at));
        if weight.is_none() {
            self.first_without_weight.get_or_insert(at);
            self.without_weight += 1;
        }
        let text = weight.unwrap_or_else(|| Scanner::new(MISSING_WEIGHT, 0));
        self.weights.as_mut().map_or(Ok(()), |weights| read_weight(text, weights))
    }

    /// Orders vertices by their ids, or by `labels` if present. Fails if an edge names an unknown
    /// vertex or lacks a requested weight.
    pub fn finish(
        self,
        labels: Option<Vec<Cow<'a, str>>>,
        kind: IdKind,
    ) -> Result<Named, ParseError> {
        if let (Some(weight), Some(byte)) = (self.weight_name, self.first_without_weight)
            && weight.is_requested
        {
            let message =
                format!("expected an edge with the attribute `{}`, as was asked for", weight.name);
            return Err(ParseError::at_byte(byte, message));
        }
        let has_none = self.without_weight == self.sources.len() && self.without_weight > 0;
        let column = self.weights.filter(|_| !has_none);
        let assumed_weights = if column.is_some() { self.without_weight as u64 } else { 0 };
        let weights = column.map(|column| join(column.expected(), vec![column])).transpose()?;
        let words = self.words.into_list()?;
        let (ids, vertex_of) = in_order(labels.as_deref().unwrap_or(&words), kind)?;
        let [sources, targets] = [self.sources, self.targets].map(|mut ends| {
            ends.iter_mut().for_each(|end| *end = vertex_of[*end as usize]);
            ends
        });
        let vertices = words.len() as u64;
        Ok(Named { edges: Edges::new(sources, targets, weights)?, ids, vertices, assumed_weights })
    }
}

/// Reads the number in a text, which may have blanks around it.
fn read_weight(mut text: Scanner, weights: &mut WeightColumn) -> Result<(), ParseError> {
    if !text.next_line(b"") {
        return Err(ParseError::at_byte(text.position(), "expected a weight, found nothing"));
    }
    let start = text;
    let with_advice = |error| commas::with_advice(error, start.peek_word());
    weights.read(&mut text).map_err(with_advice)?;
    if text.next_line(b"") {
        Err(with_advice(text.expected("nothing behind the weight")))
    } else {
        Ok(())
    }
}
