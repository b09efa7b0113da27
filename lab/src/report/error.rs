//! Errors of results and their files.

use std::{io, path::PathBuf};

/// The version of the file that this program reads and writes.
pub const VERSION: u32 = 1;

/// Why results could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file is not valid JSON of results.
    #[error("this is not a file of results: {0}")]
    Json(#[from] serde_json::Error),
    /// The file has another version than this program writes.
    #[error(
        "these results are of version {found}, and this program reads version {VERSION}: \
         measure again, or use the program that wrote them"
    )]
    Version {
        /// The version in the file.
        found: u64,
    },
    /// A time, a speed or a size in the file is implausible.
    #[error("{what} is {value}: a number of 0 or more was expected")]
    Number {
        /// The quantity.
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
        /// The operating system's error.
        source: io::Error,
    },
}

/// The result of this module's operations.
pub type Result<T> = std::result::Result<T, Error>;
