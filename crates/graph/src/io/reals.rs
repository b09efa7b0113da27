//! Floating-point numbers in text. None may become infinite or 0, and whole numbers must be exact.

use std::fmt::{Display, LowerExp};

use fast_float2::FastFloat;

use super::{
    error::ParseError,
    scan::{Scanner, ends_word, is_zero},
};

/// `f32` and `f64`, as read from text.
pub(super) trait Real: FastFloat + Into<f64> + Display + LowerExp {
    const MAX: Self;
    /// The smallest positive number.
    const LEAST: Self;
}

impl Real for f32 {
    const MAX: Self = f32::MAX;
    const LEAST: Self = f32::from_bits(1);
}

impl Real for f64 {
    const MAX: Self = f64::MAX;
    const LEAST: Self = f64::from_bits(1);
}

/// Reads a number, rounded to the nearest; `what` names it in errors.
#[inline(always)]
pub(super) fn real<F: Real>(scanner: &mut Scanner, what: &str) -> Result<F, ParseError> {
    match scanner.real() {
        Some(number) => Ok(number),
        None => Err(no_real::<F>(*scanner, what)),
    }
}

#[cold]
fn no_real<F: Real>(scanner: Scanner, what: &str) -> ParseError {
    match out_of_range::<F>(scanner) {
        Some(OutOfRange::TooLarge) => {
            scanner.expected(format_args!("{what} from -{0:e} to {0:e}", F::MAX))
        }
        Some(OutOfRange::TooSmall) => scanner
            .expected(format_args!("{what} that is 0 or no nearer to it than {:e}", F::LEAST)),
        None => scanner.expected(what),
    }
}

/// How a number is outside of the range of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutOfRange {
    /// It would become infinite.
    TooLarge,
    /// It is not 0, but would become 0.
    TooSmall,
}

/// How the number that starts at a position is outside of the range of `F`, if it is.
pub(super) fn out_of_range<F: FastFloat + Into<f64>>(scanner: Scanner) -> Option<OutOfRange> {
    let rest = &scanner.bytes()[scanner.position()..];
    let (value, length) = fast_float2::parse_partial::<F, _>(rest).ok()?;
    let (value, word): (f64, _) = (value.into(), &rest[..length]);
    if rest.get(length).is_some_and(|&byte| !ends_word(byte)) {
        return None;
    }
    if value.is_infinite() && word.iter().any(u8::is_ascii_digit) {
        Some(OutOfRange::TooLarge)
    } else if value == 0.0 && !is_zero(word) {
        Some(OutOfRange::TooSmall)
    } else {
        None
    }
}

/// Reads as [`real`] does, and rejects a whole number that would be rounded.
pub(super) fn exact_real<F: Real>(scanner: &mut Scanner, what: &str) -> Result<F, ParseError> {
    let start = *scanner;
    let number = real::<F>(scanner, what)?;
    let wide: f64 = number.into();
    let word = start.until(scanner);
    // Below, every whole number is exact in either type.
    let small = wide.abs() < 2f64.powi(24);
    if small || !is_whole(word) || is_exact(word, wide) {
        Ok(number)
    } else {
        Err(start.expected(format_args!(
            "a whole number that is exact as one of {} bits",
            8 * size_of::<F>()
        )))
    }
}

/// Whether a number is written without a point and an exponent.
pub(super) fn is_whole(word: &[u8]) -> bool {
    !word.is_empty() && digits_of(word).iter().all(u8::is_ascii_digit)
}

/// Whether the whole number in a word equals `number` exactly.
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
    fn whole_and_exact_numbers_are_recognized() {
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

    #[test]
    fn numbers_outside_of_a_range_are_distinguished() {
        let single = |text: &str| out_of_range::<f32>(Scanner::new(text.as_bytes(), 0));
        let double = |text: &str| out_of_range::<f64>(Scanner::new(text.as_bytes(), 0));
        for (text, expected) in [
            ("1e39", [Some(OutOfRange::TooLarge), None]),
            ("-1e309 ", [Some(OutOfRange::TooLarge); 2]),
            ("1e-50", [Some(OutOfRange::TooSmall), None]),
            ("-0.0001e-400", [Some(OutOfRange::TooSmall); 2]),
            ("0.000", [None; 2]),
            ("0e-400", [None; 2]),
            ("1e-400x", [None; 2]),
            ("inf", [None; 2]),
            ("x", [None; 2]),
        ] {
            assert_eq!([single(text), double(text)], expected, "{text}");
        }
    }
}
