//! How much of what a header claims is believed.

use super::error::ParseError;
use crate::Error;

/// Rows that any file may claim.
const ROWS_FOR_FREE: u64 = 1 << 24;
/// Further rows that a file may claim for each of its bytes.
const ROWS_PER_BYTE: u64 = 16;

/// The most rows, or vertices, that a file of `bytes` bytes may claim to have.
///
/// Each row takes eight bytes of memory even if it is empty, so a small file with a large claim
/// would take a lot for nothing. No graph or matrix of use is refused: up to 16.7 million rows
/// may all be empty, and past that there is room for many times more rows than entries.
pub(super) fn most_rows(bytes: usize) -> u64 {
    (bytes as u64).saturating_mul(ROWS_PER_BYTE).saturating_add(ROWS_FOR_FREE)
}

/// Checks that a text of `bytes` bytes may have the `count` rows, columns or vertices that it
/// claims at place `at`.
pub(super) fn check_count(
    what: &'static str,
    count: u64,
    bytes: usize,
    at: usize,
) -> Result<u32, ParseError> {
    let wrong = |message: String| Err(ParseError::At { byte: at, message });
    let most = most_rows(bytes);
    match u32::try_from(count) {
        Err(_) => wrong(Error::TooMany { what, count }.to_string()),
        Ok(_) if count > most => wrong(format!(
            "expected at most {most} {what} in a file of {bytes} bytes, found {count}"
        )),
        Ok(count) => Ok(count),
    }
}

/// Checks that `count` entries, as claimed at place `at`, can lie in `bytes` bytes of text of
/// which each takes `least` or more.
pub(super) fn check_entries(
    what: &'static str,
    count: u64,
    bytes: usize,
    least: usize,
    at: usize,
) -> Result<(), ParseError> {
    // The last line need not be ended.
    let most = ((bytes + 1) / least) as u64;
    if count > most {
        let message = format!(
            "expected at most {most} {what} in the {bytes} bytes that follow, found {count}"
        );
        return Err(ParseError::At { byte: at, message });
    }
    Ok(())
}
