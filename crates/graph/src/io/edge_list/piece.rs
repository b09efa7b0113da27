//! The edges of one piece of a table whose vertices have names.

use super::{
    cells::{Cell, Rows},
    interner::Interner,
    layout::Layout,
    row::{read_line, read_weight},
};
use crate::{
    WeightType,
    io::{error::ParseError, options::IdKind, scan::Scanner, weights::WeightColumn},
};

/// The edges of a piece of a text, between words of a table.
pub(super) struct Piece {
    /// The number of the table.
    pub table: usize,
    pub sources: Vec<u32>,
    pub targets: Vec<u32>,
    pub weights: Option<WeightColumn>,
    /// The number of edges whose attributes have no weight.
    pub without_weight: u64,
}

/// How to read a piece.
#[derive(Clone, Copy)]
pub(super) struct Reader<'l> {
    pub layout: &'l Layout,
    pub kind: IdKind,
    pub weights: WeightType,
}

/// Words that are looked up at once, of pairs of cells.
const BATCH: usize = 128;

impl Reader<'_> {
    /// Reads a piece of at most `most` lines. `table` is the index of `words`.
    pub fn read(
        self,
        scanner: Scanner,
        most: usize,
        table: usize,
        words: &mut Interner,
    ) -> Result<Piece, ParseError> {
        let column = |_| WeightColumn::with_capacity(self.weights, most);
        let mut piece = Piece {
            table,
            sources: Vec::with_capacity(most),
            targets: Vec::with_capacity(most),
            weights: self.layout.weight.map(column),
            without_weight: 0,
        };
        let mut ends = Vec::with_capacity(BATCH);
        for (start, line) in Rows::new(scanner.bytes(), scanner.position()) {
            let line_end = start + line.len();
            let text = Scanner::new(&scanner.bytes()[..line_end], start);
            if let Err(error) = self.read_row(text, &mut ends, &mut piece) {
                // Names in lines before, or before it in this line, are wrong first.
                return self.number(&ends, words, &mut piece).and(Err(error));
            }
            if ends.len() >= BATCH {
                self.number(&ends, words, &mut piece)?;
                ends.clear();
            }
        }
        self.number(&ends, words, &mut piece)?;
        Ok(piece)
    }

    /// Adds the ends of the edge in a line, and its weight.
    fn read_row<'a>(
        self,
        line: Scanner<'a>,
        ends: &mut Vec<Cell<'a>>,
        piece: &mut Piece,
    ) -> Result<(), ParseError> {
        let start = line.position();
        let row =
            read_line(&line.bytes()[start..], self.layout).map_err(|error| error.behind(start))?;
        ends.extend(row.ends.map(|end| Cell { start: start + end.start, ..end }));
        if let Some(weights) = &mut piece.weights {
            // Positions are absolute: some errors are reported only when all weights are known.
            let has_weight = read_weight(line, row.weight, self.layout, weights)?;
            piece.without_weight += u64::from(!has_weight);
        }
        Ok(())
    }

    /// Adds the numbers of the words of cells, by turns of a source and a target.
    fn number(
        self,
        ends: &[Cell],
        table: &mut Interner,
        piece: &mut Piece,
    ) -> Result<(), ParseError> {
        let mut words: Vec<&[u8]> = Vec::with_capacity(ends.len());
        for end in ends {
            words.push(if self.kind == IdKind::Numbers { numeral(end)? } else { &end.text });
        }
        let mut numbers = Vec::with_capacity(words.len());
        table.number_all(&words, &mut numbers, |index| check_name(&ends[index]))?;
        piece.sources.extend(numbers.iter().step_by(2));
        piece.targets.extend(numbers.iter().skip(1).step_by(2));
        Ok(())
    }
}

fn check_name(cell: &Cell) -> Result<(), ParseError> {
    let refused = |message: &str| Err(ParseError::at_byte(cell.start, message));
    if cell.text.is_empty() {
        refused("expected a name, found an empty cell")
    } else if std::str::from_utf8(&cell.text).is_err() {
        refused("expected a name in UTF-8, found other bytes")
    } else {
        Ok(())
    }
}

/// The digits of the number in a cell, without a sign and leading zeros.
fn numeral<'c>(cell: &'c Cell) -> Result<&'c [u8], ParseError> {
    let mut scanner = Scanner::new(&cell.text, 0);
    if scanner.unsigned().is_none() || scanner.remaining() > 0 {
        return Err(Scanner::new(&cell.text, 0)
            .expected("a vertex id of at most 64 bits")
            .behind(cell.start));
    }
    let digits = cell.text.strip_prefix(b"+").unwrap_or(&cell.text);
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    Ok(&digits[zeros.min(digits.len() - 1)..])
}
