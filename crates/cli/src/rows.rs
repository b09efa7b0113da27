//! Results as rows of a text file: tab-separated, comma-separated, JSON or JSON lines.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use equipoise::{Distances, apsp::PairDistances, graph::VertexId};

use crate::failure::{Failure, Result};

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

impl<'a> From<VertexId<'a>> for Cell<'a> {
    fn from(id: VertexId<'a>) -> Self {
        match id {
            VertexId::Number(number) => Cell::Whole(number),
            VertexId::Name(name) => Cell::Word(name),
        }
    }
}

impl Cell<'_> {
    /// A distance of a pair, missing where there is no path.
    pub fn pair_distance(distances: &PairDistances, index: usize) -> Self {
        match distances {
            PairDistances::U32(values) if values[index] != u32::MAX => {
                Cell::Whole(values[index].into())
            }
            PairDistances::U64(values) if values[index] != u64::MAX => Cell::Whole(values[index]),
            PairDistances::F32(values) if values[index] != f32::INFINITY => {
                Cell::Single(values[index])
            }
            PairDistances::F64(values) if values[index] != f64::INFINITY => {
                Cell::Double(values[index])
            }
            _ => Cell::Missing,
        }
    }

    /// A distance, missing where there is no path.
    pub fn distance(distances: &Distances, index: usize) -> Self {
        match distances {
            Distances::U32(values) if values[index] != u32::MAX => {
                Cell::Whole(values[index].into())
            }
            Distances::U64(values) if values[index] != u64::MAX => Cell::Whole(values[index]),
            Distances::F32(values) if values[index] != f32::INFINITY => Cell::Single(values[index]),
            Distances::F64(values) if values[index] != f64::INFINITY => Cell::Double(values[index]),
            _ => Cell::Missing,
        }
    }
}

/// Writes rows.
pub struct Rows<'a> {
    path: PathBuf,
    out: Option<&'a mut dyn Write>,
    layout: Layout,
    header: Vec<String>,
    written: u64,
}

impl<'a> Rows<'a> {
    /// Rows under `header` that go to `out`, which is the file `path`.
    pub fn start(
        path: &Path,
        out: &'a mut dyn Write,
        layout: Layout,
        header: &[&str],
    ) -> Result<Self> {
        let started = match layout {
            Layout::Tsv => writeln!(out, "{}", header.join("\t")),
            Layout::Csv => writeln!(out, "{}", header.join(",")),
            Layout::Json => write!(out, "["),
            Layout::JsonLines => Ok(()),
        };
        started.map_err(|error| Failure::of_file(path, &error))?;
        let header = header.iter().map(|&name| name.to_owned()).collect();
        Ok(Self { path: path.to_owned(), out: Some(out), layout, header, written: 0 })
    }

    /// Rows that nobody wants.
    pub fn unwanted() -> Self {
        let (path, layout, header) = (PathBuf::new(), Layout::Tsv, Vec::new());
        Self { path, out: None, layout, header, written: 0 }
    }

    /// Whether rows are wanted: making them may be dear.
    pub fn wanted(&self) -> bool {
        self.out.is_some()
    }

    /// Writes a row with a cell for each name in the header.
    pub fn write(&mut self, cells: &[Cell]) -> Result<()> {
        let Some(out) = &mut self.out else { return Ok(()) };
        let first = self.written == 0;
        self.written += 1;
        let written = match self.layout {
            Layout::Tsv => write_separated(out, cells, "\t"),
            Layout::Csv => write_separated(out, cells, ","),
            Layout::Json => {
                let before = if first { "\n  " } else { ",\n  " };
                write!(out, "{before}").and_then(|()| write_object(out, &self.header, cells))
            }
            Layout::JsonLines => {
                write_object(out, &self.header, cells).and_then(|()| writeln!(out))
            }
        };
        written.map_err(|error| Failure::of_file(&self.path, &error))
    }

    /// Ends the rows.
    pub fn finish(self) -> Result<()> {
        match (self.out, self.layout) {
            (Some(out), Layout::Json) => {
                writeln!(out, "\n]").map_err(|error| Failure::of_file(&self.path, &error))
            }
            _ => Ok(()),
        }
    }
}

