//! Errors of the readers and writers of single formats.

use std::path::Path;

use super::format::Format;
use crate::{Error, Remedy};

/// The name in errors for bytes that do not come from a file.
pub(super) const NO_FILE: &str = "input";

/// Why bytes could not be parsed. The caller, which knows the file, converts the position to a line
/// and creates an [`Error`].
#[derive(Debug)]
pub(super) enum ParseError {
    /// The bytes are invalid at a position, or ambiguous.
    At {
        /// The byte at which the offending word or line starts.
        byte: usize,
        message: String,
        /// The option that resolves the ambiguity.
        remedy: Option<Remedy>,
    },
    /// The bytes are invalid as a whole, or the format has no lines.
    Whole(String),
    /// The bytes are valid, but do not form a graph.
    Graph(Error),
}

impl ParseError {
    /// The bytes are invalid from byte `byte` on.
    pub fn at_byte(byte: usize, message: impl Into<String>) -> Self {
        Self::At { byte, message: message.into(), remedy: None }
    }

    /// The same error, about bytes that can be read with another option.
    pub fn with_remedy(self, option: Remedy) -> Self {
        match self {
            Self::At { byte, message, .. } => Self::At { byte, message, remedy: Some(option) },
            other => other,
        }
    }

    /// The same error, about bytes that no other option can read.
    pub fn without_remedy(self) -> Self {
        match self {
            Self::At { byte, message, .. } => Self::At { byte, message, remedy: None },
            other => other,
        }
    }

    /// The same error, for a part that starts at byte `start`.
    pub fn behind(self, start: usize) -> Self {
        match self {
            Self::At { byte, message, remedy } => Self::At { byte: start + byte, message, remedy },
            other => other,
        }
    }
}

impl From<Error> for ParseError {
    fn from(error: Error) -> Self {
        ParseError::Graph(error)
    }
}

/// Why a number could not be read in the type that was tried.
pub(super) enum Misfit {
    /// It needs another type than `u32`.
    NotU32,
    /// It is invalid in every type.
    Wrong(ParseError),
}

impl From<ParseError> for Misfit {
    fn from(error: ParseError) -> Self {
        Misfit::Wrong(error)
    }
}

/// Why a graph could not be written in a format.
#[derive(Debug)]
pub(super) enum WriteError {
    Io(std::io::Error),
    /// A property that the format cannot represent; completes "… cannot hold".
    CannotHold(String),
    /// Data required by the format could not be computed.
    Graph(Error),
}

impl From<Error> for WriteError {
    fn from(error: Error) -> Self {
        WriteError::Graph(error)
    }
}

impl From<std::io::Error> for WriteError {
    fn from(error: std::io::Error) -> Self {
        WriteError::Io(error)
    }
}

/// Adds the file and the line to a parse error.
pub(super) fn located(error: ParseError, path: &Path, bytes: &[u8]) -> Error {
    match error {
        ParseError::At { byte, message, remedy } => {
            let (path, line) = (path.to_owned(), line_of(byte, bytes));
            match remedy {
                None => Error::Parse { path, line: Some(line), message },
                Some(remedy) => Error::Unclear { path, line, message, remedy },
            }
        }
        ParseError::Whole(message) => Error::invalid(path, message),
        ParseError::Graph(error @ (Error::Parse { .. } | Error::Unclear { .. })) => error,
        ParseError::Graph(error @ Error::OutOfMemory { .. }) => located_memory(error, path),
        ParseError::Graph(error) => Error::invalid(path, error.to_string()),
    }
}

/// The line of a byte, counted from 1.
fn line_of(byte: usize, bytes: &[u8]) -> u64 {
    let before = &bytes[..byte.min(bytes.len())];
    before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1
}

/// Adds the file to an out-of-memory error.
fn located_memory(error: Error, path: &Path) -> Error {
    match error {
        Error::OutOfMemory { what, needed, available } => {
            Error::OutOfMemory { what: format!("{}: {what}", path.display()), needed, available }
        }
        other => other,
    }
}

/// Adds the file and the format to a write error.
pub(super) fn unwritten(error: WriteError, path: &Path, format: Format) -> Error {
    match error {
        WriteError::Io(source) => Error::io(path, source),
        WriteError::CannotHold(what) => Error::Unsupported { format: format.name(), what },
        WriteError::Graph(error) => located_memory(error, path),
    }
}
