//! Text tables: a header, a line, and rows with numbers aligned right.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

/// Longer tables are shortened unless the user requests all rows.
const LONGEST: usize = 14;
const FIRST_ROWS: usize = 7;
const LAST_ROWS: usize = 5;

const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─'));

/// A column, by its alignment.
#[derive(Clone, Copy)]
pub enum Column {
    /// Text, aligned left.
    Left(&'static str),
    /// Numbers, aligned right.
    Right(&'static str),
}

/// Draws a table of all rows.
pub fn draw(columns: &[Column], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(columns.iter().map(|column| match column {
        Column::Left(name) | Column::Right(name) => *name,
    }));
    for (index, column) in columns.iter().enumerate() {
        if let (Column::Right(_), Some(column)) = (column, table.column_mut(index)) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.add_rows(rows);
    table.trim_fmt()
}

/// `count` lines, made by `line`; shortened like a table unless `all`.
pub fn shortened(count: usize, all: bool, line: impl Fn(usize) -> String) -> Vec<String> {
    if all || count <= LONGEST {
        return (0..count).map(line).collect();
    }
    let ellipsis = format!("… {} more …", count - FIRST_ROWS - LAST_ROWS);
    let first = (0..FIRST_ROWS).map(&line);
    first.chain([ellipsis]).chain((count - LAST_ROWS..count).map(&line)).collect()
}

/// Draws a table of `count` rows, made by `row`. In a long table, only the first and the last rows
/// are made, with an ellipsis between them, unless `all`.
pub fn draw_shortened(
    columns: &[Column],
    count: usize,
    all: bool,
    row: impl Fn(usize) -> Vec<String>,
) -> String {
    if all || count <= LONGEST {
        return draw(columns, (0..count).map(row));
    }
    let ellipsis = columns.iter().map(|_| "…".to_owned()).collect();
    let first = (0..FIRST_ROWS).map(&row);
    let last = (count - LAST_ROWS..count).map(&row);
    draw(columns, first.chain([ellipsis]).chain(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[Column] = &[Column::Left("what"), Column::Right("how many")];

    #[test]
    fn numbers_are_aligned_right() {
        let rows = [vec!["a".into(), "7".into()], vec!["longer".into(), "1234567890".into()]];
        let lines: Vec<String> = draw(COLUMNS, rows).lines().map(str::to_owned).collect();
        assert_eq!(lines[0], " what      how many");
        assert_eq!(lines[2], " a                7");
        assert_eq!(lines[3], " longer  1234567890");
    }

    #[test]
    fn long_tables_are_shortened_to_both_ends() {
        let row = |index: usize| vec![index.to_string(), "x".into()];
        let short = draw_shortened(COLUMNS, 4000, false, row);
        assert_eq!(short.lines().count(), 2 + FIRST_ROWS + 1 + LAST_ROWS);
        assert!(short.contains(" 6 ") && short.contains('…') && short.contains(" 3999 "));
        assert!(!short.contains(" 7 "));
        assert_eq!(draw_shortened(COLUMNS, 40, true, row).lines().count(), 42);
    }
}