fn write_object(out: &mut dyn Write, header: &[String], cells: &[Cell]) -> io::Result<()> {
    write!(out, "{{")?;
    for (index, (name, cell)) in header.iter().zip(cells).enumerate() {
        write!(out, "{}\"{name}\": ", if index == 0 { "" } else { ", " })?;
        write_json(out, cell)?;
    }
    write!(out, "}}")
}

fn write_separated(out: &mut dyn Write, cells: &[Cell], separator: &str) -> io::Result<()> {
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            out.write_all(separator.as_bytes())?;
        }
        match cell {
            Cell::Missing => Ok(()),
            Cell::Whole(number) => write!(out, "{number}"),
            Cell::Single(number) => write!(out, "{number}"),
            Cell::Double(number) => write!(out, "{number}"),
            Cell::Word(word) if is_split(word, separator) => {
                write!(out, "\"{}\"", word.replace('"', "\"\""))
            }
            Cell::Word(word) => write!(out, "{word}"),
        }?;
    }
    out.write_all(b"\n")
}

/// Whether a word would be read as something else unless it stands in quotes.
fn is_split(word: &str, separator: &str) -> bool {
    word.contains(['"', '\n', '\r']) || word.contains(separator)
}

/// JSON has no infinity and no NaN: they become `null`.
fn write_json(out: &mut dyn Write, cell: &Cell) -> io::Result<()> {
    match cell {
        Cell::Whole(number) => write!(out, "{number}"),
        Cell::Single(number) if number.is_finite() => write!(out, "{number}"),
        Cell::Double(number) if number.is_finite() => write!(out, "{number}"),
        Cell::Word(word) => Ok(serde_json::to_writer(out, word)?),
        Cell::Missing | Cell::Single(_) | Cell::Double(_) => write!(out, "null"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(layout: Layout, rows: &[&[Cell]]) -> String {
        let mut bytes = Vec::new();
        let mut out = Rows::start("a".as_ref(), &mut bytes, layout, &["vertex", "level"]).unwrap();
        for row in rows {
            out.write(row).unwrap();
        }
        out.finish().unwrap();
        String::from_utf8(bytes).unwrap()
    }

    const ROWS: &[&[Cell]] =
        &[&[Cell::Whole(7), Cell::Single(0.1)], &[Cell::Word("a\"b"), Cell::Missing]];

    #[test]
    fn text_has_a_header_and_empty_cells() {
        assert_eq!(written(Layout::Tsv, ROWS), "vertex\tlevel\n7\t0.1\n\"a\"\"b\"\t\n");
        assert_eq!(written(Layout::Csv, ROWS), "vertex,level\n7,0.1\n\"a\"\"b\",\n");
        let word = [Cell::Word("a, b"), Cell::Word("c d")];
        assert_eq!(written(Layout::Csv, &[&word]), "vertex,level\n\"a, b\",c d\n");
        assert_eq!(written(Layout::Tsv, &[&word]), "vertex\tlevel\na, b\tc d\n");
        assert_eq!(written(Layout::Csv, &[]), "vertex,level\n");
    }

    #[test]
    fn json_lines_are_an_object_each() {
        let lines = written(Layout::JsonLines, ROWS);
        let lines: Vec<serde_json::Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((lines.len(), &lines[0]["vertex"]), (2, &7.into()));
        assert!(lines[1]["level"].is_null());
        assert_eq!(written(Layout::JsonLines, &[]), "");
    }

    #[test]
    fn json_parses_and_says_null() {
        let value: serde_json::Value = serde_json::from_str(&written(Layout::Json, ROWS)).unwrap();
        assert_eq!(value[0]["vertex"], 7);
        assert_eq!(value[1]["vertex"], "a\"b");
        assert!(value[1]["level"].is_null());
        assert_eq!(written(Layout::Json, &[]).replace('\n', ""), "[]");
        let odd: &[&[Cell]] = &[&[Cell::Double(f64::NAN), Cell::Single(f32::INFINITY)]];
        let value: serde_json::Value = serde_json::from_str(&written(Layout::Json, odd)).unwrap();
        assert!(value[0]["vertex"].is_null() && value[0]["level"].is_null());
    }
}
