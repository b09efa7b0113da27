//! GML (the Graph Modelling Language of Himsolt), as NetworkX, igraph and others write it.
//!
//! A file is a list of keys with values: numbers, quoted strings, or lists in brackets. The list
//! `graph [ … ]` contains `directed 1` if edges have a direction, `node [ id 0 label "Ann" ]` for
//! each vertex and `edge [ source 0 target 1 weight 2.5 ]` for each edge. The weight is `weight`,
//! or another requested key. Other keys are skipped, and so are lines that start with `#`.
//!
//! Vertices are identified by their labels, which must be complete and distinct, or by their ids if
//! none has a label. If numbers are requested, labels that are not numbers are ignored.

mod tokens;
mod write;

use std::borrow::Cow;

use super::{
    error::ParseError,
    listed::{Counts, Listed, SequentialProgress, WeightName},
    numeric_ids::number,
    options::{IdKind, Progress, ReadOptions, TableOptions},
};
use crate::{Graph, GraphBuilder, Remedy, WeightType, memory::bytes_of, parallel::*};
use tokens::{Kind, Token, Tokens, unescaped};

pub(super) use write::write;

pub(super) fn read(
    bytes: &[u8],
    builder: &GraphBuilder,
    options: &ReadOptions,
) -> Result<Graph, ParseError> {
    let weight = WeightName::from_options(&options.table)?;
    let mut tokens = Tokens::new(bytes)?;
    let mut progress = SequentialProgress::new(options.progress, bytes.len());
    let mut graph = None;
    while let Some((key, value)) = tokens.entry()? {
        match (key, value.kind) {
            ("graph", Kind::Open) if graph.is_some() => {
                return Err(ParseError::at_byte(
                    value.at,
                    "expected one graph in a file, found another",
                ));
            }
            ("graph", Kind::Open) => {
                let mut reader = GraphReader::new(bytes, weight, options.weights)?;
                reader.read(&mut tokens, &mut progress)?;
                graph = Some(reader);
            }
            _ => tokens.skip(value)?,
        }
    }
    if let Some(other) = tokens.next()? {
        return Err(tokens.expected("a key", other.at));
    }
    match graph {
        Some(graph) => graph.build(builder, &options.table, options.progress),
        None => Err(tokens.expected("`graph [`", bytes.len())),
    }
}

struct GraphReader<'a, 'o> {
    listed: Listed<'a, 'o>,
    /// The label of each vertex, empty if it has none, and the start of the vertex.
    labels: Vec<(Cow<'a, str>, usize)>,
    weight: Option<WeightName<'o>>,
    is_directed: bool,
}

impl<'a, 'o> GraphReader<'a, 'o> {
    fn new(
        bytes: &'a [u8],
        weight: Option<WeightName<'o>>,
        kind: WeightType,
    ) -> Result<Self, ParseError> {
        let [vertices, edges] = ["node", "edge"].map(|key| count(bytes, key));
        let has_weights = weight.is_some_and(|weight| edges > 0 && count(bytes, weight.name) > 0);
        let weights = has_weights.then_some(kind);
        let changed_words = if bytes.contains(&b'&') { bytes.len() } else { 0 };
        // Labels are stored next to the words, again for the check that they are distinct, and
        // alone.
        let labels = bytes_of::<(Cow<str>, usize, &str, usize, Cow<str>)>(vertices as u64);
        let extra_bytes = labels.saturating_add(changed_words as u64);
        let counts = Counts { vertices, edges, weights, extra_bytes };
        Ok(Self {
            listed: Listed::new(&counts, weight)?,
            labels: Vec::with_capacity(vertices),
            weight,
            is_directed: false,
        })
    }

    fn read(
        &mut self,
        tokens: &mut Tokens<'a>,
        progress: &mut SequentialProgress,
    ) -> Result<(), ParseError> {
        while let Some((key, value)) = tokens.entry()? {
            match (key, value.kind) {
                ("directed", _) => {
                    self.is_directed = match value.kind {
                        Kind::Word("0") => false,
                        Kind::Word("1") => true,
                        _ => return Err(tokens.expected("0 or 1", value.at)),
                    };
                }
                ("node", Kind::Open) => self.read_node(tokens, value.at)?,
                ("edge", Kind::Open) => self.read_edge(tokens, value.at)?,
                ("node" | "edge", _) => return Err(tokens.expected("[", value.at)),
                _ => tokens.skip(value)?,
            }
            progress.reached(tokens.position());
        }
        tokens.close()
    }

