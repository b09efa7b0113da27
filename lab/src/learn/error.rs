//! What can go wrong between measurements and a model.

use std::path::PathBuf;

/// The result of an operation of this module.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a table could not be used, or a model not be made of it.
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
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is no table of measurements.
    #[error("{}:{line}: {message}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// What was expected and what was found.
        message: String,
    },
    /// A file has other features or candidates than those that are measured now.
    #[error("{}: {message}; give another file, or measure the same", path.display())]
    OtherSchema {
        /// The file.
        path: PathBuf,
        /// What differs.
        message: String,
    },
    /// A graph of a file is another one than that of the same name which is measured now.
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
        /// What it is in the file.
        found: String,
        /// What it is now.
        wanted: String,
    },
    /// Another program is writing to the file.
    #[error("{}: another program is writing to this file", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A table contradicts itself.
    #[error("{0}")]
    Table(String),
    /// A name is not one of the table's.
    #[error("the table has no {what} `{name}`; it has: {}", quoted(known))]
    UnknownName {
        /// `feature` or `candidate`.
        what: &'static str,
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// There is too little to learn from.
    #[error("{graphs} graphs are too few to {what}: at least {needed} are needed")]
    TooFewGraphs {
        /// What was to be done.
        what: &'static str,
        /// How many there are.
        graphs: usize,
        /// How many there should be.
        needed: usize,
    },
    /// There are too few steps to hold some of them out.
    #[error("{steps} steps are too few to {what}: at least {needed} are needed")]
    TooFewSteps {
        /// What was to be done.
        what: &'static str,
        /// How many there are.
        steps: usize,
        /// How many there should be.
        needed: usize,
    },
    /// An option makes no sense.
    #[error("{0}")]
    Option(String),
    /// A model does not fit the table.
    #[error(transparent)]
    Model(#[from] equipoise_select::Error),
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
