//! The banner and the size line.

use crate::io::{
    error::ParseError,
    limits::{check_count, check_entries, check_stated},
    scan::Scanner,
};

#[derive(Clone, Copy, PartialEq)]
pub(in crate::io) enum Field {
    Pattern,
    Integer,
    Real,
}

/// The symmetry, which implies entries that are not listed.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::io) enum Symmetry {
    General,
    Symmetric,
    SkewSymmetric,
}

pub(in crate::io) struct Header {
    pub field: Field,
    pub symmetry: Symmetry,
    pub rows: u32,
    pub columns: u32,
    pub entries: u64,
    /// The byte at which the size line starts.
    pub sizes_at: usize,
    pub entries_at: usize,
}

impl Header {
    pub fn read(bytes: &[u8]) -> Result<Self, ParseError> {
        let mut scanner = Scanner::new(bytes, 0);
        choose(&mut scanner, &[("%%matrixmarket", ())], "a line that begins \"%%MatrixMarket\"")?;
        choose(&mut scanner, &[("matrix", ())], "\"matrix\"")?;
        choose(&mut scanner, &[("coordinate", ())], "\"coordinate\", as no other layout is read")?;
        let fields =
            [("pattern", Field::Pattern), ("integer", Field::Integer), ("real", Field::Real)];
        let field = choose(&mut scanner, &fields, "\"pattern\", \"integer\" or \"real\"")?;
        let symmetries = [
            ("general", Symmetry::General),
            ("symmetric", Symmetry::Symmetric),
            ("skew-symmetric", Symmetry::SkewSymmetric),
        ];
        scanner.skip_blanks();
        let symmetry_at = scanner;
        let symmetry =
            choose(&mut scanner, &symmetries, "\"general\", \"symmetric\" or \"skew-symmetric\"")?;
        if field == Field::Pattern && symmetry == Symmetry::SkewSymmetric {
            return Err(
                symmetry_at.expected("\"general\" or \"symmetric\", as a pattern has no values")
            );
        }
        scanner.end_line()?;
        Self::read_sizes(bytes, scanner, field, symmetry)
    }

    fn read_sizes(
        bytes: &[u8],
        mut scanner: Scanner,
        field: Field,
        symmetry: Symmetry,
    ) -> Result<Self, ParseError> {
        scanner.next_line(b"%");
        let sizes_at = scanner.position();
        let rows = scanner.count("the number of rows")?;
        let columns = scanner.count("the number of columns")?;
        let entries = scanner.count("the number of entries")?;
        scanner.end_line()?;
        let rows = check_count("rows", rows, bytes.len(), sizes_at)?;
        let columns = check_count("columns", columns, bytes.len(), sizes_at)?;
        let least = match field {
            Field::Pattern => "1 1\n".len(),
            Field::Integer | Field::Real => "1 1 1\n".len(),
        };
        check_entries("entries", entries, scanner.remaining(), least, sizes_at)?;
        let entries_at = scanner.position();
        let header = Self { field, symmetry, rows, columns, entries, sizes_at, entries_at };
        if symmetry != Symmetry::General {
            header.check_square("symmetry")?;
        }
        Ok(header)
    }

    /// Whether each entry stands for both directions of an edge.
    pub fn is_symmetric(&self) -> bool {
        self.symmetry == Symmetry::Symmetric
    }

    pub fn has_values(&self) -> bool {
        self.field != Field::Pattern
    }

    /// The number of edges per entry: two if the reverse edge has another weight.
    pub fn edges_per_entry(&self) -> u64 {
        if self.symmetry == Symmetry::SkewSymmetric { 2 } else { 1 }
    }

    /// Fails unless the file has the number of entries that its header states.
    pub fn check_count(&self, found: u64) -> Result<(), ParseError> {
        check_stated("entries", self.entries, found, self.sizes_at)
    }

    /// Fails unless the matrix is square, as `what` requires.
    pub fn check_square(&self, what: &str) -> Result<(), ParseError> {
        let (rows, columns) = (self.rows, self.columns);
        if rows == columns {
            return Ok(());
        }
        let message =
            format!("{what} needs a square matrix: this one has {rows} rows and {columns} columns");
        Err(ParseError::at_byte(self.sizes_at, message))
    }
}

/// Reads one of the known words, case-insensitively.
fn choose<T: Copy>(
    scanner: &mut Scanner,
    known: &[(&str, T)],
    expected: &str,
) -> Result<T, ParseError> {
    scanner.skip_blanks();
    let start = *scanner;
    let word = scanner.word();
    let found = known.iter().find(|(name, _)| *name == word);
    found.map(|&(_, meaning)| meaning).ok_or_else(|| start.expected(expected))
}
