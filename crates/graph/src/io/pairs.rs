//! Lines of two vertices and perhaps a weight, as edge lists of all kinds have them.

use super::{
    Progress,
    chunks::{self, concatenate},
    error::ParseError,
    scan::Scanner,
    weights::{WeightColumn, WeightType, join},
};
use crate::Weights;

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

/// Reads all edges from place `start` on, each end by `vertex`.
pub(super) fn read<I, E>(
    bytes: &[u8],
    start: usize,
    lines: &Lines,
    progress: Option<&dyn Progress>,
    vertex: impl Fn(&mut Scanner) -> Result<I, E> + Sync,
) -> Result<Pairs<I>, E>
where
    I: Copy + Default + Send + Sync,
    E: From<ParseError> + Send,
{
    let parts =
        chunks::parse(bytes, start, progress, |scanner| read_chunk(scanner, lines, &vertex))?;
    let mut sources = Vec::with_capacity(parts.len());
    let mut targets = Vec::with_capacity(parts.len());
    let mut weights = Vec::with_capacity(parts.len());
    for part in parts {
        sources.push(part.sources);
        targets.push(part.targets);
        weights.extend(part.weights);
    }
    Ok(Pairs {
        sources: concatenate(sources),
        targets: concatenate(targets),
        weights: lines.weights.map(|expected| join(expected, weights)),
    })
}

struct Chunk<I> {
    sources: Vec<I>,
    targets: Vec<I>,
    weights: Option<WeightColumn>,
}

fn read_chunk<I, E: From<ParseError>>(
    mut scanner: Scanner,
    lines: &Lines,
    vertex: impl Fn(&mut Scanner) -> Result<I, E>,
) -> Result<Chunk<I>, E> {
    let most = scanner.lines();
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
