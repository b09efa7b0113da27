//! What can go wrong with a model.

use std::path::PathBuf;

/// The result of an operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a model could not be made, read or used.
///
/// ```
/// use equipoise_select::{Error, Model};
///
/// let error = Model::from_json("{}").unwrap_err();
/// assert_eq!(error.to_string(), "this is not a model: it has no `format`, which should be `equipoise-model`");
/// assert!(matches!(error, Error::Malformed(_)));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file holds no valid model.
    #[error("{}: {source}", path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<Error>,
    },
    /// A model contradicts itself or its format; the message says where.
    #[error("{0}")]
    Malformed(String),
    /// A model names a feature or a candidate that its user does not have.
    #[error(
        "the model uses the {what} `{name}`, which is not known here; known are: {}",
        quoted(known)
    )]
    UnknownName {
        /// `feature` or `candidate`.
        what: &'static str,
        /// The name.
        name: String,
        /// The names that are known.
        known: Vec<String>,
    },
    /// A model is asked to choose from nothing.
    #[error("none of the model's candidates is available: {}", quoted(candidates))]
    NoneAvailable {
        /// The candidates of the model.
        candidates: Vec<String>,
    },
}

pub(crate) fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
