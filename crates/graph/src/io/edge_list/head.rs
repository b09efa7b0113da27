//! Edges between vertices with numbers: what the lines before the edges state of them, and their
//! reader.

use std::ops::Range;

use super::compact::{self, compact};
use crate::{
    Edges, Remedy,
    io::{
        error::{Misfit, ParseError},
        options::{IdKind, Progress},
        pairs::{self, Counted, Lines, Pairs},
        scan::Scanner,
    },
};

pub(in crate::io) struct Head {
    pub edges_at: usize,
    pub undirected: bool,
    pub lines: Lines,
    pub ends: Ends,
}

pub(in crate::io) enum Ends {
    Any {
        without_edges: Vec<u64>,
        /// The number of vertices including these, if the file states it.
        stated_count: Option<u64>,
        digits: Digits,
    },
    From(Range<u64>),
    Below(u64),
}

/// The notation of numeric ids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::io) enum Digits {
    /// The shortest: 07 may be a name, and is not 7.
    Exact,
    /// Also with leading zeros or a sign.
    Any,
}

impl Digits {
    /// The notation of ids that the caller expects to be of a kind.
    pub fn of_kind(kind: IdKind) -> Self {
        if kind == IdKind::Numbers { Self::Any } else { Self::Exact }
    }
}

impl Head {
    /// Reads the edges. Arbitrary ids are replaced by vertices counted from 0, and returned in
    /// ascending order.
    pub fn read(
        &self,
        bytes: &[u8],
        progress: Option<&dyn Progress>,
    ) -> Result<(Edges, Vec<u64>), ParseError> {
        let text = Counted::new(bytes, self.edges_at);
        let Pairs { sources, targets, weights } = match &self.ends {
            Ends::From(ids) => pairs::read(&text, &self.lines, progress, |scanner| {
                scanner.number_in(ids.clone(), "vertex id")
            })?,
            Ends::Below(most) => {
                pairs::read(&text, &self.lines, progress, |scanner| vertex(scanner, *most))?
            }
            &Ends::Any { ref without_edges, digits, .. } => {
                // Nearly all files have 32-bit ids, which take half the memory.
                let narrow = pairs::read(&text, &self.lines, progress, |scanner| {
                    u32::try_from(id(scanner, digits)?).map_err(|_| Misfit::NotU32)
                });
                return match narrow {
                    Ok(pairs) => renumber(pairs, without_edges),
                    Err(Misfit::Wrong(error)) => Err(error),
                    Err(Misfit::NotU32) => {
                        let id = |scanner: &mut Scanner| id(scanner, digits);
                        renumber(pairs::read(&text, &self.lines, progress, id)?, without_edges)
                    }
                };
            }
        };
        Ok((Edges::new(sources, targets, weights)?, Vec::new()))
    }
}

fn renumber<I: compact::Id>(
    pairs: Pairs<I>,
    without_edges: &[u64],
) -> Result<(Edges, Vec<u64>), ParseError> {
    let compacted = compact(pairs.sources, pairs.targets, without_edges)?;
    Ok((Edges::new(compacted.sources, compacted.targets, pairs.weights)?, compacted.ids))
}

#[inline(always)]
pub(in crate::io) fn id(scanner: &mut Scanner, digits: Digits) -> Result<u64, ParseError> {
    let start = *scanner;
    let id = scanner.unsigned().ok_or_else(|| no_id(start))?;
    if digits == Digits::Exact && start.is_padded(scanner) {
        return Err(padded_id(start));
    }
    Ok(id)
}

#[cold]
fn padded_id(scanner: Scanner) -> ParseError {
    scanner.expected("a vertex id without zeros or a sign before it").with_remedy(Remedy::Ids)
}

/// The error for a missing id though the first edge has numbers: other vertices may have names.
#[cold]
fn no_id(scanner: Scanner) -> ParseError {
    if matches!(scanner.peek_word().first(), Some(b'#' | b'%')) {
        return scanner.expected("an edge, as comments stand before the first one");
    }
    let error = scanner.expected("a vertex id of at most 64 bits");
    if scanner.is_at_end_of_line() { error } else { error.with_remedy(Remedy::Names) }
}

/// Reads a vertex, which must be less than `most`.
#[inline(always)]
pub(in crate::io) fn vertex(scanner: &mut Scanner, most: u64) -> Result<u32, ParseError> {
    let start = *scanner;
    match scanner.unsigned() {
        Some(vertex) if vertex < most => Ok(vertex as u32),
        _ => Err(start.expected(format_args!(
            "a vertex from 0 to {}, which is as far as a file of this size may go",
            most - 1
        ))),
    }
}
