//! GML (the Graph Modelling Language of Himsolt), as NetworkX, igraph and others write it.
//!
//! A file is a list of keys with values: numbers, texts in quotes, or lists in brackets. The list
//! `graph [ … ]` has `directed 1` where edges have a direction, `node [ id 0 label "Ann" ]` for each
//! vertex and `edge [ source 0 target 1 weight 2.5 ]` for each edge. `weight`, or another key that is
//! asked for, is the weight. Other keys are skipped, and so are lines that start with `#`.
//!
//! Vertices are called by their labels where each has one that no other has, otherwise by their ids:
//! by numbers, if all are.

mod tokens;
mod write;

use std::borrow::Cow;

use rayon::prelude::*;

use super::{
    Progress, TableOptions,
    edge_list::number,
    error::ParseError,
    listed::{Counts, Listed, Told, WeightName},
    weights::WeightType,
};
use crate::{Graph, GraphBuilder, memory::bytes_of};
use tokens::{Kind, Token, Tokens, unescaped};

pub(super) use write::write;

/// Reads a graph.
pub(super) fn read(
    bytes: &[u8],
    builder: &GraphBuilder,
    options: &TableOptions,
    progress: Option<&dyn Progress>,
) -> Result<Graph, ParseError> {
    let weight = WeightName::of(options)?;
    let mut tokens = Tokens::new(bytes)?;
    let mut told = Told::new(progress, bytes.len());
    let mut graph = None;
    while let Some((key, value)) = tokens.entry()? {
        match (key, value.kind) {
            ("graph", Kind::Open) if graph.is_some() => {
                let message = "expected one graph in a file, found another".into();
                return Err(ParseError::At { byte: value.at, message });
            }
            ("graph", Kind::Open) => {
                let mut reader = GraphReader::new(bytes, weight)?;
                reader.read(&mut tokens, &mut told)?;
                graph = Some(reader);
            }
            _ => tokens.skip(value)?,
        }
    }
    if let Some(other) = tokens.next()? {
        return Err(tokens.expected("a key", other.at));
    }
    match graph {
        Some(graph) => graph.build(builder, options),
        None => Err(tokens.expected("`graph [`", bytes.len())),
    }
}

/// The graph as far as it was read.
struct GraphReader<'a, 'o> {
    listed: Listed<'a, 'o>,
    /// The label of each vertex, empty where it has none.
    labels: Vec<Cow<'a, str>>,
    weight: Option<WeightName<'o>>,
    is_directed: bool,
}

impl<'a, 'o> GraphReader<'a, 'o> {
    fn new(bytes: &'a [u8], weight: Option<WeightName<'o>>) -> Result<Self, ParseError> {
        let [vertices, edges] = ["node", "edge"].map(|key| count(bytes, key));
        let has_weights = weight.is_some_and(|weight| edges > 0 && count(bytes, weight.name) > 0);
        let weights = has_weights.then_some(WeightType::Any);
        let changed_words = if bytes.contains(&b'&') { bytes.len() } else { 0 };
        // There are labels beside the words, and once more where it is seen whether they differ.
        let labels = bytes_of::<(Cow<str>, &str)>(vertices as u64);
        let beside = labels.saturating_add(changed_words as u64);
        let counts = Counts { vertices, edges, weights, beside };
        Ok(Self {
            listed: Listed::new(&counts, weight)?,
            labels: Vec::with_capacity(vertices),
            weight,
            is_directed: false,
        })
    }

    fn read(&mut self, tokens: &mut Tokens<'a>, told: &mut Told) -> Result<(), ParseError> {
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
            told.at(tokens.position());
        }
        tokens.close()
    }

    fn read_node(&mut self, tokens: &mut Tokens<'a>, at: usize) -> Result<(), ParseError> {
        let (mut id, mut label) = (None, Cow::Borrowed(""));
        while let Some((key, value)) = tokens.entry()? {
            match (key, value.kind) {
                ("id", _) => id = Some(read_id(tokens, value)?),
                ("label", Kind::Word(word)) => label = Cow::Borrowed(word),
                ("label", Kind::Text(text)) => label = unescaped(text),
                _ => tokens.skip(value)?,
            }
        }
        tokens.close()?;
        let id = id.ok_or_else(|| lacks("id", "vertex", at))?;
        if let Some(number) = self.listed.vertex(id, at)? {
            let number = number as usize;
            self.labels.resize(self.labels.len().max(number + 1), Cow::Borrowed(""));
            self.labels[number] = label;
        }
        Ok(())
    }

    fn read_edge(&mut self, tokens: &mut Tokens<'a>, at: usize) -> Result<(), ParseError> {
        let (mut source, mut target, mut weight) = (None, None, None);
        while let Some((key, value)) = tokens.entry()? {
            match key {
                "source" => source = Some(read_id(tokens, value)?),
                "target" => target = Some(read_id(tokens, value)?),
                _ if self.weight.is_some_and(|weight| weight.name == key) => {
                    if value.kind == Kind::Open {
                        return Err(tokens.expected("a weight", value.at));
                    }
                    weight = Some(tokens.scanner(value));
                }
                _ => tokens.skip(value)?,
            }
        }
        tokens.close()?;
        let source = source.ok_or_else(|| lacks("source", "edge", at))?;
        let target = target.ok_or_else(|| lacks("target", "edge", at))?;
        self.listed.edge([source, target], weight, at)
    }

    fn build(self, builder: &GraphBuilder, options: &TableOptions) -> Result<Graph, ParseError> {
        let all_have = self.labels.len() == self.listed.vertices();
        let labels = (all_have && are_names(&self.labels)).then_some(self.labels);
        let named = self.listed.finish(labels, options.ids)?;
        let builder = builder.clone().vertices(named.vertices).ids(named.ids);
        let builder = if self.is_directed { builder } else { builder.undirected(true) };
        Ok(builder.build(named.edges)?)
    }
}

/// The id that a word is: a whole number, as it is written without more than it needs.
fn read_id<'a>(tokens: &Tokens<'a>, value: Token<'a>) -> Result<Cow<'a, str>, ParseError> {
    match value.kind {
        Kind::Word(word) if number(word.as_bytes()).is_some() => Ok(Cow::Borrowed(word)),
        _ => Err(tokens.expected("an id that is a whole number from 0 on", value.at)),
    }
}

fn lacks(key: &str, what: &str, at: usize) -> ParseError {
    ParseError::At { byte: at, message: format!("expected {key} of this {what}, found none") }
}

/// Whether each is a name, and no other's.
fn are_names(labels: &[Cow<str>]) -> bool {
    let mut sorted: Vec<&str> = labels.iter().map(AsRef::as_ref).collect();
    sorted.par_sort_unstable();
    sorted.first().is_some_and(|first| !first.is_empty())
        && sorted.windows(2).all(|pair| pair[0] != pair[1])
}

/// How often a key stands in a text at most: it may be in quotes, or part of another.
fn count(bytes: &[u8], key: &str) -> usize {
    let Some(&first) = key.as_bytes().first() else { return 0 };
    (0..bytes.len())
        .into_par_iter()
        .with_min_len(1 << 16)
        .filter(|&at| bytes[at] == first && bytes[at..].starts_with(key.as_bytes()))
        .count()
}
