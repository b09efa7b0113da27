//! What can go wrong with a graph, a matrix, a tensor or the file it comes from.

use std::path::PathBuf;

use crate::{MAX_ON_DEVICE, MAX_VERTICES};

/// The result of an operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a graph or a matrix could not be made, read or written.
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
        /// What the system said.
        source: std::io::Error,
    },
    /// A file does not say what its format asks for.
    #[error("{}:{} {message}", path.display(), line.map(|n| format!("{n}:")).unwrap_or_default())]
    Parse {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1; binary formats have none.
        line: Option<u64>,
        /// What was expected and what was found.
        message: String,
    },
    /// A file's format cannot be told from its name, or a name is of no format.
    #[error("{message}")]
    UnknownFormat {
        /// What was not known, and the known ones.
        message: String,
    },
    /// A format cannot hold what should be written.
    #[error("{format} cannot hold {what}")]
    Unsupported {
        /// The format.
        format: &'static str,
        /// What does not fit into it.
        what: String,
    },
    /// A generator's spec string is not understood.
    #[error("{spec}: {message}")]
    Spec {
        /// The spec as given.
        spec: String,
        /// What is wrong with it.
        message: String,
    },
    /// An edge names a vertex past the end.
    #[error("vertex {vertex} does not exist: the graph has {vertices} vertices, numbered from 0")]
    VertexOutOfRange {
        /// The vertex asked for.
        vertex: u64,
        /// How many there are.
        vertices: u64,
    },
    /// A nonzero lies outside of its tensor.
    #[error(
        "nonzero {nonzero} at ({}, {}, {}) does not exist: the tensor is of {} × {} × {}, numbered \
         from 0",
        place[0], place[1], place[2], shape[0], shape[1], shape[2]
    )]
    NonzeroOutside {
        /// Which nonzero, counted from 0.
        nonzero: usize,
        /// Its coordinates.
        place: [u32; 3],
        /// The size of each mode.
        shape: [u32; 3],
    },
    /// More vertices than 32-bit ids can name.
    #[error("{count} {what} are too many: the limit is {MAX_VERTICES}, as ids have 32 bits")]
    TooMany {
        /// `vertices`, `rows` or `columns`.
        what: &'static str,
        /// How many were asked for.
        count: u64,
    },
    /// More vertices and edges than a device can number.
    #[error(
        "{vertices} vertices and {edges} edges are too many for a device: together they must be \
         fewer than {MAX_ON_DEVICE}"
    )]
    TooManyForDevice {
        /// How many vertices the graph has.
        vertices: u64,
        /// How many edges it has.
        edges: u64,
    },
    /// What was asked for takes more memory than there is.
    #[error("{what} needs {needed} bytes of memory: {available} bytes are available")]
    OutOfMemory {
        /// What was asked for.
        what: String,
        /// The bytes it takes.
        needed: u64,
        /// The bytes there are.
        available: u64,
    },
    /// Compressed rows that contradict themselves.
    #[error("not a valid compressed sparse row structure: {0}")]
    Structure(String),
    /// Two arrays that belong together differ in length.
    #[error("{what}: expected {expected} of them, found {found}")]
    Length {
        /// What is counted.
        what: &'static str,
        /// How many there should be.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// A value that another type does not hold.
    #[error(
        "the value {value} cannot be {kind}: whole numbers are not rounded, and others must be in its range"
    )]
    Inexact {
        /// The value.
        value: f64,
        /// `f32` or `f64`.
        kind: &'static str,
    },
    /// A matrix that is not square cannot be a graph.
    #[error("a graph needs a square matrix: this one has {rows} rows and {columns} columns")]
    NotSquare {
        /// Rows of the matrix.
        rows: u32,
        /// Columns of the matrix.
        columns: u32,
    },
}
