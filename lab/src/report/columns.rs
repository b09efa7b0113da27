//! Reading columns of a table by their names.

use crate::report::{Error, Result};

/// The cells of these columns in each row of a CSV text, with the number of the row's line.
pub(super) fn cells<const COUNT: usize>(
    csv: &str,
    names: [&str; COUNT],
) -> Result<Vec<(u64, [String; COUNT])>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().map_err(|error| wrong(1, error.to_string()))?.clone();
    let mut columns = [0; COUNT];
    for (column, name) in columns.iter_mut().zip(names) {
        let found = header.iter().position(|cell| cell == name);
        *column = found.ok_or_else(|| wrong(1, format!("no column `{name}`")))?;
    }
    let rows = reader.records().map(|record| {
        let record = record.map_err(|error| wrong(0, error.to_string()))?;
        let line = record.position().map_or(0, csv::Position::line);
        Ok((line, columns.map(|column| record.get(column).unwrap_or_default().to_owned())))
    });
    rows.collect()
}

/// The error of a line.
pub(super) fn wrong(line: u64, message: String) -> Error {
    Error::Reference { line, message }
}
