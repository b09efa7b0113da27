//! Text files of edges of which a part can be read without the rest: for machines that have a part each.

mod head;
mod part;

use std::{
    borrow::Cow,
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    ReadOptions, compression::Compression, error::ParseError, format_of, input, input::Bytes,
    located, pairs::Counted, text,
};
use crate::{Error, Result};
use head::{Head, Rows};

pub use head::TextVertices;
pub use part::TextPart;

/// What some programs begin UTF-8 with.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// What line ends are looked for in before anything else is read.
const FIRST_PIECE: usize = 1 << 16;

/// A text file of edges: an edge list with numbers, one of the GAP Benchmark Suite, DIMACS or Matrix Market. It is mapped,
/// so that only the bytes of parts that are asked for are read.
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
    /// Opens a file and understands what comes before its edges.
    ///
    /// Fails where the file cannot be read, is compressed, is of another format, or names its vertices by words.
    pub fn open(path: &Path, options: &ReadOptions) -> Result<Self> {
        let format = format_of(path, options.format)?;
        let refused = |message: &str| refused(path, message);
        if let Some(compression) = Compression::of_path(path) {
            return Err(refused(&format!("is compressed by {}", compression.name())));
        }
        let metadata =
            fs::metadata(path).map_err(|source| Error::Io { path: path.to_owned(), source })?;
        if metadata.is_dir() {
            let source = io::ErrorKind::IsADirectory.into();
            return Err(Error::Io { path: path.to_owned(), source });
        }
        if !metadata.is_file() {
            return Err(refused("is a pipe or a device"));
        }
        if !head::FORMATS.contains(&format) {
            return Err(refused(&format!("is of the format {}", format.name())));
        }
        let bytes = input::open(path, true, None)?;
        let text = text_of(&bytes);
        let start = &text[..text.len().min(FIRST_PIECE)];
        if start.contains(&b'\r') && !start.contains(&b'\n') {
            return Err(refused("has lines that end by carriage returns alone"));
        }
        let head = Head::read(text, format, options).map_err(|error| located(error, path, text))?;
        let head =
            head.ok_or_else(|| refused("has vertices that are called by names, or other columns"))?;
        Ok(Self { path: path.to_owned(), bytes, head })
    }

    /// The number of its bytes.
    pub fn length(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// What its vertices are.
    pub fn vertices(&self) -> &TextVertices {
        &self.head.vertices
    }

    /// Whether it says that each edge stands for both directions.
    pub fn is_undirected(&self) -> bool {
        self.head.undirected
    }

    /// Whether its edges have weights.
    pub fn has_weights(&self) -> bool {
        self.head.has_weights()
    }

    /// Fails unless all parts together have as many edges as the file says, if it does.
    pub fn check_edges(&self, found: u64) -> Result<()> {
        let checked = match &self.head.rows {
            Rows::Pairs(..) => Ok(()),
            Rows::Dimacs(header) => header.check_count(found),
            Rows::Matrix(header) => header.check_count(found),
        };
        checked.map_err(|error| self.located(error))
    }

    /// Fails unless all parts together name as many vertices as the file says, if it does.
    pub fn check_vertices(&self, found: u64) -> Result<()> {
        let TextVertices::Any { told: Some(told), .. } = self.head.vertices else { return Ok(()) };
        if found == told {
            return Ok(());
        }
        let message = format!("expected {told} vertices, as this line says, found {found}");
        Err(self.located(ParseError::At { byte: 0, message }))
    }

    /// Part `part` of `parts` about equally long ones, cut at line ends. Its lines are counted, so that it is known how
    /// much memory it takes.
    pub fn piece(&self, part: usize, parts: usize) -> Result<TextPiece<'_>> {
        let text = text_of(&self.bytes);
        let (start, end) = (self.cut(part, parts), self.cut(part + 1, parts));
        // The line feed before tells how lines end.
        let before = if part == 0 { 0 } else { start.saturating_sub(1) };
        if start < end {
            let checked = text::normalize(&text[before..end]);
            let checked = checked.map_err(|error| self.located(error.behind(before)))?;
            if let Cow::Owned(_) = checked {
                let message = "expected lines that end by line feeds".into();
                return Err(self.located(ParseError::At { byte: start, message }));
            }
        }
        Ok(TextPiece { file: self, start, text: Counted::new(&text[..end], start) })
    }

    /// Where part `part` of `parts` starts: at a line.
    fn cut(&self, part: usize, parts: usize) -> usize {
        let text = text_of(&self.bytes);
        let first = self.head.edges_at.min(text.len());
        if part == 0 {
            return first;
        }
        let length = (text.len() - first) as u128;
        let from = first + (length * part as u128 / parts.max(1) as u128) as usize;
        // A line that starts just there is this part's.
        let from = from.saturating_sub(1).max(first);
        let rest = text[from..].iter().position(|&byte| byte == b'\n');
        rest.map_or(text.len(), |rest| from + rest + 1)
    }

    fn located(&self, error: ParseError) -> Error {
        located(error, &self.path, text_of(&self.bytes))
    }
}

/// The error that a file cannot be read in parts, and what to do.
pub(super) fn refused(path: &Path, message: &str) -> Error {
    let message = format!(
        "{message}, and cannot be read in parts: convert it on one machine, by `equipoise convert FILE FILE.eqp`"
    );
    Error::Parse { path: path.to_owned(), line: None, message }
}

/// The text behind the mark that some programs begin it with.
fn text_of(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}

/// A part of a [`TextFile`] whose lines were counted.
pub struct TextPiece<'a> {
    file: &'a TextFile,
    start: usize,
    text: Counted<'a>,
}

impl TextPiece<'_> {
    /// How many lines it has, of which each may be an edge.
    pub fn lines(&self) -> u64 {
        self.text.lines()
    }

    /// Reads its edges.
    ///
    /// Fails where a line is not what the format asks for; the error names the line.
    pub fn read(&self) -> Result<TextPart> {
        part::read(self).map_err(|error| self.file.located(error))
    }
}
