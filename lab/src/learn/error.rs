//! Errors of tables and of training.

use std::path::PathBuf;

/// The result of this module's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a table could not be used, or a model could not be trained.
///
/// ```
/// use equipoise_lab::learn::{Error, Schema, Table};
///
/// let error = Table::new(Schema::new(&["frontier"], &["push", "push"]), vec![]).unwrap_err();
/// assert_eq!(error.to_string(), "the table has the candidate `push` twice");
/// assert!(matches!(error, Error::Table(_)));
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
        source: std::io::Error,
    },
    /// A file is not a table of measurements.
    #[error("{}:{line}: {message}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// The expected and the actual input.
        message: String,
    },
    /// A file has other features or candidates than the current ones.
    #[error("{}: {message}; give another file, or measure the same", path.display())]
    OtherSchema {
        /// The file.
        path: PathBuf,
        /// The difference.
        message: String,
    },
    /// A graph in a file is another than the current one of the same name.
    #[error(
        "{}: graph `{graph}` is {found} in this table, and {wanted} now; give another file, or the \
         graph another name",
        path.display()
    )]
    OtherOrigin {
        /// The file.
        path: PathBuf,
        /// The name of the graph.
        graph: String,
        /// The origin in the file.
        found: String,
        /// The current origin.
        wanted: String,
    },
    /// Another program is writing to the file.
    #[error("{}: another program is writing to this file", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A table is inconsistent.
    #[error("{0}")]
    Table(String),
    /// A name is not in the table.
    #[error("the table has no {what} `{name}`; it has: {}", quoted(known))]
    UnknownName {
        /// The kind of name: `feature` or `candidate`.
        what: &'static str,
        /// The unknown name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// There are too few graphs to learn from.
    #[error("{graphs} graphs are too few to {what}: at least {needed} are needed")]
    TooFewGraphs {
        /// The requested operation.
        what: &'static str,
        /// The number of graphs.
        graphs: usize,
        /// The required number.
        needed: usize,
    },
    /// There are too few steps to hold some of them out.
    #[error("{steps} steps are too few to {what}: at least {needed} are needed")]
    TooFewSteps {
        /// The requested operation.
        what: &'static str,
        /// The number of steps.
        steps: usize,
        /// The required number.
        needed: usize,
    },
    /// An option is invalid.
    #[error("{0}")]
    Option(String),
    /// A model does not fit the table.
    #[error(transparent)]
    Model(#[from] equipoise_select::Error),
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
