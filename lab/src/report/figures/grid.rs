//! Numbers indexed by two names, mostly a graph and a strategy.

use std::collections::HashMap;

use crate::report::measured::median;

/// A matrix of numbers with named rows and columns; the median of repeated entries.
pub(super) struct Grid {
    pub rows: Vec<String>,
    pub columns: Vec<String>,
    cells: HashMap<(String, String), f64>,
}

impl Grid {
    /// Names keep the order of their first occurrence.
    pub fn new<'a>(numbers: impl IntoIterator<Item = (&'a str, &'a str, f64)>) -> Self {
        let numbers: Vec<_> = numbers.into_iter().collect();
        let mut all: HashMap<(String, String), Vec<f64>> = HashMap::new();
        for &(row, column, number) in &numbers {
            all.entry((row.into(), column.into())).or_default().push(number);
        }
        Self {
            rows: distinct(numbers.iter().map(|number| number.0)),
            columns: distinct(numbers.iter().map(|number| number.1)),
            cells: all.into_iter().map(|(names, numbers)| (names, median(numbers))).collect(),
        }
    }

    pub fn get(&self, row: &str, column: &str) -> Option<f64> {
        self.cells.get(&(row.to_owned(), column.to_owned())).copied()
    }

    /// The numbers of a column, one per row.
    pub fn column(&self, column: &str) -> Vec<Option<f64>> {
        self.rows.iter().map(|row| self.get(row, column)).collect()
    }

    /// The smallest number of a row.
    pub fn smallest(&self, row: &str) -> Option<f64> {
        self.columns.iter().filter_map(|column| self.get(row, column)).min_by(f64::total_cmp)
    }

    /// Each number divided by a number for its row.
    pub fn over(self, divisor: impl Fn(&Self, &str) -> Option<f64>) -> Self {
        let ratio = |((row, column), number): (&(String, String), &f64)| {
            let divisor = divisor(&self, row).filter(|&divisor| divisor > 0.0)?;
            Some(((row.clone(), column.clone()), number / divisor))
        };
        let cells = self.cells.iter().filter_map(ratio).collect();
        Self { cells, ..self }
    }

    /// The column with the smallest number of a row.
    pub fn first(&self, row: &str) -> Option<&str> {
        let numbers =
            self.columns.iter().filter_map(|column| Some((column, self.get(row, column)?)));
        numbers.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(column, _)| column.as_str())
    }
}

/// The distinct names in the order of their first occurrence.
pub(super) fn distinct<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for name in names {
        if !distinct.iter().any(|known| known == name) {
            distinct.push(name.into());
        }
    }
    distinct
}

/// A strategy or schedule without its settings: `virtual-warp` for `virtual-warp+plane+16`.
pub(super) fn strategy_of(name: &str) -> &str {
    name.split('+').next().unwrap_or_default()
}

/// Words as a list in a sentence.
pub(super) fn sentence_list(mut words: Vec<String>, most: usize) -> String {
    let more = words.len().saturating_sub(most);
    words.truncate(most);
    match (more, words.pop()) {
        (0, Some(last)) if words.is_empty() => last,
        (0, Some(last)) => format!("{} and {last}", words.join(", ")),
        (_, Some(last)) => {
            words.push(last);
            format!("{} and {more} more", words.join(", "))
        }
        (_, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_medians_in_the_order_of_names() {
        let grid = Grid::new([("b", "x", 4.0), ("a", "y", 6.0), ("b", "x", 2.0), ("a", "x", 3.0)]);
        assert_eq!(grid.rows, ["b", "a"]);
        assert_eq!(grid.columns, ["x", "y"]);
        assert_eq!(grid.column("x"), [Some(3.0), Some(3.0)]);
        assert_eq!(grid.column("y"), [None, Some(6.0)]);
        assert_eq!(grid.first("a"), Some("x"));
        let over = grid.over(Grid::smallest);
        assert_eq!(over.get("a", "y"), Some(2.0));
    }

    #[test]
    fn lists_read_as_people_write_them() {
        let words = |n: usize| ["one", "two", "three"][..n].iter().map(|w| (*w).into()).collect();
        assert_eq!(sentence_list(words(0), 3), "");
        assert_eq!(sentence_list(words(1), 3), "one");
        assert_eq!(sentence_list(words(3), 3), "one, two and three");
        assert_eq!(sentence_list(words(3), 2), "one, two and 1 more");
    }
}