    fn read_node(&mut self, tokens: &mut Tokens<'a>, at: usize) -> Result<(), ParseError> {
        let (mut id, mut label) = (None, None);
        while let Some((key, value)) = tokens.entry()? {
            match (key, value.kind) {
                ("id", _) => set(&mut id, read_id(tokens, value)?, key, value)?,
                ("label", Kind::Word(word)) => set(&mut label, Cow::Borrowed(word), key, value)?,
                ("label", Kind::Text(text)) => set(&mut label, unescaped(text), key, value)?,
                _ => tokens.skip(value)?,
            }
        }
        tokens.close()?;
        let label = label.unwrap_or(Cow::Borrowed(""));
        let id = id.ok_or_else(|| lacks("id", "vertex", at))?;
        if let Some(number) = self.listed.vertex(id, at)? {
            let number = number as usize;
            self.labels.resize(self.labels.len().max(number + 1), (Cow::Borrowed(""), at));
            self.labels[number] = (label, at);
        }
        Ok(())
    }

    fn read_edge(&mut self, tokens: &mut Tokens<'a>, at: usize) -> Result<(), ParseError> {
        let (mut source, mut target, mut weight) = (None, None, None);
        while let Some((key, value)) = tokens.entry()? {
            match key {
                "source" => set(&mut source, read_id(tokens, value)?, key, value)?,
                "target" => set(&mut target, read_id(tokens, value)?, key, value)?,
                _ if self.weight.is_some_and(|weight| weight.name == key) => {
                    if value.kind == Kind::Open {
                        return Err(tokens.expected("a weight", value.at));
                    }
                    set(&mut weight, tokens.scanner(value), key, value)?;
                }
                _ => tokens.skip(value)?,
            }
        }
        tokens.close()?;
        let source = source.ok_or_else(|| lacks("source", "edge", at))?;
        let target = target.ok_or_else(|| lacks("target", "edge", at))?;
        self.listed.edge([source, target], weight, at)
    }

    fn build(
        self,
        builder: &GraphBuilder,
        options: &TableOptions,
        progress: Option<&dyn Progress>,
    ) -> Result<Graph, ParseError> {
        let is_number = |(label, _): &(Cow<str>, usize)| number(label.as_bytes()).is_some();
        let is_any = self.labels.iter().any(|(label, _)| !label.is_empty());
        let labels = match options.ids {
            _ if !is_any => None,
            IdKind::Numbers if !self.labels.iter().all(is_number) => None,
            _ => {
                check_labels(&self.labels)?;
                Some(self.labels.into_iter().map(|(label, _)| label).collect())
            }
        };
        self.listed.finish(labels, options.ids)?.build(builder, !self.is_directed, progress)
    }
}

/// Sets a key's value. Fails if the key is repeated.
fn set<T>(slot: &mut Option<T>, new: T, key: &str, value: Token) -> Result<(), ParseError> {
    match slot.replace(new) {
        None => Ok(()),
        Some(_) => Err(ParseError::at_byte(value.at, format!("expected one {key}, found another"))),
    }
}

/// The id in a word: a whole number, in canonical form.
fn read_id<'a>(tokens: &Tokens<'a>, value: Token<'a>) -> Result<Cow<'a, str>, ParseError> {
    match value.kind {
        Kind::Word(word) if number(word.as_bytes()).is_some() => Ok(Cow::Borrowed(word)),
        _ => Err(tokens.expected("an id that is a whole number from 0 on", value.at)),
    }
}

fn lacks(key: &str, what: &str, at: usize) -> ParseError {
    ParseError::at_byte(at, format!("expected {key} of this {what}, found none"))
}

/// Fails at the first vertex whose label is missing or a duplicate.
fn check_labels(labels: &[(Cow<str>, usize)]) -> Result<(), ParseError> {
    let mut sorted: Vec<(&str, usize)> = labels.iter().map(|(label, at)| (&**label, *at)).collect();
    sorted.par_sort_unstable();
    let empty = sorted.first().copied().filter(|(label, _)| label.is_empty());
    let repeated = sorted.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1]);
    let Some((label, at)) = empty.into_iter().chain(repeated).min_by_key(|&(_, at)| at) else {
        return Ok(());
    };
    let message = if label.is_empty() {
        "expected a label of this vertex, as others have one".to_owned()
    } else {
        format!("expected a label that no other vertex has, found {label:?}")
    };
    Err(ParseError::at_byte(at, message).with_remedy(Remedy::Numbers))
}

/// An upper bound on the occurrences of a key in a text: some may be in quotes, or part of another
/// word.
fn count(bytes: &[u8], key: &str) -> usize {
    let Some(&first) = key.as_bytes().first() else { return 0 };
    (0..bytes.len())
        .into_par_iter()
        .with_min_len(1 << 16)
        .filter(|&at| bytes[at] == first && bytes[at..].starts_with(key.as_bytes()))
        .count()
}
