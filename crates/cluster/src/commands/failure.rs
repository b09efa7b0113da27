//! Why a command stops, said to a person, and the exit code that says it to a script.

use std::{io, path::Path};

use crate::Error;

/// The result of a command.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// What went wrong, what may help, and whose fault it was.
///
/// ```
/// use equipoise_cluster::commands::Failure;
///
/// let failure = Failure::usage("no such option").hint("take another");
/// assert_eq!(failure.code(), 2);
/// assert_eq!(failure.to_string(), "error: no such option\nhint: take another\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    message: String,
    hint: Option<String>,
    bad_usage: bool,
    /// Whether the message is all that is to be printed.
    as_it_is: bool,
}

impl Failure {
    /// The work failed: exit code 1.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::commands::Failure::new("the disk is full").code(), 1);
    /// ```
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, bad_usage: false, as_it_is: false }
    }

    /// The command makes no sense: exit code 2.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::commands::Failure::usage("no such option").code(), 2);
    /// ```
    pub fn usage(message: impl Into<String>) -> Self {
        Self { bad_usage: true, ..Self::new(message) }
    }

    /// The arguments make no sense, which clap says in its own words: exit code 2.
    pub(super) fn of_arguments(error: &clap::Error) -> Self {
        Self { as_it_is: true, ..Self::usage(error.render().ansi().to_string()) }
    }

    /// The system refused to write a file.
    pub(super) fn of_file(path: &Path, error: &io::Error) -> Self {
        Self::new(format!("{}: {error}", path.display()))
    }

    /// What went wrong, without the advice.
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// The same with advice.
    ///
    /// ```
    /// let failure = equipoise_cluster::commands::Failure::new("no edge").hint("add one");
    /// assert!(failure.to_string().ends_with("hint: add one\n"));
    /// ```
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The exit code.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::commands::Failure::new("no edge").code(), 1);
    /// ```
    pub fn code(&self) -> u8 {
        if self.bad_usage { 2 } else { 1 }
    }

    /// The same as what a rank said; one that all ranks agreed upon names that rank already.
    ///
    /// ```
    /// let failure = equipoise_cluster::commands::Failure::new("no edge").on_rank(3);
    /// assert_eq!(failure.to_string(), "error: rank 3: no edge\n");
    /// ```
    pub fn on_rank(mut self, rank: usize) -> Self {
        self.message = format!("rank {rank}: {}", self.message);
        self
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self.as_it_is {
            true => write!(f, "{}", self.message)?,
            false => writeln!(f, "error: {}", self.message)?,
        }
        match &self.hint {
            Some(hint) => writeln!(f, "hint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::new(error.to_string())
    }
}
