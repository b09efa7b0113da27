//! Words and numbers in lines of text.

use std::{fmt::Display, ops::Range};

use fast_float2::FastFloat;

use super::error::ParseError;

/// Walks through the bytes of a text. Places are counted from the start of the whole text, also
/// where only a part of it is scanned.
///
/// What runs for every number is inlined and never lends the scanner to a function that is not,
/// so that it stays in registers.
#[derive(Clone, Copy)]
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    /// Scans `bytes` from place `start` on.
    pub fn new(bytes: &'a [u8], start: usize) -> Self {
        Self { bytes, at: start }
    }

    /// Where the scanner is.
    pub fn position(&self) -> usize {
        self.at
    }

    /// All bytes, those before this place too.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// How many bytes are left.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The number of lines that are left, the last of which need not be ended: a bound for what
    /// there is to store.
    pub fn lines(&self) -> usize {
        // Sums of up to 255 fit a byte, which lets the compiler add many at a time.
        let line_ends = |part: &[u8]| part.iter().map(|&byte| u8::from(byte == b'\n')).sum::<u8>();
        let rest = &self.bytes[self.at..];
        let unended = usize::from(rest.last().is_some_and(|&byte| byte != b'\n'));
        rest.chunks(255).map(|part| usize::from(line_ends(part))).sum::<usize>() + unended
    }

    /// The number of words that are left, of which commas end none.
    pub fn words(&self) -> usize {
        let blank = |byte: u8| byte.is_ascii_whitespace();
        let rest = &self.bytes[self.at..];
        let first = usize::from(rest.first().is_some_and(|&byte| !blank(byte)));
        rest.windows(2).filter(|pair| blank(pair[0]) && !blank(pair[1])).count() + first
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Goes to the first word of the next line that is neither blank nor starts with a byte of
    /// `comments`. Stays on the current line if it is not at its end. False where none is left.
    #[inline(always)]
    pub fn next_line(&mut self, comments: &[u8]) -> bool {
        loop {
            match self.peek() {
                None => return false,
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(byte) if comments.contains(&byte) => self.at = line_end(self.bytes, self.at),
                Some(_) => return true,
            }
        }
    }

    /// Takes the rest of the line, without its end; the scanner is then on the next line.
    pub fn rest_of_line(&mut self) -> &'a [u8] {
        let start = self.at;
        let end = line_end(self.bytes, start);
        self.at = (end + 1).min(self.bytes.len());
        &self.bytes[start..end]
    }

    /// The rest of the line, without its end; the scanner is then at its end.
    pub fn take_line(&mut self) -> &'a [u8] {
        let start = self.at;
        self.at = line_end(self.bytes, start);
        &self.bytes[start..self.at]
    }

    #[inline(always)]
    pub fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// Skips blanks with at most one comma among them; true where there was one.
    #[inline(always)]
    pub fn skip_separator(&mut self) -> bool {
        self.skip_blanks();
        let comma = self.peek() == Some(b',');
        if comma {
            self.at += 1;
            self.skip_blanks();
        }
        comma
    }

    /// Skips blanks; whether only the end of the line follows.
    #[inline(always)]
    pub fn at_line_end(&mut self) -> bool {
        self.skip_blanks();
        matches!(self.peek(), None | Some(b'\n'))
    }

    /// Goes to the next line, or says that this one should have ended.
    #[inline(always)]
    pub fn end_line(&mut self) -> Result<(), ParseError> {
        if !self.at_line_end() {
            return Err(self.expected("the end of the line"));
        }
        self.at = (self.at + 1).min(self.bytes.len());
        Ok(())
    }

    /// Skips one byte, if it is `byte`.
    pub fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// The word that starts here, in lower case; empty at the end of a line.
    pub fn word(&mut self) -> String {
        let word = self.peek_word();
        self.at += word.len();
        String::from_utf8_lossy(word).to_ascii_lowercase()
    }

    fn peek_word(&self) -> &'a [u8] {
        let rest = &self.bytes[self.at.min(self.bytes.len())..];
        let length = rest.iter().position(|byte| byte.is_ascii_whitespace());
        &rest[..length.unwrap_or(rest.len())]
    }

    /// The whole number from 0 that starts here. Without one, or where it needs more than 64
    /// bits, the scanner stays.
    #[inline(always)]
    pub fn unsigned(&mut self) -> Option<u64> {
        let start = self.at;
        let number = match self.bytes[start..].first_chunk::<8>() {
            None => unsigned_by_byte(self.bytes, start, start, 0),
            Some(window) => {
                let window = u64::from_le_bytes(*window);
                let (value, digits) = leading_digits(window);
                match digits {
                    1..8 if ends_word((window >> (8 * digits)) as u8) => {
                        Some((value, start + digits as usize))
                    }
                    8 => unsigned_by_byte(self.bytes, start, start + 8, value),
                    _ => unsigned_by_byte(self.bytes, start, start, 0),
                }
            }
        };
        let (value, end) = number?;
        self.at = end;
        Some(value)
    }

    /// The whole number of either sign that starts here. Without one, or where it needs more
    /// than 64 bits, the scanner stays.
    pub fn signed(&mut self) -> Option<i64> {
        let start = self.at;
        let negative = self.take(b'-');
        let magnitude = match self.peek() {
            Some(b'+') if negative => None,
            _ => self.unsigned(),
        };
        let value = magnitude.and_then(|magnitude| match negative {
            true => 0i64.checked_sub_unsigned(magnitude),
            false => magnitude.try_into().ok(),
        });
        if value.is_none() {
            self.at = start;
        }
        value
    }

    /// The number that starts here, rounded to the nearest. Without one, or where it is too
    /// large for `F`, the scanner stays.
    #[inline(always)]
    pub fn real<F: FastFloat + Into<f64>>(&mut self) -> Option<F> {
        let rest = &self.bytes[self.at..];
        let (value, length) = fast_float2::parse_partial::<F, _>(rest).ok()?;
        let finite = value.into().abs() <= f64::MAX;
        if !finite && rest[..length].iter().any(u8::is_ascii_digit) {
            return None;
        }
        if rest.get(length).is_some_and(|&byte| !ends_word(byte)) {
            return None;
        }
        self.at += length;
        Some(value)
    }

    /// Whether a number starts here that is too large for `F`.
    pub fn is_beyond<F: FastFloat + Into<f64>>(&self) -> bool {
        let rest = &self.bytes[self.at..];
        fast_float2::parse_partial::<F, _>(rest).is_ok_and(|(value, length)| {
            let whole_word = rest.get(length).is_none_or(|&byte| ends_word(byte));
            whole_word
                && value.into().is_infinite()
                && rest[..length].iter().any(u8::is_ascii_digit)
        })
    }

    /// What lies between here and where `end` is.
    pub fn until(&self, end: &Scanner) -> &'a [u8] {
        &self.bytes[self.at..end.at]
    }

    /// The error that something else was expected here.
    #[cold]
    pub fn expected(self, what: impl Display) -> ParseError {
        const LONGEST: usize = 40;
        let word = self.peek_word();
        let shown = String::from_utf8_lossy(&word[..word.len().min(LONGEST)]);
        let found = match word.len() {
            0 if self.at >= self.bytes.len() => "the end of the file".to_owned(),
            0 => "the end of the line".to_owned(),
            1..=LONGEST => format!("{shown:?}"),
            _ => format!("a word that begins {shown:?}"),
        };
        ParseError::At { byte: self.at, message: format!("expected {what}, found {found}") }
    }

    /// The number in `range` that starts here, less the first of them.
    #[inline(always)]
    pub fn number_in(&mut self, range: Range<u64>, what: &str) -> Result<u32, ParseError> {
        let start = *self;
        match self.unsigned() {
            Some(number) if range.contains(&number) => Ok((number - range.start) as u32),
            _ => Err(start.expected_number(range, what)),
        }
    }

    #[cold]
    fn expected_number(self, range: Range<u64>, what: &str) -> ParseError {
        match range.is_empty() {
            true => self.expected(format_args!("no {what}, as there are none")),
            false => {
                let (first, last) = (range.start, range.end - 1);
                self.expected(format_args!("a {what} from {first} to {last}"))
            }
        }
    }
}

