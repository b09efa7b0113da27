//! Plausibility limits for the numbers that headers claim.

use super::error::ParseError;
use crate::Error;

/// The number of rows that any file may claim.
const ROWS_FOR_FREE: u64 = 1 << 24;
/// Further rows that a file may claim per byte.
const ROWS_PER_BYTE: u64 = 16;

/// The maximum number of rows, or vertices, that a file of `bytes` bytes may claim.
///
/// Each row takes eight bytes of memory even if it is empty, so a small file with a large claim
/// could exhaust memory. No realistic graph or matrix is rejected: up to 16.7 million rows may all
/// be empty, and beyond that rows may far outnumber entries.
pub(super) fn most_rows(bytes: usize) -> u64 {
    (bytes as u64).saturating_mul(ROWS_PER_BYTE).saturating_add(ROWS_FOR_FREE)
}

/// Checks that a text of `bytes` bytes may have `count` rows, columns or vertices, as claimed at
/// byte `at`.
pub(super) fn check_count(
    what: &'static str,
    count: u64,
    bytes: usize,
    at: usize,
) -> Result<u32, ParseError> {
    let wrong = |message: String| Err(ParseError::at_byte(at, message));
    let most = most_rows(bytes);
    match u32::try_from(count) {
        Err(_) => wrong(Error::TooMany { what, count }.to_string()),
        Ok(_) if count > most => wrong(format!(
            "this line says {count} {what}: more than the {most} that a file of {bytes} bytes may have"
        )),
        Ok(count) => Ok(count),
    }
}

/// Checks that `count` entries, as claimed at byte `at`, fit in `bytes` bytes of text if each takes
/// at least `least` bytes.
pub(super) fn check_entries(
    what: &'static str,
    count: u64,
    bytes: usize,
    least: usize,
    at: usize,
) -> Result<(), ParseError> {
    // The last line may lack its line end.
    let most = ((bytes + 1) / least) as u64;
    if count <= most {
        return Ok(());
    }
    let message = format!(
        "this line says {count} {what}, but only {bytes} bytes follow, which is room for at most {most}"
    );
    Err(ParseError::at_byte(at, message))
}

/// Checks that a file has the number of `what` that it states at byte `at`.
pub(super) fn check_stated(
    what: &'static str,
    stated: u64,
    found: u64,
    at: usize,
) -> Result<(), ParseError> {
    if found == stated {
        return Ok(());
    }
    let message = format!("expected {stated} {what}, as this line says, found {found}");
    Err(ParseError::at_byte(at, message))
}
