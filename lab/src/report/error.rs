//! What can go wrong with results and their files.

use std::{io, path::PathBuf};

use crate::report::data::VERSION;

/// Why results could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file is not results at all, or misses something.
    #[error("this is not a file of results: {0}")]
    Json(#[from] serde_json::Error),
    /// The file is of another version than this program writes.
    #[error(
        "these results are of version {found}, and this program reads version {VERSION}: \
         measure again, or use the program that wrote them"
    )]
    Version {
        /// The version that the file tells.
        found: u64,
    },
    /// A time, a speed or a size in the file cannot be what was measured.
    #[error("{what} is {value}: a number of 0 or more was expected")]
    Number {
        /// What the number is.
        what: String,
        /// The number.
        value: f64,
    },
    /// A reference file is not a table of times.
    #[error("line {line} of the reference file: {message}")]
    Reference {
        /// The line, from 1.
        line: u64,
        /// What is wrong, and what was expected.
        message: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// A result, or why there is none.
pub type Result<T> = std::result::Result<T, Error>;
