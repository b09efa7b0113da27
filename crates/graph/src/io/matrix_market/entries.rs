//! The lines of entries, and the matrix built from them.

use std::ops::Range;

use super::header::{Header, Symmetry};
use crate::{
    Duplicates, Matrix, SelfLoops, Value,
    assemble::{self, Entries},
    io::{
        chunks::{self, split_by},
        commas,
        error::ParseError,
        options::{Progress, ReadOptions},
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

/// Reads all entries from byte `start` on, the value of each by `value`. Lines are counted first,
/// which costs less than concatenating parts later. The caller will need `building` further bytes.
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
    let slots = split_by(&mut rows, lines.iter().copied())
        .into_iter()
        .zip(split_by(&mut columns, lines.iter().copied()))
        .zip(split_by(&mut values, lines.iter().copied()))
        .map(|((rows, columns), values)| Slots { rows, columns, values });
    let chunks = pieces.into_iter().map(|(piece, _)| piece).zip(slots).collect();
    let counts = chunks::parse(bytes, chunks, progress, |scanner, slots| {
        read_chunk(scanner, header, slots, &value)
    })?;
    close_gaps(&mut rows, &lines, &counts);
    close_gaps(&mut columns, &lines, &counts);
    close_gaps(&mut values, &lines, &counts);
    Ok(Triples { rows, columns, values })
}

/// The output of a chunk: one slot per line.
struct Slots<'a, V> {
    rows: &'a mut [u32],
    columns: &'a mut [u32],
    values: &'a mut [V],
}

/// Reads the entries of a chunk; returns their number.
fn read_chunk<V, E: From<ParseError>>(
    mut scanner: Scanner,
    header: &Header,
    slots: Slots<V>,
    value: impl Fn(&mut Scanner) -> Result<V, E>,
) -> Result<usize, E> {
    let (last_row, last_column) = (u64::from(header.rows), u64::from(header.columns));
    let mut count = 0;
    let mut slots = slots.rows.iter_mut().zip(slots.columns).zip(slots.values);
    while scanner.next_line(b"%")
        && let Some(((row, column), slot)) = slots.next()
    {
        let line = scanner.position();
        *row = scanner.number_in(1..last_row + 1, "row number")?;
        scanner.skip_blanks();
        *column = scanner.number_in(1..last_column + 1, "column number")?;
        scanner.skip_blanks();
        *slot = value(&mut scanner)?;
        commas::end_line(&mut scanner)?;
        if header.symmetry == Symmetry::SkewSymmetric && row == column {
            return Err(on_diagonal(line, *row).into());
        }
        count += 1;
    }
    Ok(count)
}

/// Moves parts together, each of which fills only `used` of its `room` slots.
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
    ParseError::at_byte(
        line,
        format!(
            "expected no entry on the diagonal of a skew-symmetric matrix, found one in row {}",
            row + 1
        ),
    )
}

/// The entry across the diagonal that an off-diagonal entry implies.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mirror {
    None,
    /// One of the same value.
    Same,
    /// One of the negated value.
    Negated,
}

/// Reads a matrix; `value` converts what `read` reads to a number.
pub(super) fn read_matrix<V: Copy + Default + Send + Sync, T: Value>(
    bytes: &[u8],
    header: &Header,
    mirror: Mirror,
    options: &ReadOptions,
    read: impl Fn(&mut Scanner) -> Result<V, ParseError> + Sync,
    value: impl Fn(V) -> T + Sync,
) -> Result<Matrix<T>, ParseError> {
    let most = header.entries.saturating_mul(if mirror == Mirror::None { 1 } else { 2 });
    let building = assemble::memory_of::<T>(header.rows.into(), most, 0);
    let triples = &read_lines(bytes, header.entries_at, header, building, options.progress, read)?;
    header.check_count(triples.rows.len() as u64)?;
    let drop_diagonal = options.self_loops == SelfLoops::Drop;
    let entries = Mirrored { triples, value, mirror, drop_diagonal };
    let merge: fn(T, T) -> T = match options.duplicates {
        Duplicates::Keep => |a, b| a + b,
        Duplicates::Drop => |a, b| if b < a { b } else { a },
    };
    Ok(Matrix::assembled(header.rows, header.columns, entries, merge)?)
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
