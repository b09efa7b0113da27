//! The lines of entries, and the matrix they make.

use std::ops::Range;

use super::header::{Header, Symmetry};
use crate::{
    Csr, Duplicates, Matrix, SelfLoops, Value,
    assemble::{self, Entries, assemble},
    io::{
        Progress, ReadOptions,
        chunks::{self, split_by},
        error::ParseError,
        scan::Scanner,
    },
    memory::{self, bytes_of},
};

/// Entries in the order of the file, counted from 0.
pub(super) struct Triples<V> {
    pub rows: Vec<u32>,
    pub columns: Vec<u32>,
    pub values: Vec<V>,
}

impl<V> Triples<V> {
    fn memory_of(entries: u64) -> u64 {
        bytes_of::<[u32; 2]>(entries).saturating_add(bytes_of::<V>(entries))
    }
}

/// Reads all entries, each one's value by `value`. Every line has its place in the result from the
/// start, as copying them together later would cost more than it does to count them first. What is
/// made of them will take `building` bytes more.
pub(super) fn read<V, E>(
    bytes: &[u8],
    header: &Header,
    building: u64,
    progress: Option<&dyn Progress>,
    value: impl Fn(&mut Scanner) -> Result<V, E> + Sync,
) -> Result<Triples<V>, E>
where
    V: Copy + Default + Send + Sync,
    E: From<ParseError> + Send,
{
    let triples = read_lines(bytes, header.entries_at, header, building, progress, value)?;
    header.check_count(triples.rows.len() as u64)?;
    Ok(triples)
}

/// Reads the entries from place `start` on, however many they are.
pub(super) fn read_lines<V, E>(
    bytes: &[u8],
    start: usize,
    header: &Header,
    building: u64,
    progress: Option<&dyn Progress>,
    value: impl Fn(&mut Scanner) -> Result<V, E> + Sync,
) -> Result<Triples<V>, E>
where
    V: Copy + Default + Send + Sync,
    E: From<ParseError> + Send,
{
    let pieces = chunks::count(bytes, start, |scanner| scanner.lines());
    let lines: Vec<usize> = pieces.iter().map(|&(_, lines)| lines).collect();
    let most = lines.iter().sum();
    let bytes_read = Triples::<V>::memory_of(most as u64);
    let what = format_args!("reading {most} lines");
    memory::check(what, bytes_read.saturating_add(building)).map_err(ParseError::from)?;
    let (mut rows, mut columns) = (vec![0; most], vec![0; most]);
    let mut values = vec![V::default(); most];
    let places = split_by(&mut rows, lines.iter().copied())
        .into_iter()
        .zip(split_by(&mut columns, lines.iter().copied()))
        .zip(split_by(&mut values, lines.iter().copied()))
        .map(|((rows, columns), values)| Places { rows, columns, values });
    let chunks = pieces.into_iter().map(|(piece, _)| piece).zip(places).collect();
    let found = chunks::parse(bytes, chunks, progress, |scanner, places| {
        read_chunk(scanner, header, places, &value)
    })?;
    close_gaps(&mut rows, &lines, &found);
    close_gaps(&mut columns, &lines, &found);
    close_gaps(&mut values, &lines, &found);
    Ok(Triples { rows, columns, values })
}

/// Where a chunk's entries go: room for one a line.
struct Places<'a, V> {
    rows: &'a mut [u32],
    columns: &'a mut [u32],
    values: &'a mut [V],
}

/// Reads the entries of a chunk; gives their number.
fn read_chunk<V, E: From<ParseError>>(
    mut scanner: Scanner,
    header: &Header,
    places: Places<V>,
    value: impl Fn(&mut Scanner) -> Result<V, E>,
) -> Result<usize, E> {
    let (last_row, last_column) = (u64::from(header.rows), u64::from(header.columns));
    let mut count = 0;
    let mut places = places.rows.iter_mut().zip(places.columns).zip(places.values);
    while scanner.next_line(b"%")
        && let Some(((row, column), place)) = places.next()
    {
        let line = scanner.position();
        *row = scanner.number_in(1..last_row + 1, "row number")?;
        scanner.skip_blanks();
        *column = scanner.number_in(1..last_column + 1, "column number")?;
        scanner.skip_blanks();
        *place = value(&mut scanner)?;
        scanner.end_line()?;
        if header.symmetry == Symmetry::SkewSymmetric && row == column {
            return Err(on_diagonal(line, *row).into());
        }
        count += 1;
    }
    Ok(count)
}

/// Moves parts, of which each has only `used` of its `room`, together.
fn close_gaps<T: Copy>(numbers: &mut Vec<T>, room: &[usize], used: &[usize]) {
    let (mut from, mut to) = (0, 0);
    for (room, used) in room.iter().zip(used) {
        if from != to {
            numbers.copy_within(from..from + used, to);
        }
        from += room;
        to += used;
    }
    numbers.truncate(to);
}

#[cold]
fn on_diagonal(line: usize, row: u32) -> ParseError {
    let message = format!(
        "expected no entry on the diagonal of a skew-symmetric matrix, found one in row {}",
        row + 1
    );
    ParseError::At { byte: line, message }
}

/// What an entry off the diagonal says about the one across it.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mirror {
    /// Nothing.
    None,
    /// It has the same value.
    Same,
    /// It has the negated value.
    Negated,
}

/// The most bytes that [`assemble_matrix`] takes.
pub(super) fn memory_of_matrix<T: Value>(header: &Header, mirror: Mirror) -> u64 {
    let entries = header.entries.saturating_mul(if mirror == Mirror::None { 1 } else { 2 });
    assemble::memory_of::<T>(header.rows.into(), entries, 0)
}

/// The matrix that the entries make; `value` turns what was read into a number.
pub(super) fn assemble_matrix<V: Copy + Sync, T: Value>(
    header: &Header,
    triples: &Triples<V>,
    value: impl Fn(V) -> T + Sync,
    mirror: Mirror,
    options: &ReadOptions,
) -> Result<Matrix<T>, ParseError> {
    let entries =
        Mirrored { triples, value, mirror, drop_diagonal: options.self_loops == SelfLoops::Drop };
    let merge: fn(T, T) -> T = match options.duplicates {
        Duplicates::Keep => |a, b| a + b,
        Duplicates::Drop => |a, b| if b < a { b } else { a },
    };
    let rows = assemble(header.rows as usize, entries, Some(merge))?;
    let csr = Csr::unchecked(header.columns, rows.offsets.into(), rows.columns.into());
    Ok(Matrix::from_parts(csr, rows.values.into()))
}

struct Mirrored<'a, V, F> {
    triples: &'a Triples<V>,
    value: F,
    mirror: Mirror,
    drop_diagonal: bool,
}

impl<V: Copy + Sync, T: Value, F: Fn(V) -> T + Sync> Entries<T> for Mirrored<'_, V, F> {
    fn inputs(&self) -> usize {
        self.triples.rows.len()
    }

    fn most_per_input(&self) -> u64 {
        if self.mirror == Mirror::None { 1 } else { 2 }
    }

    fn visit(&self, range: Range<usize>, mut push: impl FnMut(u32, u32, T)) {
        for entry in range {
            let (row, column) = (self.triples.rows[entry], self.triples.columns[entry]);
            if row == column && self.drop_diagonal {
                continue;
            }
            let value = (self.value)(self.triples.values[entry]);
            push(row, column, value);
            if row != column {
                match self.mirror {
                    Mirror::None => {}
                    Mirror::Same => push(column, row, value),
                    Mirror::Negated => push(column, row, T::from_f64(-value.to_f64())),
                }
            }
        }
    }
}
