//! What a reader or a writer of one format says when it cannot go on.

use crate::Error;

/// Why bytes could not be read as their format. The caller, who knows the file, turns the place
/// into a line and makes an [`Error`] of it.
#[derive(Debug)]
pub(super) enum ParseError {
    /// The bytes are wrong at a place.
    At {
        /// The byte at which the offending word or line starts.
        byte: usize,
        /// What was expected and what was found.
        message: String,
    },
    /// The bytes are wrong as a whole, or the format has no lines.
    Whole(String),
    /// The bytes were understood, but make no graph.
    Graph(Error),
}

impl ParseError {
    /// The same error of a part that starts at place `start`.
    pub fn behind(self, start: usize) -> Self {
        match self {
            Self::At { byte, message } => Self::At { byte: start + byte, message },
            other => other,
        }
    }
}

impl From<Error> for ParseError {
    fn from(error: Error) -> Self {
        ParseError::Graph(error)
    }
}

/// Why a graph could not be written in a format.
#[derive(Debug)]
pub(super) enum WriteError {
    /// The system refused.
    Io(std::io::Error),
    /// The format cannot hold this, said so that it completes "… cannot hold".
    CannotHold(String),
    /// What the format asks for could not be made.
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
