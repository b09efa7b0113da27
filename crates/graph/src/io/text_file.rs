//! Text files of edges that can be read in parts, for machines that read one part each.

mod head;
mod part;

use std::{
    borrow::Cow,
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    compression::Compression,
    content,
    error::{ParseError, located},
    input::{self, Bytes},
    limits::check_stated,
    options::ReadOptions,
    pairs::Counted,
    text,
};
use crate::{Error, Result};
use head::{Head, Rows};
use part::text_of;

pub use head::TextVertices;
pub use part::{TextPart, TextPiece};

/// The number of bytes in which line ends are detected.
const FIRST_PIECE: usize = 1 << 16;

/// A text file of edges: a numeric edge list, GAP Benchmark Suite, DIMACS or Matrix Market. It is
/// mapped, so that only the bytes of requested parts are read.
///
/// ```
/// use equipoise_graph::io::{ReadOptions, TextFile};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("roads.el");
/// std::fs::write(&path, "0 1\n1 2\n2 3\n").unwrap();
/// let file = TextFile::open(&path, &ReadOptions::default())?;
/// let edges: Vec<usize> =
///     (0..2).map(|part| Ok(file.piece(part, 2)?.read()?.sources.len())).collect::<Result<_, equipoise_graph::Error>>()?;
/// assert_eq!(edges, [2, 1]);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub struct TextFile {
    path: PathBuf,
    bytes: Bytes,
    head: Head,
}

impl TextFile {
    /// Opens a file and parses the lines before its edges.
    ///
    /// Fails if the file cannot be read, is compressed, has another format, or names its vertices
    /// by words.
    pub fn open(path: &Path, options: &ReadOptions) -> Result<Self> {
        let refused = |message: &str| refused(path, message);
        if let Some(compression) = Compression::of_path(path) {
            return Err(refused(&format!("is compressed by {}", compression.name())));
        }
        let metadata = fs::metadata(path).map_err(|source| Error::io(path, source))?;
        if metadata.is_dir() {
            return Err(Error::io(path, io::ErrorKind::IsADirectory.into()));
        }
        if !metadata.is_file() {
            return Err(refused("is a pipe or a device"));
        }
        let format = content::detected(path, options.format, options.progress)?;
        if !head::FORMATS.contains(&format) {
            return Err(refused(&format!("is of the format {}", format.name())));
        }
        let bytes = input::open(path, true, None)?;
        let text = text_of(&bytes);
        let start = &text[..text.len().min(FIRST_PIECE)];
        if start.contains(&b'\r') && !start.contains(&b'\n') {
            return Err(refused("has lines that end by carriage returns alone"));
        }
        options.table.check(format).map_err(|error| located(error, path, text))?;
        let head = Head::read(text, format, options).map_err(|error| located(error, path, text))?;
        let head =
            head.ok_or_else(|| refused("has vertices that are called by names, or other columns"))?;
        Ok(Self { path: path.to_owned(), bytes, head })
    }

    /// The size in bytes.
    pub fn length(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The kind of its vertices.
    pub fn vertices(&self) -> &TextVertices {
        &self.head.vertices
    }

    /// Whether the file states that each edge stands for both directions.
    pub fn is_undirected(&self) -> bool {
        self.head.undirected
    }

    /// Whether its edges have weights.
    pub fn has_weights(&self) -> bool {
        self.head.has_weights()
    }

    /// Fails unless `found`, the number of edges in all parts, is what the file states, if it does.
    pub fn check_edges(&self, found: u64) -> Result<()> {
        let checked = match &self.head.rows {
            Rows::Pairs(_) => Ok(()),
            Rows::Dimacs(header) => header.check_count(found),
            Rows::Matrix(header) => header.check_count(found),
        };
        checked.map_err(|error| self.located(error))
    }

    /// Fails unless `found`, the number of vertices in all parts, is what the file states, if it
    /// does.
    pub fn check_vertices(&self, found: u64) -> Result<()> {
        let TextVertices::Any { stated_count: Some(stated), .. } = self.head.vertices else {
            return Ok(());
        };
        let checked = check_stated("vertices", stated, found, 0);
        checked.map_err(|error| self.located(error))
    }

    /// Part `part` of `parts` of about equal length, cut at line ends. Its lines are counted, so
    /// that its memory is known.
    pub fn piece(&self, part: usize, parts: usize) -> Result<TextPiece<'_>> {
        let text = text_of(&self.bytes);
        let (start, end) = (self.cut(part, parts), self.cut(part + 1, parts));
        // The preceding line feed shows how lines end.
        let before = if part == 0 { 0 } else { start.saturating_sub(1) };
        if start < end {
            let checked = text::normalize(&text[before..end]);
            let checked = checked.map_err(|error| self.located(error.behind(before)))?;
            if let Cow::Owned(_) = checked {
                let message = "expected lines that end by line feeds";
                return Err(self.located(ParseError::at_byte(start, message)));
            }
        }
        let Self { path, bytes, head } = self;
        Ok(TextPiece { path, bytes, head, start, text: Counted::new(&text[..end], start) })
    }

    /// The start of part `part` of `parts`, at the start of a line.
    fn cut(&self, part: usize, parts: usize) -> usize {
        let text = text_of(&self.bytes);
        let first = self.head.edges_at.min(text.len());
        if part == 0 {
            return first;
        }
        let length = (text.len() - first) as u128;
        let from = first + (length * part as u128 / parts.max(1) as u128) as usize;
        // A line that starts exactly here belongs to this part.
        let from = from.saturating_sub(1).max(first);
        let rest = text[from..].iter().position(|&byte| byte == b'\n');
        rest.map_or(text.len(), |rest| from + rest + 1)
    }

    fn located(&self, error: ParseError) -> Error {
        located(error, &self.path, text_of(&self.bytes))
    }
}

/// The error for a file that cannot be read in parts, with advice.
pub(super) fn refused(path: &Path, message: &str) -> Error {
    let advice = "and cannot be read in parts: convert it to .eqp on one machine";
    Error::invalid(path, format!("{message}, {advice}"))
}
