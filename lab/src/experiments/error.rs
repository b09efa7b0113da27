//! Errors of experiments.

use equipoise_cli::suite::SuiteError;

use crate::learn;

/// The result of this module's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an experiment failed.
///
/// ```
/// use equipoise_lab::experiments::Error;
///
/// let error = Error::from(equipoise::Error::Wrong("y has no numbers".into()));
/// assert_eq!(error.to_string(), "the result is wrong: y has no numbers");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An algorithm failed, or its result is wrong.
    #[error(transparent)]
    Run(#[from] equipoise::Error),
    /// Measurements could not be recorded.
    #[error(transparent)]
    Record(#[from] learn::Error),
    /// A suite, or a graph of it, cannot be read.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// The graph with this name is empty.
    #[error("{0}: the graph has no vertices to start from")]
    NoVertices(String),
    /// The requested candidates cannot be timed.
    #[error("{0}")]
    Candidates(String),
}
