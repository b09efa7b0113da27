//! What a file says before its edges, for those who read these in parts.

use std::ops::Range;

use super::{COMMENTS, Claims, Layout, Naming, Opening, first_edge_has_weight};
use crate::io::{IdKind, TableOptions, error::ParseError, pairs::Lines, weights::WeightType};

/// How a file's edges are read.
pub(in crate::io) struct Head {
    pub edges_at: usize,
    pub undirected: bool,
    pub lines: Lines,
    pub ends: Ends,
}

/// What the ends of edges are.
pub(in crate::io) enum Ends {
    /// Any numbers.
    Any {
        /// Vertices that no edge names.
        without_edges: Vec<u64>,
        /// How many vertices there are with these, where the file says so.
        told: Option<u64>,
    },
    /// The numbers in a range.
    From(Range<u64>),
    /// The numbers below this one.
    Below(u64),
}

/// Reads the head of a file; nothing where its vertices have names.
pub(in crate::io) fn head(
    bytes: &[u8],
    options: &TableOptions,
) -> Result<Option<Head>, ParseError> {
    match Opening::read(bytes)? {
        Opening::Plain => of_table(bytes, options, false),
        Opening::Undirected => of_table(bytes, options, true),
        Opening::Ours(claims) => Ok(of_claims(claims)),
    }
}

fn of_table(
    bytes: &[u8],
    options: &TableOptions,
    undirected: bool,
) -> Result<Option<Head>, ParseError> {
    let layout = Layout::of(bytes, options)?;
    if (!layout.is_plain || options.ids == IdKind::Names) && options.ids != IdKind::Numbers {
        return Ok(None);
    }
    let edges_at = layout.edges_at;
    let weights = first_edge_has_weight(bytes, edges_at).then_some(WeightType::Any);
    let lines = Lines { comments: COMMENTS, weights, times: true };
    let ends = Ends::Any { without_edges: Vec::new(), told: None };
    Ok(Some(Head { edges_at, undirected, lines, ends }))
}

fn of_claims(claims: Claims) -> Option<Head> {
    let vertices = u64::from(claims.vertices);
    let ends = match claims.naming {
        Naming::From(first) => Ends::From(first..first + vertices),
        Naming::Table { without_edges } => Ends::Any { without_edges, told: Some(vertices) },
        Naming::Names { .. } => return None,
    };
    let lines = Lines { comments: COMMENTS, weights: claims.weights, times: false };
    let (edges_at, undirected) = (claims.edges_at, claims.undirected);
    Some(Head { edges_at, undirected, lines, ends })
}
