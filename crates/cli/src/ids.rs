//! What vertices are called in results.

use std::fmt;

use equipoise::graph::{Graph, VertexId};
use serde::Serialize;

use crate::rows::Cell;

/// What a vertex is called in the input, apart from its graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Id {
    Number(u64),
    Name(String),
}

impl Id {
    /// What a vertex of a graph is called.
    pub fn of(graph: &Graph, vertex: u32) -> Self {
        match graph.ids().id(vertex) {
            VertexId::Number(number) => Self::Number(number),
            VertexId::Name(name) => Self::Name(name.to_owned()),
        }
    }

    /// The cell of a row that says so.
    pub fn cell(&self) -> Cell<'_> {
        match self {
            Self::Number(number) => Cell::Whole(*number),
            Self::Name(name) => Cell::Word(name),
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Name(name) => name.fmt(f),
        }
    }
}