/// Where the line that `at` lies in ends: the place of its line end, or of the end of the text.
fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |length| at + length)
}

/// The number that starts at `start` and its end, if the digits before `end` make `value`.
fn unsigned_by_byte(
    bytes: &[u8],
    start: usize,
    mut end: usize,
    mut value: u64,
) -> Option<(u64, usize)> {
    let first = start + usize::from(bytes.get(start) == Some(&b'+'));
    end = end.max(first);
    while let Some(digit) = bytes.get(end).filter(|byte| byte.is_ascii_digit()) {
        value = value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
        end += 1;
    }
    let whole_word = bytes.get(end).is_none_or(|&byte| ends_word(byte));
    (end > first && whole_word).then_some((value, end))
}

/// Whether a number that is followed by `byte` is a word of its own.
#[inline(always)]
fn ends_word(byte: u8) -> bool {
    byte <= b' ' || byte == b','
}

/// The number that the digits at the start of eight bytes (the first in the lowest place) make,
/// and how many digits there are.
#[inline(always)]
fn leading_digits(window: u64) -> (u64, u32) {
    // Digits become 0 to 9. Adding 0x76 to such a byte leaves its highest bit clear, and to
    // any other sets it, at the latest by the bit it already had; carries only go upwards, past
    // the first byte that is not a digit.
    let values = window ^ 0x3030_3030_3030_3030;
    let others = (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080;
    let digits = others.trailing_zeros() / 8;
    if digits == 0 {
        return (0, 0);
    }
    // Moved up so that zeros lead; then pairs, fours and all eight digits are joined.
    let values = values << (64 - 8 * digits);
    let pairs = (values.wrapping_mul(10) + (values >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs.wrapping_mul(100) + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    let all = (fours.wrapping_mul(10_000) + (fours >> 32)) & 0xffff_ffff;
    (all, digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn unsigned_numbers_read_as_the_standard_library_reads_them(
            number in prop_oneof![0..100u64, any::<u32>().prop_map(u64::from), any::<u64>()],
            zeros in 0..12usize,
            after in "[ ,\t\n]{0,9}",
        ) {
            let text = format!("{}{number}{after}", "0".repeat(zeros));
            let mut scanner = Scanner::new(text.as_bytes(), 0);
            prop_assert_eq!(scanner.unsigned(), Some(number));
            prop_assert_eq!(scanner.position(), text.len() - after.len());
        }

        #[test]
        fn words_that_are_no_number_are_left_alone(text in "[-+.x0-9]{1,12}", after in "[ \n]{0,9}") {
            let whole = format!("{text}{after}");
            let mut scanner = Scanner::new(whole.as_bytes(), 0);
            prop_assert_eq!(scanner.unsigned(), text.parse().ok());
            let mut scanner = Scanner::new(whole.as_bytes(), 0);
            prop_assert_eq!(scanner.signed(), text.parse().ok());
        }
    }

    #[test]
    fn numbers_beyond_their_type_are_none() {
        let none = |text: &str| Scanner::new(text.as_bytes(), 0).unsigned().is_none();
        assert!(none("18446744073709551616") && none("+") && none(""));
        let signed = |text: &str| Scanner::new(text.as_bytes(), 0).signed();
        assert_eq!(signed("-9223372036854775808"), Some(i64::MIN));
        assert_eq!((signed("9223372036854775808"), signed("-+5")), (None, None));
        let real = |text: &str| Scanner::new(text.as_bytes(), 0).real::<f32>();
        assert_eq!((real("1e39"), real("-inf")), (None, Some(f32::NEG_INFINITY)));
        assert_eq!((real("+5 "), real("2.5e-1"), real("1.5x")), (Some(5.0), Some(0.25), None));
    }
}
