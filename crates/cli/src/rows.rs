//! Files of rows.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

pub use equipoise_terminal::rows::{Cell, Layout, json_number};

use crate::failure::{Failure, Result};

/// A writer of rows.
pub struct Rows<'a> {
    path: PathBuf,
    out: Option<&'a mut dyn Write>,
    layout: Layout,
    header: Vec<String>,
    /// What is to be written next.
    text: String,
    is_first: bool,
}

impl<'a> Rows<'a> {
    /// Starts rows with `header` that are written to `out`, which is the file `path`.
    pub fn start(
        path: &Path,
        out: &'a mut dyn Write,
        layout: Layout,
        header: &[&str],
    ) -> Result<Self> {
        let mut rows = Self { path: path.to_owned(), out: Some(out), layout, ..Self::unwanted() };
        rows.header = header.iter().map(|&name| name.to_owned()).collect();
        rows.text = layout.head(header);
        rows.put()?;
        Ok(rows)
    }

    /// A writer that discards rows.
    pub fn unwanted() -> Self {
        let (path, layout, header) = (PathBuf::new(), Layout::Tsv, Vec::new());
        Self { path, out: None, layout, header, text: String::new(), is_first: true }
    }

    /// Whether rows are written: computing them may be expensive.
    pub fn wanted(&self) -> bool {
        self.out.is_some()
    }

    /// Writes a row with a cell for each name in the header.
    pub fn write(&mut self, cells: &[Cell]) -> Result<()> {
        if self.out.is_none() {
            return Ok(());
        }
        self.layout.row(&mut self.text, &self.header, cells, self.is_first);
        self.is_first = false;
        self.put()
    }

    /// Writes the end of the rows.
    pub fn finish(mut self) -> Result<()> {
        self.text.push_str(self.layout.tail());
        self.put()
    }

    /// Writes the text, and begins a new one.
    fn put(&mut self) -> Result<()> {
        let Some(out) = &mut self.out else { return Ok(()) };
        let written = out.write_all(self.text.as_bytes());
        self.text.clear();
        written.map_err(|error| Failure::of_file(&self.path, &error))
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
    fn json_parses_and_says_what_is_missing() {
        let value: serde_json::Value = serde_json::from_str(&written(Layout::Json, ROWS)).unwrap();
        assert_eq!(value[0]["vertex"], 7);
        assert_eq!(value[1]["vertex"], "a\"b");
        assert!(value[1]["level"].is_null());
        assert_eq!(written(Layout::Json, &[]).replace('\n', ""), "[]");
        let special: &[&[Cell]] = &[&[Cell::Double(f64::NAN), Cell::Single(f32::INFINITY)]];
        let value: serde_json::Value =
            serde_json::from_str(&written(Layout::Json, special)).unwrap();
        assert_eq!((&value[0]["vertex"], &value[0]["level"]), (&"NaN".into(), &"Infinity".into()));
        let special: &[&[Cell]] = &[&[Cell::Single(f32::NEG_INFINITY), Cell::Missing]];
        let value: serde_json::Value =
            serde_json::from_str(&written(Layout::Json, special)).unwrap();
        assert!(value[0]["vertex"] == "-Infinity" && value[0]["level"].is_null());
    }
}
