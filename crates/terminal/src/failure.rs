//! Failures of a program: a message for people, and an exit code for scripts.

use std::{fmt, io, path::Path};

use anstyle::{AnsiColor, Style};

/// The result of a command or a part of it.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// The reason of a failure, a hint, and whether the usage was wrong. `{:#}` prints it in color.
///
/// ```
/// use equipoise_terminal::failure::Failure;
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
    /// Whether the message is complete, with its colors.
    is_rendered: bool,
}

impl Failure {
    /// A failure of the work: exit code 1.
    ///
    /// ```
    /// assert_eq!(equipoise_terminal::failure::Failure::new("the disk is full").code(), 1);
    /// ```
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, bad_usage: false, is_rendered: false }
    }

    /// A usage error: exit code 2.
    ///
    /// ```
    /// assert_eq!(equipoise_terminal::failure::Failure::usage("no such option").code(), 2);
    /// ```
    pub fn usage(message: impl Into<String>) -> Self {
        Self { bad_usage: true, ..Self::new(message) }
    }

    /// An error in the arguments, with clap's message: exit code 2.
    pub fn of_arguments(error: &clap::Error) -> Self {
        Self { is_rendered: true, ..Self::usage(error.render().ansi().to_string()) }
    }

    /// A failure to write a file.
    pub fn of_file(path: &Path, error: &io::Error) -> Self {
        Self::new(format!("{}: {error}", path.display()))
    }

    /// Adds a hint.
    ///
    /// ```
    /// let failure = equipoise_terminal::failure::Failure::new("no edge").hint("add one");
    /// assert!(failure.to_string().ends_with("hint: add one\n"));
    /// ```
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same failure, reported by one rank.
    ///
    /// ```
    /// let failure = equipoise_terminal::failure::Failure::new("no edge").on_rank(3);
    /// assert_eq!(failure.to_string(), "error: rank 3: no edge\n");
    /// ```
    pub fn on_rank(mut self, rank: usize) -> Self {
        self.message = format!("rank {rank}: {}", self.message);
        self
    }

    /// The message, without the hint.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The exit code.
    ///
    /// ```
    /// assert_eq!(equipoise_terminal::failure::Failure::new("no edge").code(), 1);
    /// ```
    pub fn code(&self) -> u8 {
        if self.bad_usage { 2 } else { 1 }
    }

    /// Prints the failure to standard error.
    pub fn report(&self) {
        anstream::eprint!("{self:#}");
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let style = |style: Style| if f.alternate() { style } else { Style::new() };
        let error = style(AnsiColor::Red.on_default().bold());
        let hint_style = style(AnsiColor::Green.on_default());
        if self.is_rendered {
            write!(f, "{}", self.message)?;
        } else {
            writeln!(f, "{error}error:{error:#} {}", self.message)?;
        }
        match &self.hint {
            Some(hint) => writeln!(f, "{hint_style}hint:{hint_style:#} {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}

impl From<equipoise_graph::Error> for Failure {
    fn from(error: equipoise_graph::Error) -> Self {
        Self::new(error.to_string())
    }
}

/// Prints a warning to standard error.
pub fn warn(message: &str) {
    let style = AnsiColor::Yellow.on_default().bold();
    anstream::eprintln!("{style}warning:{style:#} {message}");
}
