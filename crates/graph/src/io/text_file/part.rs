//! The edges of a part, whose weights have the type that those of all parts have.

use super::{TextPiece, head::Rows};
use crate::{
    Result, Weights,
    io::{
        WeightKinds, dimacs,
        edge_list::{self, Ends},
        error::ParseError,
        gap_edges, matrix_market,
        pairs::{self, Columns},
        weights::{WeightColumn, WeightType, join_as},
    },
    memory::{self, bytes_of},
};

/// The edges of a part of a [`TextFile`](super::TextFile).
pub struct TextPart {
    /// Where each edge starts.
    pub sources: Vec<u64>,
    /// Where each edge ends.
    pub targets: Vec<u64>,
    /// How many edges the file has here: fewer, where some stand for two.
    pub found: u64,
    weights: PartWeights,
}

enum PartWeights {
    None,
    /// Their type is known.
    Settled(Weights),
    Columns(WeightType, Vec<WeightColumn>),
    /// Of a matrix of integers: all here are `u32`, and others may not be.
    Integers(Vec<u32>),
}

impl TextPart {
    /// What kinds of weights it has.
    pub fn kinds(&self) -> WeightKinds {
        match &self.weights {
            PartWeights::Columns(_, columns) => WeightKinds::of(columns),
            PartWeights::Settled(Weights::F32(_)) => WeightKinds { beyond_u32: true, reals: true },
            PartWeights::None | PartWeights::Settled(_) | PartWeights::Integers(_) => {
                WeightKinds::default()
            }
        }
    }

    /// The weights, in the type that they have where all parts together have `kinds`. `piece` is what the part was read
    /// from.
    ///
    /// Fails where that would round a whole number, and where whole numbers have no type; the error names the line.
    pub fn weights(&mut self, piece: &TextPiece, kinds: WeightKinds) -> Result<Option<Weights>> {
        let weights = match std::mem::replace(&mut self.weights, PartWeights::None) {
            PartWeights::None => return Ok(None),
            PartWeights::Settled(weights) => Ok(weights),
            PartWeights::Columns(expected, columns) => join_as(expected, kinds, columns),
            PartWeights::Integers(weights) => match (kinds.beyond_u32, &piece.file.head.rows) {
                (true, Rows::Matrix(header)) => {
                    matrix_market::exact_values(piece.text.bytes, piece.start, header)
                }
                _ => Ok(weights.into()),
            },
        };
        weights.map(Some).map_err(|error| piece.file.located(error))
    }
}

/// Reads the edges of a piece.
pub(super) fn read(piece: &TextPiece) -> Result<TextPart, ParseError> {
    match &piece.file.head.rows {
        Rows::Pairs(lines, ends) => {
            let text = &piece.text;
            let Columns { sources, targets, weights } = match ends {
                Ends::Any { .. } => pairs::read_columns(text, lines, None, edge_list::id)?,
                Ends::From(ids) => pairs::read_columns(text, lines, None, |scanner| {
                    scanner.number_in(ids.clone(), "vertex id").map(u64::from)
                })?,
                Ends::Below(most) => pairs::read_columns(text, lines, None, |scanner| {
                    gap_edges::vertex(scanner, *most).map(u64::from)
                })?,
            };
            let weights = match lines.weights {
                Some(expected) => PartWeights::Columns(expected, weights),
                None => PartWeights::None,
            };
            Ok(TextPart { found: sources.len() as u64, sources, targets, weights })
        }
        Rows::Dimacs(header) => {
            piece.text.check_memory::<u64>(true)?;
            let Columns { sources, targets, weights } =
                dimacs::read_columns(piece.text.clone(), header.vertices, None)?;
            let weights = PartWeights::Columns(WeightType::Any, weights);
            part(sources, targets, weights, 1)
        }
        Rows::Matrix(header) => {
            let edges = matrix_market::read_part(piece.text.bytes, piece.start, header)?;
            let (sources, targets, values) = edges.into_parts();
            let weights = match values {
                Some(Weights::U32(values)) => PartWeights::Integers(values.into_vec()),
                Some(values) => PartWeights::Settled(values),
                None => PartWeights::None,
            };
            part(sources, targets, weights, header.edges_per_entry())
        }
    }
}

/// A part of edges between vertices of 32 bits, so many for each that the file has.
fn part(
    sources: Vec<u32>,
    targets: Vec<u32>,
    weights: PartWeights,
    per_edge: u64,
) -> Result<TextPart, ParseError> {
    let edges = sources.len() as u64;
    memory::check(format_args!("a list of {edges} edges"), bytes_of::<[u64; 2]>(edges))?;
    let wide = |vertices: Vec<u32>| vertices.into_iter().map(u64::from).collect();
    let found = edges / per_edge;
    Ok(TextPart { sources: wide(sources), targets: wide(targets), found, weights })
}
