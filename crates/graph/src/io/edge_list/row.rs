//! The relevant cells of one line of a table of edges.

use std::borrow::Cow;

use super::{
    attributes,
    cells::{Cell, Cells, Delimiter},
    layout::{Layout, WeightAt},
};
use crate::io::{
    commas,
    error::ParseError,
    find::find,
    scan::Scanner,
    weights::{MISSING_WEIGHT, WeightColumn},
};

/// The relevant cells of a line. Positions are relative to the line's start.
pub(super) struct Row<'a> {
    pub ends: [Cell<'a>; 2],
    pub weight: Option<Cell<'a>>,
}

/// Splits a line, which must have the number of cells of the first.
pub(super) fn read_line<'a>(line: &'a [u8], layout: &Layout) -> Result<Row<'a>, ParseError> {
    read_plain_line(line, layout).map_or_else(|| read_any_line(line, layout), Ok)
}

/// Splits a line as nearly all are: only with the cells of an edge, and these without quotes and
/// without blanks around them.
#[inline(always)]
fn read_plain_line<'a>(line: &'a [u8], layout: &Layout) -> Option<Row<'a>> {
    let (Delimiter::Byte(delimiter), true) = (layout.delimiter, layout.has_only_edges()) else {
        return None;
    };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let source = plain_cell(line, 0, delimiter)?;
    let target = plain_cell(line, source.text.len() + 1, delimiter)?;
    let mut end = target.start + target.text.len();
    let mut weight = None;
    if layout.weight.is_some() {
        let cell = plain_cell(line, end + 1, delimiter)?;
        end = cell.start + cell.text.len();
        weight = Some(cell);
    }
    (end == line.len()).then_some(Row { ends: [source, target], weight })
}

/// The cell that starts at `start` and ends before a delimiter or at the end of the line.
#[inline(always)]
fn plain_cell(line: &[u8], start: usize, delimiter: u8) -> Option<Cell<'_>> {
    let rest = line.get(start..)?;
    let text = &rest[..find(rest, delimiter).unwrap_or(rest.len())];
    let is_plain = |byte: u8| !matches!(byte, b' ' | b'\t' | b'\r' | b'"' | b'{');
    let is_cell = is_plain(*text.first()?) && is_plain(*text.last()?);
    is_cell.then_some(Cell { text: Cow::Borrowed(text), start })
}

/// Splits any line.
fn read_any_line<'a>(line: &'a [u8], layout: &Layout) -> Result<Row<'a>, ParseError> {
    let weight_at = layout.weight.map(WeightAt::column);
    let (mut source, mut target, mut weight) = (None, None, None);
    let mut found = 0;
    for (column, cell) in Cells::new(line, layout.delimiter).enumerate() {
        let cell = cell?;
        if column == layout.width {
            return Err(too_many(line, layout, &cell));
        }
        if column == layout.source {
            source = Some(cell.clone());
        }
        if column == layout.target {
            target = Some(cell.clone());
        }
        if Some(column) == weight_at {
            weight = Some(cell);
        }
        found = column + 1;
    }
    let missing = |column: usize, what: &str| {
        let message =
            format!("expected a {what} in column {}, found the end of the line", column + 1);
        ParseError::at_byte(line.len(), message)
    };
    let source = source.ok_or_else(|| missing(layout.source, "vertex"))?;
    let target = target.ok_or_else(|| missing(layout.target, "vertex"))?;
    if let (Some(column), None) = (weight_at, &weight) {
        return Err(missing(column, "weight"));
    }
    if found < layout.width {
        let message = format!("expected {}, found {found}", layout.expected_cells());
        return Err(ParseError::at_byte(line.len(), message));
    }
    Ok(Row { ends: [source, target], weight })
}

/// The error for a line with more cells than the first.
#[cold]
fn too_many(line: &[u8], layout: &Layout, cell: &Cell) -> ParseError {
    let count = Cells::new(line, layout.delimiter).count();
    let message = format!("expected {}, found {count}", layout.expected_cells());
    let error = ParseError::at_byte(cell.start, message);
    // The delimiter may be a comma within a number.
    let before = line[..cell.start].iter().rev().skip(1).take_while(|byte| byte.is_ascii_digit());
    let start = cell.start - 1 - before.count();
    commas::with_advice(error, &line[start..cell.start + cell.text.len()])
}

/// Adds the weight of the line at byte `line` to `weights`; false if the attributes have none, in
/// which case it is 1.
pub(super) fn read_weight(
    line: Scanner,
    cell: Option<Cell>,
    layout: &Layout,
    weights: &mut WeightColumn,
) -> Result<bool, ParseError> {
    let Some(cell) = cell else { return Ok(true) };
    let (bytes, start) = (line.bytes(), line.position() + cell.start);
    if let Some(WeightAt::Attributes(_)) = layout.weight {
        let text = attributes::weight(bytes, start);
        weights.read(&mut text.unwrap_or(Scanner::new(MISSING_WEIGHT, 0)))?;
        return Ok(text.is_some());
    }
    let mut text = Scanner::new(&bytes[..start + cell.text.len()], start);
    let with_advice = |error| commas::with_advice(error, &cell.text);
    if cell.text.is_empty() {
        return Err(ParseError::at_byte(start, "expected a weight, found an empty cell"));
    }
    weights.read(&mut text).map_err(with_advice)?;
    match text.remaining() {
        0 => Ok(true),
        _ => Err(with_advice(text.expected("the end of the cell"))),
    }
}
