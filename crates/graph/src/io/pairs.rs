//! Lines of two vertices and optionally a weight, common to all kinds of edge lists.

use super::{
    chunks::{self, Pieces, concatenate},
    commas,
    error::ParseError,
    options::Progress,
    scan::Scanner,
    weights::{WeightColumn, join},
};
use crate::{
    Result, WeightType, Weights,
    memory::{self, bytes_of},
};

/// The format of the lines.
pub(super) struct Lines {
    /// The type of the weight of every line, if lines have weights.
    pub weights: Option<WeightType>,
    /// Whether a further column, such as KONECT's times, follows every weight.
    pub times: bool,
    pub separator: Separator,
}

/// The separator of the columns of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Separator {
    /// Any number of spaces and tabs.
    #[default]
    Blanks,
    /// One comma, optionally with blanks around it.
    Comma,
    /// One tab, optionally with spaces around it; two tabs enclose an empty cell.
    Tab,
}

impl Lines {
    /// Lines of columns separated by blanks, without times.
    pub fn new(weights: Option<WeightType>) -> Self {
        Self { weights, times: false, separator: Separator::Blanks }
    }

    /// Skips to the first column of the next line; false at the end of the text.
    #[inline(always)]
    fn next(&self, scanner: &mut Scanner) -> Result<bool, ParseError> {
        let has_line = scanner.next_line(b"");
        if has_line && self.separator == Separator::Tab && scanner.is_after_tab() {
            return Err(scanner.empty_cell());
        }
        Ok(has_line)
    }

    /// Skips a separator; the reader of the next column reports a missing one.
    #[inline(always)]
    fn separate(&self, scanner: &mut Scanner) -> Result<(), ParseError> {
        let start = *scanner;
        let is_comma = scanner.skip_separator();
        if is_comma != (self.separator == Separator::Comma) && !scanner.at_line_end() {
            return Err(self.unseparated(start));
        }
        if self.separator == Separator::Tab {
            self.check_tab(start, *scanner)?;
        }
        Ok(())
    }

    /// Fails unless exactly one tab was skipped since `start`, or the line is at its end.
    fn check_tab(&self, start: Scanner, end: Scanner) -> Result<(), ParseError> {
        match start.until(&end).iter().filter(|&&byte| byte == b'\t').count() {
            _ if end.is_at_end_of_line() => Ok(()),
            0 => Err(self.unseparated(start)),
            1 => Ok(()),
            _ => Err(start.empty_cell()),
        }
    }

    #[cold]
    fn unseparated(&self, start: Scanner) -> ParseError {
        let expected = match self.separator {
            Separator::Blanks => "blanks",
            Separator::Comma => "a comma",
            Separator::Tab => "a tab",
        };
        let error = start.expected(format_args!("{expected} between columns, as in the first row"));
        match self.separator {
            Separator::Comma => error,
            Separator::Blanks | Separator::Tab => commas::with_advice_at(error, start),
        }
    }

    /// Skips to the next line.
    #[inline(always)]
    fn end(&self, scanner: &mut Scanner) -> Result<(), ParseError> {
        if self.weights.is_none() { scanner.end_line() } else { commas::end_line(scanner) }
    }
}

/// Edges in the order of the file, between the vertices as the file names them.
pub(super) struct Pairs<I> {
    pub sources: Vec<I>,
    pub targets: Vec<I>,
    pub weights: Option<Weights>,
}

/// A text whose lines are counted, by pieces.
#[derive(Clone)]
pub(super) struct Counted<'a> {
    pub bytes: &'a [u8],
    pub pieces: Pieces<usize>,
}

impl<'a> Counted<'a> {
    /// Counts the lines from byte `start` on.
    pub fn new(bytes: &'a [u8], start: usize) -> Self {
        Self { bytes, pieces: chunks::count(bytes, start, |scanner| scanner.lines()) }
    }

    pub fn lines(&self) -> u64 {
        chunks::total(&self.pieces)
    }

    /// Checks the memory to read all lines, with ends of type `I` and weights of `weight_bytes`
    /// bytes. Columns are concatenated one after the other, weights last, so all pieces exist next
    /// to the first column.
    pub fn check_memory<I>(&self, weight_bytes: u64) -> Result<()> {
        let lines = self.lines();
        let (ends, weights) = (bytes_of::<I>(lines), lines.saturating_mul(weight_bytes));
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

/// Reads all edges, each end with `vertex`.
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

/// Reads all edges, each end with `vertex`, without fixing the type of the weights.
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
    let weight_bytes = lines.weights.map_or(0, WeightType::most_bytes);
    text.check_memory::<I>(weight_bytes).map_err(ParseError::from)?;
    let parts = chunks::parse(text.bytes, text.pieces.clone(), progress, |scanner, most| {
        read_chunk(scanner, most, lines, &vertex)
    })?;
    Ok(Chunk::join(parts))
}

/// The edges of a piece of a text.
pub(super) struct Chunk<I> {
    pub sources: Vec<I>,
    pub targets: Vec<I>,
    pub weights: Option<WeightColumn>,
}

impl<I: Copy + Default + Send + Sync> Chunk<I> {
    /// The edges of all pieces, in order.
    pub fn join(parts: Vec<Self>) -> Columns<I> {
        let (mut sources, mut targets, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            sources.push(part.sources);
            targets.push(part.targets);
            weights.extend(part.weights);
        }
        Columns { sources: concatenate(sources), targets: concatenate(targets), weights }
    }
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
    while lines.next(&mut scanner)? {
        sources.push(vertex(&mut scanner)?);
        lines.separate(&mut scanner)?;
        targets.push(vertex(&mut scanner)?);
        if let Some(weights) = &mut weights {
            lines.separate(&mut scanner)?;
            let start = scanner;
            weights
                .read(&mut scanner)
                .map_err(|error| commas::with_advice(error, start.peek_word()))?;
            if lines.times {
                lines.separate(&mut scanner)?;
                scanner.real::<f64>().ok_or_else(|| scanner.expected("a time"))?;
            }
        }
        lines.end(&mut scanner)?;
    }
    Ok(Chunk { sources, targets, weights })
}
