//! Comparison of an output with a reference output.

use std::path::Path;

use equipoise::graph::{Graph, VertexId, io::parse_file};
use serde::Serialize;

use super::values::{Output, Reference};
use crate::{
    failure::{Failure, Result},
    numbers,
};

/// How an output compares with a reference.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub enum Comparison {
    /// It has no reference.
    Missing,
    /// It matches as the benchmark demands.
    Matches,
    /// It does not.
    Differs {
        /// The first vertex whose value differs, and the number of these.
        difference: String,
    },
}

impl Comparison {
    /// The word in the table.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Missing => "none",
            Self::Matches => "matches",
            Self::Differs { .. } => "differs",
        }
    }

    /// Whether the reference has other values.
    pub fn is_mismatch(&self) -> bool {
        matches!(self, Self::Differs { .. })
    }

    /// What differs.
    pub fn difference(&self) -> Option<&str> {
        match self {
            Self::Differs { difference } => Some(difference),
            Self::Missing | Self::Matches => None,
        }
    }
}

/// Compares an output with the file of its reference, if that exists.
pub fn compare(graph: &Graph, output: &Output, path: &Path) -> Result<Comparison> {
    if !path.exists() {
        return Ok(Comparison::Missing);
    }
    let values = parse_file(path, |text| parse(graph, output, path, text))?;
    let (first, count) = output.mismatches(&values);
    let Some((vertex, values)) = first else { return Ok(Comparison::Matches) };
    let id = graph.ids().id(vertex);
    let vertices = numbers::counted(count, "vertex differs", "vertices differ");
    let difference = format!("vertex {id} is {values}, by {}; {vertices}", path.display());
    Ok(Comparison::Differs { difference })
}

/// The value of each vertex; a line has an id and a value.
fn parse(graph: &Graph, output: &Output, path: &Path, text: &str) -> Result<Vec<Reference>> {
    let mut values = vec![None; graph.vertices() as usize];
    for (line, text) in (1u64..).zip(text.lines()) {
        let wrong = |expected: &str| {
            Failure::new(format!("{}:{line}: expected {expected}, found {text:?}", path.display()))
        };
        let mut words = text.split_whitespace();
        let Some(id) = words.next() else { continue };
        let vertex = id.parse().ok().and_then(|id: u64| graph.vertex(VertexId::Number(id)));
        let vertex = vertex.ok_or_else(|| wrong("the id of a vertex"))?;
        let value = words.next().and_then(|value| output.parse(value));
        let value = value.ok_or_else(|| wrong("a value behind the id"))?;
        if words.next().is_some() {
            return Err(wrong("one value"));
        }
        if values[vertex as usize].replace(value).is_some() {
            return Err(wrong("each vertex once"));
        }
    }
    let missing = values.iter().position(Option::is_none);
    if let Some(missing) = missing {
        let id = graph.ids().id(missing as u32);
        return Err(Failure::new(format!("{}: has no value of vertex {id}", path.display())));
    }
    Ok(values.into_iter().flatten().collect())
}
