//! Ids of vertices in results.

use std::fmt;

use equipoise_graph::{Graph, VertexId};
use serde::Serialize;

use crate::rows::Cell;

/// The id of a vertex in the input, independent of its graph.
///
/// ```
/// use equipoise_graph::{io::ReadOptions, load};
/// use equipoise_terminal::ids::Id;
///
/// let path = load("path:n=3", &ReadOptions::default())?;
/// assert_eq!(Id::new(&path, 2), Id::Number(2));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Id {
    /// A number.
    Number(u64),
    /// A name.
    Name(String),
}

impl Id {
    /// The id of a vertex of a graph.
    pub fn new(graph: &Graph, vertex: u32) -> Self {
        match graph.ids().id(vertex) {
            VertexId::Number(number) => Self::Number(number),
            VertexId::Name(name) => Self::Name(name.to_owned()),
        }
    }

    /// The cell for this id.
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
