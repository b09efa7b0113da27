//! Errors of graphs, matrices, tensors and their files.

use std::{
    io,
    path::{Path, PathBuf},
};

use crate::{MAX_ON_DEVICE, MAX_VERTICES};

/// The result of this crate's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a graph or a matrix could not be created, read or written.
///
/// ```
/// use equipoise_graph::{Edges, Error, GraphBuilder};
///
/// let error = GraphBuilder::new().vertices(2).build(Edges::from(vec![(0, 5)])).unwrap_err();
/// assert_eq!(error.to_string(), "vertex 5 does not exist: the graph has 2 vertices, numbered from 0");
/// assert!(matches!(error, Error::VertexOutOfRange { vertex: 5, vertices: 2 }));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be opened, read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The contents of a file are invalid in its format.
    #[error("{}:{} {message}", path.display(), line.map(|n| format!("{n}:")).unwrap_or_default())]
    Parse {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1; `None` for binary formats.
        line: Option<u64>,
        /// The expected and the actual input.
        message: String,
    },
    /// A file is ambiguous, or readable only in another way than was tried.
    #[error("{}:{line}: {message}", path.display())]
    Unclear {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// The expected and the actual input.
        message: String,
        /// The option that resolves the ambiguity.
        remedy: Remedy,
    },
    /// A file's format cannot be detected, or a format name is unknown.
    #[error("{message}")]
    UnknownFormat {
        /// The unknown name, and the known ones.
        message: String,
    },
    /// A format cannot represent the data.
    #[error("{format} cannot hold {what}")]
    Unsupported {
        /// The format.
        format: &'static str,
        /// What the format cannot represent.
        what: String,
    },
    /// A generator's spec string is invalid.
    #[error("{spec}: {message}")]
    Spec {
        /// The spec string.
        spec: String,
        /// What is wrong with the spec string.
        message: String,
    },
    /// An edge names a vertex past the end.
    #[error("vertex {vertex} does not exist: the graph has {vertices} vertices, numbered from 0")]
    VertexOutOfRange {
        /// The vertex.
        vertex: u64,
        /// The number of vertices.
        vertices: u64,
    },
    /// A nonzero lies outside of its tensor.
    #[error(
        "nonzero {nonzero} at ({}, {}, {}) does not exist: the tensor is of {} × {} × {}, numbered \
         from 0",
        coordinates[0], coordinates[1], coordinates[2], shape[0], shape[1], shape[2]
    )]
    NonzeroOutside {
        /// The number of the nonzero, counted from 0.
        nonzero: usize,
        /// Its coordinates.
        coordinates: [u32; 3],
        /// The size of each mode.
        shape: [u32; 3],
    },
    /// More vertices, rows or columns than 32-bit ids can number.
    #[error("{count} {what} are too many: the limit is {MAX_VERTICES}, as ids have 32 bits")]
    TooMany {
        /// `vertices`, `rows` or `columns`.
        what: &'static str,
        /// The requested number.
        count: u64,
    },
    /// More vertices and edges than a device can number.
    #[error(
        "{vertices} vertices and {edges} edges are too many for a device: together they must be \
         fewer than {MAX_ON_DEVICE}"
    )]
    TooManyForDevice {
        /// The number of vertices of the graph.
        vertices: u64,
        /// The number of edges of the graph.
        edges: u64,
    },
    /// The requested operation needs more memory than is available.
    #[error("{what} needs {needed} bytes of memory: {available} bytes are available")]
    OutOfMemory {
        /// The operation.
        what: String,
        /// The bytes that it needs.
        needed: u64,
        /// The available bytes.
        available: u64,
    },
    /// Compressed rows are inconsistent; the message says how.
    #[error("not a valid compressed sparse row structure: {0}")]
    Structure(String),
    /// A mapped file or a shared array was modified while it was read.
    #[error(
        "{what} was changed while it was read: start again once nobody writes to it; a file can be \
         replaced meanwhile, but not changed in place"
    )]
    Changed {
        /// The file or the array.
        what: String,
    },
    /// Two arrays that must have the same length do not.
    #[error("{what}: expected {expected} of them, found {found}")]
    Length {
        /// The counted elements.
        what: &'static str,
        /// The expected length.
        expected: u64,
        /// The actual length.
        found: u64,
    },
    /// A value is not representable in another type.
    #[error(
        "the value {} cannot be {kind}: whole numbers are not rounded, and no other may become infinite or 0",
        crate::numbers::short(.value)
    )]
    Inexact {
        /// The value.
        value: f64,
        /// The type's name: `f32` or `f64`.
        kind: &'static str,
    },
    /// A weight that must be a whole number is not.
    #[error("the weight {weight} cannot be u32: it is no whole number from 0 to 4294967295")]
    NotWhole {
        /// The weight.
        weight: f64,
    },
    /// A matrix that is not square cannot be converted to a graph.
    #[error("a graph needs a square matrix: this one has {rows} rows and {columns} columns")]
    NotSquare {
        /// The number of rows.
        rows: u32,
        /// The number of columns.
        columns: u32,
    },
}

impl Error {
    /// The error for numbers in memory of unknown origin that were modified concurrently.
    pub(crate) fn changed() -> Self {
        Self::Changed { what: "a file or a shared array".into() }
    }

    /// The operating system's error about a file.
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    /// The error that the contents of a file are invalid as a whole.
    pub(crate) fn invalid(path: &Path, message: impl Into<String>) -> Self {
        Self::Parse { path: path.to_owned(), line: None, message: message.into() }
    }
}

/// The option by which the caller resolves an ambiguous file.
///
/// ```
/// use equipoise_graph::{Error, Remedy, io::{Format, ReadOptions, parse_graph}};
///
/// let error = parse_graph(b"1,2\nx,3\n", Format::Csv, &ReadOptions::default()).unwrap_err();
/// assert!(matches!(error, Error::Unclear { line: 2, remedy: Remedy::Names, .. }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Whether the first line is a header: [`TableOptions::header`](crate::io::TableOptions::header).
    Header,
    /// The columns to read: [`TableOptions::columns`](crate::io::TableOptions::columns).
    Columns,
    /// Whether ids are numbers or names: [`TableOptions::ids`](crate::io::TableOptions::ids).
    Ids,
    /// Ids are names: [`IdKind::Names`](crate::io::IdKind::Names).
    Names,
    /// Ids are numbers: [`IdKind::Numbers`](crate::io::IdKind::Numbers).
    Numbers,
    /// Another format: [`ReadOptions::format`](crate::io::ReadOptions::format).
    Format(crate::io::Format),
}
