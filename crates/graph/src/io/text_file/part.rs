//! The edges of a part; the type of their weights depends on all parts.

use std::path::Path;

use super::head::{Head, Rows};
use crate::{
    Error, Result, WeightType, Weights,
    io::{
        dimacs,
        edge_list::{self, Ends},
        error::{ParseError, located},
        input::Bytes,
        matrix_market,
        pairs::{self, Columns, Counted},
        weights::{WeightColumn, WeightKinds, join_as},
    },
    memory::{self, bytes_of},
};

/// The byte order mark that some programs write before UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A part of a [`TextFile`](super::TextFile) whose lines were counted.
pub struct TextPiece<'a> {
    pub(super) path: &'a Path,
    pub(super) bytes: &'a Bytes,
    pub(super) head: &'a Head,
    pub(super) start: usize,
    pub(super) text: Counted<'a>,
}

impl TextPiece<'_> {
    /// The number of lines, each of which may be an edge.
    pub fn lines(&self) -> u64 {
        self.text.lines()
    }

    /// Reads the edges of the part.
    ///
    /// Fails if a line does not match the format; the error names the line.
    pub fn read(&self) -> Result<TextPart> {
        self.bytes.while_unchanged(|| read(self).map_err(|error| self.located(error)))
    }

    fn located(&self, error: ParseError) -> Error {
        located(error, self.path, text_of(self.bytes))
    }
}

/// The edges of a part of a [`TextFile`](super::TextFile).
pub struct TextPart {
    /// The source of each edge.
    pub sources: Vec<u64>,
    /// The target of each edge.
    pub targets: Vec<u64>,
    /// The number of edges listed in the file: fewer, if some stand for two.
    pub found: u64,
    weights: PartWeights,
}

enum PartWeights {
    None,
    /// Floating-point numbers.
    Settled(Weights),
    Columns(WeightType, Vec<WeightColumn>),
    /// Integers: all in this part are `u32`, but others may not be.
    Integers(Vec<u32>),
}

impl TextPart {
    /// The kinds of weights in this part.
    pub fn kinds(&self) -> WeightKinds {
        match &self.weights {
            PartWeights::Columns(_, columns) => WeightKinds::of_columns(columns),
            PartWeights::Settled(_) => WeightKinds { beyond_u32: true, reals: true },
            PartWeights::None | PartWeights::Integers(_) => WeightKinds::default(),
        }
    }

    /// The weights, in the type that follows from the `kinds` of all parts together. `piece` is the
    /// piece that the part was read from.
    ///
    /// Fails if that would round a whole number, and if whole numbers have no common type; the
    /// error names the line.
    pub fn weights(&mut self, piece: &TextPiece, kinds: WeightKinds) -> Result<Option<Weights>> {
        let weights = match std::mem::replace(&mut self.weights, PartWeights::None) {
            PartWeights::None => return Ok(None),
            PartWeights::Settled(weights) => Ok(weights),
            PartWeights::Columns(expected, columns) => join_as(expected, kinds, columns),
            PartWeights::Integers(weights) => match (kinds.beyond_u32, &piece.head.rows) {
                (true, Rows::Matrix(header)) => {
                    matrix_market::exact_values(piece.text.bytes, piece.start, header)
                }
                _ => Ok(weights.into()),
            },
        };
        let wanted = |weights: Weights| Ok(weights.converted(piece.head.weights)?);
        weights.and_then(wanted).map(Some).map_err(|error| piece.located(error))
    }
}

fn read(piece: &TextPiece) -> Result<TextPart, ParseError> {
    match &piece.head.rows {
        Rows::Pairs(edge_list::Head { lines, ends, .. }) => {
            let text = &piece.text;
            let Columns { sources, targets, weights } = match ends {
                &Ends::Any { digits, .. } => pairs::read_columns(text, lines, None, |scanner| {
                    edge_list::id(scanner, digits)
                })?,
                Ends::From(ids) => pairs::read_columns(text, lines, None, |scanner| {
                    scanner.number_in(ids.clone(), "vertex id").map(u64::from)
                })?,
                Ends::Below(most) => pairs::read_columns(text, lines, None, |scanner| {
                    edge_list::vertex(scanner, *most).map(u64::from)
                })?,
            };
            let weights = match lines.weights {
                Some(expected) => PartWeights::Columns(expected, weights),
                None => PartWeights::None,
            };
            Ok(TextPart { found: sources.len() as u64, sources, targets, weights })
        }
        Rows::Dimacs(header) => {
            let kind = piece.head.weights;
            piece.text.check_memory::<u64>(kind.most_bytes())?;
            let Columns { sources, targets, weights } =
                dimacs::read_columns(piece.text.clone(), header.vertices, kind, None)?;
            let weights = PartWeights::Columns(kind, weights);
            part(sources, targets, weights, 1)
        }
        Rows::Matrix(header) => {
            let kind = piece.head.weights;
            let edges = matrix_market::read_part(piece.text.bytes, piece.start, header, kind)?;
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

/// A part with edges between 32-bit vertices, of which the file lists one per `per_edge`.
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

/// The text without its byte order mark, if any.
pub(super) fn text_of(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}
