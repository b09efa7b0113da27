//! What can go wrong with an experiment.

/// The result of an operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an experiment was not made.
///
/// ```
/// use equipoise_experiments::Error;
///
/// let error = Error::from(equipoise::Error::Wrong("y has no numbers".into()));
/// assert_eq!(error.to_string(), "the result is wrong: y has no numbers");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An algorithm did not run, or its result is wrong.
    #[error(transparent)]
    Run(#[from] equipoise::Error),
    /// What was measured could not be recorded.
    #[error(transparent)]
    Record(#[from] equipoise_learn::Error),
    /// A suite, or a graph of it, cannot be read.
    #[error("{0}")]
    Suite(String),
    /// The candidates that were asked for cannot be timed.
    #[error("{0}")]
    Candidates(String),
}
