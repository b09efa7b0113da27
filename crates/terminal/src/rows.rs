//! Results as rows of text: tab-separated, comma-separated, JSON or JSON lines.

use std::fmt::Write;

use equipoise_graph::{VertexId, numbers::name_of_not_finite};
use serde::Serializer;

/// The format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Tab-separated, with a header.
    Tsv,
    /// Comma-separated, with a header.
    Csv,
    /// An array of objects.
    Json,
    /// One object per line.
    JsonLines,
}

/// A cell. Missing values are empty, or `null` in JSON.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// A missing value.
    Missing,
    /// A whole number.
    Whole(u64),
    /// A number of 32 bits.
    Single(f32),
    /// A number of 64 bits.
    Double(f64),
    /// A word.
    Word(&'a str),
}

impl<'a> From<VertexId<'a>> for Cell<'a> {
    fn from(id: VertexId<'a>) -> Self {
        match id {
            VertexId::Number(number) => Cell::Whole(number),
            VertexId::Name(name) => Cell::Word(name),
        }
    }
}

impl Layout {
    /// The layout for a file extension; tab-separated for unknown ones.
    pub fn from_extension(extension: &str) -> Self {
        match extension {
            "csv" => Self::Csv,
            "json" => Self::Json,
            "jsonl" => Self::JsonLines,
            _ => Self::Tsv,
        }
    }

    /// The text before the rows.
    pub fn head(self, header: &[&str]) -> String {
        match self {
            Self::Tsv => format!("{}\n", header.join("\t")),
            Self::Csv => format!("{}\n", header.join(",")),
            Self::Json => "[".into(),
            Self::JsonLines => String::new(),
        }
    }

    /// The text after the rows.
    pub fn tail(self) -> &'static str {
        if self == Self::Json { "\n]\n" } else { "" }
    }

    /// Appends a row to `text`; `first` if it is the first one.
    pub fn row(self, text: &mut String, header: &[impl AsRef<str>], cells: &[Cell], first: bool) {
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

/// JSON has no infinity and no NaN: they become strings, and `null` means missing.
fn object(text: &mut String, header: &[impl AsRef<str>], cells: &[Cell]) {
    for (index, (name, cell)) in header.iter().zip(cells).enumerate() {
        text.push_str(if index == 0 { "{\"" } else { ", \"" });
        text.push_str(name.as_ref());
        text.push_str("\": ");
        match *cell {
            Cell::Whole(number) => append(text, number),
            Cell::Single(number) => match name_of_not_finite(number.into()) {
                None => append(text, number),
                Some(name) => append(text, format_args!("\"{name}\"")),
            },
            Cell::Double(number) => match name_of_not_finite(number) {
                None => append(text, number),
                Some(name) => append(text, format_args!("\"{name}\"")),
            },
            Cell::Word(word) => append(text, serde_json::Value::from(word)),
            Cell::Missing => text.push_str("null"),
        }
    }
    text.push('}');
}

/// Serializes a number as rows do: infinities and NaN as strings.
pub fn json_number<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match name_of_not_finite(*number) {
        None => serializer.serialize_f64(*number),
        Some(name) => serializer.serialize_str(name),
    }
}

fn append(text: &mut String, value: impl std::fmt::Display) {
    // Writing to a string cannot fail.
    let _ = write!(text, "{value}");
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
    fn json_has_null_for_missing_values() {
        let value: serde_json::Value = serde_json::from_str(&written(Layout::Json)).unwrap();
        assert_eq!((&value[0]["vertex"], &value[1]["vertex"]), (&7.into(), &"a\"b".into()));
        assert!(value[1]["level"].is_null());
        let not_finite = [Cell::Double(f64::NAN), Cell::Single(f32::NEG_INFINITY)];
        let mut text = String::new();
        Layout::JsonLines.row(&mut text, &["vertex", "level"], &not_finite, true);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&value["vertex"], &value["level"]), (&"NaN".into(), &"-Infinity".into()));
        let lines = written(Layout::JsonLines);
        let line: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
        assert_eq!(line["vertex"], 7);
    }
}
