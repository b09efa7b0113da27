//! Numbers of floating-point types in text: within their range, and whole ones exact.

use std::fmt::{Display, LowerExp};

use fast_float2::FastFloat;

use super::{error::ParseError, scan::Scanner};

/// `f32` and `f64` as they are read.
pub(super) trait Real: FastFloat + Into<f64> + Display + LowerExp {
    const MAX: Self;
}

impl Real for f32 {
    const MAX: Self = f32::MAX;
}

impl Real for f64 {
    const MAX: Self = f64::MAX;
}

/// The number that starts here, rounded to the nearest; `what` is what it is called.
#[inline(always)]
pub(super) fn real<F: Real>(scanner: &mut Scanner, what: &str) -> Result<F, ParseError> {
    match scanner.real() {
        Some(number) => Ok(number),
        None => Err(no_real::<F>(*scanner, what)),
    }
}

#[cold]
fn no_real<F: Real>(scanner: Scanner, what: &str) -> ParseError {
    match scanner.is_beyond::<F>() {
        true => scanner.expected(format_args!("{what} from -{0:e} to {0:e}", F::MAX)),
        false => scanner.expected(what),
    }
}

/// Reads as [`real`] does, and refuses a whole number that would be rounded.
pub(super) fn exact_real<F: Real>(scanner: &mut Scanner, what: &str) -> Result<F, ParseError> {
    let start = *scanner;
    let number = real::<F>(scanner, what)?;
    let wide: f64 = number.into();
    let word = start.until(scanner);
    // Below, every whole number is exact in either type.
    let small = wide.abs() < 2f64.powi(24);
    match small || !is_whole(word) || is_exact(word, wide) {
        true => Ok(number),
        false => Err(start.expected(format_args!(
            "a whole number that is exact as one of {} bits",
            8 * size_of::<F>()
        ))),
    }
}

/// Whether a number is written without a point and an exponent.
pub(super) fn is_whole(word: &[u8]) -> bool {
    !word.is_empty() && digits_of(word).iter().all(u8::is_ascii_digit)
}

/// Whether the whole number that a word is was not rounded to `number`.
pub(super) fn is_exact(word: &[u8], number: f64) -> bool {
    let digits = digits_of(word);
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    let exact = format!("{:.0}", number.abs());
    match &digits[zeros..] {
        [] => number == 0.0,
        digits => digits == exact.as_bytes(),
    }
}

fn digits_of(word: &[u8]) -> &[u8] {
    word.strip_prefix(b"-").or_else(|| word.strip_prefix(b"+")).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_told_from_others_and_exact_ones_from_rounded() {
        for word in ["0", "-5", "+17", "000"] {
            assert!(is_whole(word.as_bytes()), "{word}");
        }
        for word in ["", "1.0", "1e3", "inf", "NaN", "1E3", ".5"] {
            assert!(!is_whole(word.as_bytes()), "{word}");
        }
        for (word, exact) in [
            ("16777216", true),
            ("-16777217", false),
            ("0016777218", true),
            ("4294967296", true),
            ("100000000000000000000000000000000000000", false),
            ("340282346638528859811704183484516925440", true),
            ("-0", true),
        ] {
            let rounded: f32 = word.parse().unwrap();
            assert_eq!(is_exact(word.as_bytes(), rounded.into()), exact, "{word}");
        }
    }
}
