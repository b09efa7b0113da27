//! Lines of two vertices and perhaps a weight, as edge lists of all kinds have them.

use super::{
    Progress,
    chunks::{self, Pieces, concatenate},
    error::ParseError,
    scan::Scanner,
    weights::{WeightColumn, WeightType, join},
};
use crate::{
    Result, Weights,
    memory::{self, bytes_of},
};

/// What the lines of a file look like.
pub(super) struct Lines {
    /// What a line of a comment starts with.
    pub comments: &'static [u8],
    /// Whether every line has a weight; otherwise none has.
    pub weights: Option<WeightType>,
    /// Whether a further column, such as KONECT's times, may follow the weight.
    pub times: bool,
}

/// Edges in the order of the file, between vertices as the file names them.
pub(super) struct Pairs<I> {
    pub sources: Vec<I>,
    pub targets: Vec<I>,
    pub weights: Option<Weights>,
}

/// A text that has been looked through: pieces of it, with the number of their lines.
#[derive(Clone)]
pub(super) struct Counted<'a> {
    pub bytes: &'a [u8],
    pub pieces: Pieces<usize>,
}

impl<'a> Counted<'a> {
    /// Counts the lines from place `start` on.
    pub fn new(bytes: &'a [u8], start: usize) -> Self {
        Self { bytes, pieces: chunks::count(bytes, start, |scanner| scanner.lines()) }
    }

    /// How many lines there are.
    pub fn lines(&self) -> u64 {
        chunks::total(&self.pieces)
    }

    /// Whether there is memory to read all lines, with ends of type `I`. All pieces are there when
    /// the first column of them becomes one; weights are the last that do.
    pub fn check_memory<I>(&self, weights: bool) -> Result<()> {
        let lines = self.lines();
        let (ends, weights) = (bytes_of::<I>(lines), bytes_of::<u32>(lines) * u64::from(weights));
        let bytes = (2 * ends + weights).saturating_add(ends.max(weights));
        memory::check(format_args!("reading {lines} lines"), bytes)
    }
}

/// Edges whose weights have no common type yet.
pub(super) struct Columns<I> {
    pub sources: Vec<I>,
    pub targets: Vec<I>,
    pub weights: Vec<WeightColumn>,
}

/// Reads all edges, each end by `vertex`.
pub(super) fn read<I, E>(
    text: &Counted,
    lines: &Lines,
    progress: Option<&dyn Progress>,
    vertex: impl Fn(&mut Scanner) -> Result<I, E> + Sync,
) -> Result<Pairs<I>, E>
where
    I: Copy + Default + Send + Sync,
    E: From<ParseError> + Send,
{
    let Columns { sources, targets, weights } = read_columns(text, lines, progress, vertex)?;
    let weights = lines.weights.map(|expected| join(expected, weights)).transpose()?;
    Ok(Pairs { sources, targets, weights })
}

/// Reads all edges, each end by `vertex`, and leaves the type of their weights open.
pub(super) fn read_columns<I, E>(
    text: &Counted,
    lines: &Lines,
    progress: Option<&dyn Progress>,
    vertex: impl Fn(&mut Scanner) -> Result<I, E> + Sync,
) -> Result<Columns<I>, E>
where
    I: Copy + Default + Send + Sync,
    E: From<ParseError> + Send,
{
    text.check_memory::<I>(lines.weights.is_some()).map_err(ParseError::from)?;
    let parts = chunks::parse(text.bytes, text.pieces.clone(), progress, |scanner, most| {
        read_chunk(scanner, most, lines, &vertex)
    })?;
    let mut sources = Vec::with_capacity(parts.len());
    let mut targets = Vec::with_capacity(parts.len());
    let mut weights = Vec::with_capacity(parts.len());
    for part in parts {
        sources.push(part.sources);
        targets.push(part.targets);
        weights.extend(part.weights);
    }
    Ok(Columns { sources: concatenate(sources), targets: concatenate(targets), weights })
}

struct Chunk<I> {
    sources: Vec<I>,
    targets: Vec<I>,
    weights: Option<WeightColumn>,
}

fn read_chunk<I, E: From<ParseError>>(
    mut scanner: Scanner,
    most: usize,
    lines: &Lines,
    vertex: impl Fn(&mut Scanner) -> Result<I, E>,
) -> Result<Chunk<I>, E> {
    let mut sources = Vec::with_capacity(most);
    let mut targets = Vec::with_capacity(most);
    let mut weights = lines.weights.map(|expected| WeightColumn::with_capacity(expected, most));
    while scanner.next_line(lines.comments) {
        sources.push(vertex(&mut scanner)?);
        scanner.skip_separator();
        targets.push(vertex(&mut scanner)?);
        if let Some(weights) = &mut weights {
            scanner.skip_separator();
            weights.read(&mut scanner)?;
            if lines.times && !scanner.at_line_end() {
                scanner.skip_separator();
                scanner.real::<f64>().ok_or_else(|| scanner.expected("a time"))?;
            }
        }
        scanner.end_line()?;
    }
    Ok(Chunk { sources, targets, weights })
}
