//! The lines of entries, and the matrix they make.

use std::ops::Range;

use super::header::{Header, Symmetry};
use crate::{
    Csr, Duplicates, Matrix, SelfLoops, Value,
    assemble::{Entries, assemble},
    io::{
        Progress, ReadOptions,
        chunks::{self, concatenate},
        error::ParseError,
        scan::Scanner,
    },
};

/// Entries in the order of the file, counted from 0.
pub(super) struct Triples<V> {
    pub rows: Vec<u32>,
    pub columns: Vec<u32>,
    pub values: Vec<V>,
}

/// Reads all entries, each one's value by `value`.
pub(super) fn read<V, E>(
    bytes: &[u8],
    header: &Header,
    progress: Option<&dyn Progress>,
    value: impl Fn(&mut Scanner) -> Result<V, E> + Sync,
) -> Result<Triples<V>, E>
where
    V: Copy + Default + Send + Sync,
    E: From<ParseError> + Send,
{
    let parts = chunks::parse(bytes, header.entries_at, progress, |scanner| {
        read_chunk(scanner, header, &value)
    })?;
    let found: usize = parts.iter().map(|part| part.rows.len()).sum();
    if found as u64 != header.entries {
        let message =
            format!("expected {} entries, as this line says, found {found}", header.entries);
        return Err(ParseError::At { byte: header.sizes_at, message }.into());
    }
    let mut rows = Vec::with_capacity(parts.len());
    let mut columns = Vec::with_capacity(parts.len());
    let mut values = Vec::with_capacity(parts.len());
    for part in parts {
        rows.push(part.rows);
        columns.push(part.columns);
        values.push(part.values);
    }
    Ok(Triples {
        rows: concatenate(rows),
        columns: concatenate(columns),
        values: concatenate(values),
    })
}

fn read_chunk<V, E: From<ParseError>>(
    mut scanner: Scanner,
    header: &Header,
    value: impl Fn(&mut Scanner) -> Result<V, E>,
) -> Result<Triples<V>, E> {
    let (last_row, last_column) = (u64::from(header.rows), u64::from(header.columns));
    let lines = scanner.remaining_lines();
    let mut rows = Vec::with_capacity(lines);
    let mut columns = Vec::with_capacity(lines);
    let mut values = Vec::with_capacity(lines);
    while scanner.next_line(b"%") {
        let line = scanner.position();
        let row = scanner.number_in(1..last_row + 1, "row number")?;
        scanner.skip_blanks();
        let column = scanner.number_in(1..last_column + 1, "column number")?;
        scanner.skip_blanks();
        values.push(value(&mut scanner)?);
        scanner.end_line()?;
        if header.symmetry == Symmetry::SkewSymmetric && row == column {
            return Err(on_diagonal(line, row).into());
        }
        rows.push(row);
        columns.push(column);
    }
    Ok(Triples { rows, columns, values })
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

/// The matrix that the entries make; `value` turns what was read into a number.
pub(super) fn assemble_matrix<V: Copy + Sync, T: Value>(
    header: &Header,
    triples: &Triples<V>,
    value: impl Fn(V) -> T + Sync,
    mirror: Mirror,
    options: &ReadOptions,
) -> Matrix<T> {
    let entries =
        Mirrored { triples, value, mirror, drop_diagonal: options.self_loops == SelfLoops::Drop };
    let merge: fn(T, T) -> T = match options.duplicates {
        Duplicates::Keep => |a, b| a + b,
        Duplicates::Drop => |a, b| if b < a { b } else { a },
    };
    let rows = assemble(header.rows as usize, &entries, Some(merge));
    let csr = Csr::unchecked(header.columns, rows.offsets.into(), rows.columns.into());
    Matrix::from_parts(csr, rows.values.into())
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
