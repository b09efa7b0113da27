//! Tables: the data of every chart, shown next to it and written to a file.

use serde_json::{Value, json};

use crate::report::quantity::{Quantity, Unit, titled};

/// Rows of numbers and names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub name: String,
    pub kind: Kind,
}

/// The kind of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    /// Numbers drawn along an axis, all of which share a unit.
    Along(Direction, Quantity),
    /// Numbers shown in the table only.
    TableOnly(Quantity),
}

/// The axes of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    X,
    Y,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Text(String),
    Number(f64),
    Missing,
}

impl From<Option<f64>> for Cell {
    fn from(number: Option<f64>) -> Self {
        number.filter(|number| number.is_finite()).map_or(Self::Missing, Self::Number)
    }
}

impl Column {
    pub fn text(name: &str) -> Self {
        Self { name: name.into(), kind: Kind::Text }
    }
}

impl Table {
    /// The display unit of each column.
    pub fn units(&self, is_log: impl Fn(Direction) -> bool) -> Vec<Unit> {
        let unit = |(index, column): (usize, &Column)| match column.kind {
            Kind::Text => Quantity::Count.base(),
            Kind::TableOnly(quantity) => quantity.unit_for(largest(self.numbers([index]))),
            Kind::Along(direction, quantity) => {
                let alike = self.positions(column.kind);
                quantity.unit_for(if is_log(direction) {
                    geometric_mean(self.numbers(alike))
                } else {
                    largest(self.numbers(alike))
                })
            }
        };
        self.columns.iter().enumerate().map(unit).collect()
    }

    /// The indices of the columns of one kind.
    fn positions(&self, kind: Kind) -> Vec<usize> {
        (0..self.columns.len()).filter(|&index| self.columns[index].kind == kind).collect()
    }

    fn numbers(
        &self,
        columns: impl IntoIterator<Item = usize> + Clone,
    ) -> impl Iterator<Item = f64> {
        let number = |cell: &Cell| match cell {
            Cell::Number(number) => Some(*number),
            _ => None,
        };
        let in_row = move |row: &Vec<Cell>| {
            let cells = columns.clone().into_iter().filter_map(|column| row.get(column));
            cells.filter_map(number).collect::<Vec<f64>>()
        };
        self.rows.iter().flat_map(in_row)
    }

    /// The table for the page, in the given units.
    pub fn to_page(&self, units: &[Unit]) -> Value {
        let columns = self.columns.iter().zip(units).map(|(column, unit)| {
            json!({ "title": titled(&column.name, *unit), "unit": unit.name,
                    "number": column.kind != Kind::Text })
        });
        let rows = self.rows.iter().map(|row| {
            let cells = row.iter().zip(units).map(|(cell, unit)| match cell {
                Cell::Text(text) => json!(text),
                Cell::Number(number) => json!(rounded(number * unit.factor)),
                Cell::Missing => Value::Null,
            });
            cells.collect::<Value>()
        });
        json!({ "columns": columns.collect::<Value>(), "rows": rows.collect::<Value>() })
    }
}

impl Cell {
    /// The cell as written to files.
    pub fn to_file(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Missing => String::new(),
        }
    }
}

/// Six digits, more than the precision of a clock; whole numbers stay unchanged.
fn rounded(number: f64) -> f64 {
    if number.fract() == 0.0 { number } else { format!("{number:.5e}").parse().unwrap_or(number) }
}

fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, f64::max)
}

/// The geometric mean of the positive numbers; 1 if none is positive.
pub(crate) fn geometric_mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let logarithms = numbers.filter(|&number| number > 0.0).map(f64::ln);
    let (sum, count) = logarithms.fold((0.0, 0u32), |(sum, count), ln| (sum + ln, count + 1));
    (sum / f64::from(count.max(1))).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_six_digits() {
        assert_eq!(rounded(0.001_234_567_89), 0.001_234_57);
        assert_eq!(rounded(16_777_214.0), 16_777_214.0);
        assert_eq!(rounded(0.0), 0.0);
    }

    #[test]
    fn zeros_have_no_geometric_mean() {
        assert!((geometric_mean([1.0, 100.0, 0.0].into_iter()) - 10.0).abs() < 1e-12);
        assert_eq!(geometric_mean([].into_iter()), 1.0);
    }
}
