//! Tables for people: a header, a line, and rows whose numbers are aligned right.

/// Tables longer than this are shortened unless the user wants all rows.
const LONGEST: usize = 14;
const FIRST_ROWS: usize = 7;
const LAST_ROWS: usize = 5;

/// How a column is aligned.
#[derive(Clone, Copy)]
pub enum Column {
    /// Words.
    Left(&'static str),
    /// Numbers.
    Right(&'static str),
}

/// Draws a table of `count` rows, made by `row`: of a long one, the first and the last with an ellipsis between them,
/// unless all are wanted.
pub fn draw(
    columns: &[Column],
    count: usize,
    all: bool,
    row: impl Fn(usize) -> Vec<String>,
) -> String {
    let names = columns.iter().map(|column| match column {
        Column::Left(name) | Column::Right(name) => (*name).to_owned(),
    });
    let mut rows: Vec<Vec<String>> = vec![names.collect()];
    if all || count <= LONGEST {
        rows.extend((0..count).map(row));
    } else {
        rows.extend((0..FIRST_ROWS).map(&row));
        rows.push(columns.iter().map(|_| "…".to_owned()).collect());
        rows.extend((count - LAST_ROWS..count).map(&row));
    }
    let widths: Vec<usize> = (0..columns.len())
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    let mut lines: Vec<String> = rows.iter().map(|row| line(columns, &widths, row)).collect();
    lines.insert(1, "─".repeat(widths.iter().map(|width| width + 2).sum()));
    lines.join("\n")
}

fn line(columns: &[Column], widths: &[usize], row: &[String]) -> String {
    let cells = columns.iter().zip(widths).zip(row).map(|((column, &width), cell)| match column {
        Column::Left(_) => format!(" {cell:<width$} "),
        Column::Right(_) => format!(" {cell:>width$} "),
    });
    cells.collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[Column] = &[Column::Left("what"), Column::Right("how many")];

    #[test]
    fn numbers_are_aligned_right() {
        let rows = [["a", "7"], ["longer", "1234567890"]];
        let row = |index: usize| rows[index].map(str::to_owned).to_vec();
        let table = draw(COLUMNS, 2, false, row);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines[0], " what      how many");
        assert_eq!(lines[2], " a                7");
        assert_eq!(lines[3], " longer  1234567890");
    }

    #[test]
    fn long_tables_are_shortened_to_both_ends() {
        let row = |index: usize| vec![index.to_string(), "x".into()];
        let short = draw(COLUMNS, 4000, false, row);
        assert_eq!(short.lines().count(), 2 + FIRST_ROWS + 1 + LAST_ROWS);
        assert!(short.contains(" 6 ") && short.contains('…') && short.contains(" 3999 "));
        assert_eq!(draw(COLUMNS, 40, true, row).lines().count(), 42);
    }
}
