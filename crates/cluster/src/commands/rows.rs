//! Results as rows of text: tab-separated, comma-separated, JSON or JSON lines.

use std::{fmt::Write, path::Path};

use super::failure::{Failure, Result};

/// Endings of names that compress what is written.
const PACKED: [&str; 4] = ["gz", "zst", "xz", "bz2"];

/// What stands between the cells of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Tabs, under a header.
    Tsv,
    /// Commas, under a header.
    Csv,
    /// An array of objects.
    Json,
    /// An object a line.
    JsonLines,
}

/// One cell. What is missing is empty, or `null` in JSON.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    Missing,
    Whole(u64),
    Single(f32),
    Double(f64),
    Word(&'a str),
}

impl Layout {
    /// The one that a file's name tells, of `known` ones.
    pub fn of(path: &Path, known: &[&str]) -> Result<Self> {
        let ending = |path: &Path| {
            path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase())
        };
        let mut name = ending(path).unwrap_or_default();
        if PACKED.contains(&&*name) {
            name = path.file_stem().and_then(|stem| ending(stem.as_ref())).unwrap_or_default();
        }
        match name.as_str() {
            name if !known.contains(&name) => Err(Failure::usage(format!(
                "{}: the name must end with .{}",
                path.display(),
                known.join(", .")
            ))),
            "csv" => Ok(Self::Csv),
            "json" => Ok(Self::Json),
            "jsonl" => Ok(Self::JsonLines),
            _ => Ok(Self::Tsv),
        }
    }

    /// What stands before all rows.
    pub fn head(self, header: &[&str]) -> String {
        match self {
            Self::Tsv => format!("{}\n", header.join("\t")),
            Self::Csv => format!("{}\n", header.join(",")),
            Self::Json => "[".into(),
            Self::JsonLines => String::new(),
        }
    }

    /// What stands behind all rows.
    pub fn tail(self) -> &'static str {
        if self == Self::Json { "\n]\n" } else { "" }
    }

    /// Appends a row to `text`, the first of all or not.
    pub fn row(self, text: &mut String, header: &[&str], cells: &[Cell], first: bool) {
        match self {
            Self::Tsv => separated(text, cells, '\t'),
            Self::Csv => separated(text, cells, ','),
            Self::Json => {
                text.push_str(if first { "\n  " } else { ",\n  " });
                object(text, header, cells);
            }
            Self::JsonLines => {
                object(text, header, cells);
                text.push('\n');
            }
        }
    }
}

fn separated(text: &mut String, cells: &[Cell], separator: char) {
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            text.push(separator);
        }
        match *cell {
            Cell::Missing => {}
            Cell::Whole(number) => append(text, number),
            Cell::Single(number) => append(text, number),
            Cell::Double(number) => append(text, number),
            Cell::Word(word) if word.contains(['"', '\n', '\r', separator]) => {
                append(text, format_args!("\"{}\"", word.replace('"', "\"\"")));
            }
            Cell::Word(word) => text.push_str(word),
        }
    }
    text.push('\n');
}

/// JSON has no infinity and no NaN: they become `null`.
fn object(text: &mut String, header: &[&str], cells: &[Cell]) {
    for (index, (name, cell)) in header.iter().zip(cells).enumerate() {
        append(text, format_args!("{}\"{name}\": ", if index == 0 { "{" } else { ", " }));
        match *cell {
            Cell::Whole(number) => append(text, number),
            Cell::Single(number) if number.is_finite() => append(text, number),
            Cell::Double(number) if number.is_finite() => append(text, number),
            Cell::Word(word) => append(text, serde_json::Value::from(word)),
            Cell::Missing | Cell::Single(_) | Cell::Double(_) => text.push_str("null"),
        }
    }
    text.push('}');
}

/// Memory is where this goes, which does not fail.
fn append(text: &mut String, what: impl std::fmt::Display) {
    let _ = write!(text, "{what}");
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: [[Cell; 2]; 2] =
        [[Cell::Whole(7), Cell::Single(0.1)], [Cell::Word("a\"b"), Cell::Missing]];

    fn written(layout: Layout) -> String {
        let header = ["vertex", "level"];
        let mut text = layout.head(&header);
        for (index, row) in ROWS.iter().enumerate() {
            layout.row(&mut text, &header, row, index == 0);
        }
        text + layout.tail()
    }

    #[test]
    fn text_has_a_header_and_empty_cells() {
        assert_eq!(written(Layout::Tsv), "vertex\tlevel\n7\t0.1\n\"a\"\"b\"\t\n");
        assert_eq!(written(Layout::Csv), "vertex,level\n7,0.1\n\"a\"\"b\",\n");
    }

    #[test]
    fn json_parses_and_says_null() {
        let value: serde_json::Value = serde_json::from_str(&written(Layout::Json)).unwrap();
        assert_eq!((&value[0]["vertex"], &value[1]["vertex"]), (&7.into(), &"a\"b".into()));
        assert!(value[1]["level"].is_null());
        let lines = written(Layout::JsonLines);
        let line: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
        assert_eq!(line["vertex"], 7);
    }

    #[test]
    fn the_name_tells_the_layout() {
        let known = ["tsv", "csv", "json"];
        assert_eq!(Layout::of("a.csv.gz".as_ref(), &known), Ok(Layout::Csv));
        assert_eq!(Layout::of("a.JSON".as_ref(), &known), Ok(Layout::Json));
        let refused = Layout::of("a.npy".as_ref(), &known).unwrap_err();
        assert_eq!(refused.code(), 2);
        assert!(Layout::of("gz".as_ref(), &known).is_err());
    }
}
