//! Why the program stops, said to a person, and the exit code that says it to a script.

use std::{io, path::Path};

use crate::suite::SuiteError;

/// The result of anything the program does.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// What went wrong, what may help, and whose fault it was.
#[derive(Debug)]
pub struct Failure {
    message: String,
    hint: Option<String>,
    bad_usage: bool,
    /// Whether the message is all that is to be printed, colors included.
    as_it_is: bool,
}

impl Failure {
    /// The work failed: exit code 1.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, bad_usage: false, as_it_is: false }
    }

    /// The command makes no sense: exit code 2.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { bad_usage: true, ..Self::new(message) }
    }

    /// The arguments make no sense, which clap says in its own words: exit code 2.
    pub fn of_arguments(error: &clap::Error) -> Self {
        let message = error.render().ansi().to_string();
        Self { as_it_is: true, ..Self::usage(message) }
    }

    /// The system refused to write a file.
    pub fn of_file(path: &Path, error: &io::Error) -> Self {
        Self::new(format!("{}: {error}", path.display()))
    }

    /// The same with advice.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What went wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Says it on standard error.
    pub fn report(&self) {
        let style = anstyle::AnsiColor::Red.on_default().bold();
        match self.as_it_is {
            true => anstream::eprint!("{}", self.message),
            false => anstream::eprintln!("{style}error:{style:#} {}", self.message),
        }
        if let Some(hint) = &self.hint {
            let style = anstyle::AnsiColor::Green.on_default();
            anstream::eprintln!("{style}hint:{style:#} {hint}");
        }
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        if self.bad_usage { 2 } else { 1 }
    }
}

/// Says on standard error what a user should know though nothing failed.
pub fn warn(message: &str) {
    let style = anstyle::AnsiColor::Yellow.on_default().bold();
    anstream::eprintln!("{style}warning:{style:#} {message}");
}

impl From<equipoise::Error> for Failure {
    fn from(error: equipoise::Error) -> Self {
        Self::new(error.to_string())
    }
}

impl From<equipoise::graph::Error> for Failure {
    fn from(error: equipoise::graph::Error) -> Self {
        Self::new(error.to_string())
    }
}

impl From<SuiteError> for Failure {
    fn from(error: SuiteError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<equipoise::select::Error> for Failure {
    fn from(error: equipoise::select::Error) -> Self {
        Self::new(error.to_string())
    }
}

impl From<equipoise_schedule::Error> for Failure {
    fn from(error: equipoise_schedule::Error) -> Self {
        Self::new(error.to_string())
    }
}
