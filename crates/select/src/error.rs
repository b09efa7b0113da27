//! Errors of models.

use std::path::PathBuf;

/// The result of this crate's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a model could not be created, read or used.
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
        /// The operating system's error.
        source: std::io::Error,
    },
    /// A file contains no valid model.
    #[error("{}: {source}", path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with the file.
        source: Box<Error>,
    },
    /// A model contradicts itself or its format; the message names the location.
    #[error("{0}")]
    Malformed(String),
    /// A model names a feature or a candidate that the program does not have.
    #[error(
        "the model uses the {what} `{name}`, which is not known here; known are: {}",
        quoted(known)
    )]
    UnknownName {
        /// The kind of name: `feature` or `candidate`.
        what: &'static str,
        /// The unknown name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// No candidate of the model is available.
    #[error("none of the model's candidates is available: {}", quoted(candidates))]
    NoneAvailable {
        /// The model's candidates.
        candidates: Vec<String>,
    },
}

pub(crate) fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
