//! Parsers of numbers in arguments.

use bytesize::ByteSize;

/// The maximum number of repetitions of anything.
pub const MOST_REPEATS: u32 = 10_000;

/// Parses a whole number from `LEAST` to `MOST`.
pub fn whole<const LEAST: u32, const MOST: u32>(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| (LEAST..=MOST).contains(number));
    number.ok_or_else(|| format!("expected a whole number from {LEAST} to {MOST}"))
}

/// Parses a whole number of at least 1.
pub fn at_least_one(text: &str) -> Result<u32, String> {
    whole::<1, { u32::MAX }>(text)
}

/// Parses a number of bytes, such as 2GiB.
pub fn bytes(text: &str) -> Result<u64, String> {
    let size = text.parse::<ByteSize>();
    size.map(|size| size.as_u64())
        .map_err(|_| "expected a number of bytes, such as 500MB or 2GiB".into())
}
