//! A scanner of words and numbers in lines of text.

use std::{fmt::Display, ops::Range};

use fast_float2::FastFloat;

use super::{error::ParseError, find::find};

/// A position in the bytes of a text. Positions are relative to the start of the whole text, even
/// if only a part of it is scanned.
///
/// Functions on the hot path are inlined and never pass the scanner by reference to others, so that
/// it stays in registers.
#[derive(Clone, Copy)]
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    /// Scans `bytes` from position `start` on.
    pub fn new(bytes: &'a [u8], start: usize) -> Self {
        Self { bytes, at: start }
    }

    pub fn position(&self) -> usize {
        self.at
    }

    /// All bytes, including those before the position.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The number of remaining bytes.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The number of remaining lines, the last of which may lack its line end: an upper bound for
    /// allocations.
    pub fn lines(&self) -> usize {
        // Sums up to 255 fit in a byte, which lets the compiler vectorise the additions.
        let line_ends = |part: &[u8]| part.iter().map(|&byte| u8::from(byte == b'\n')).sum::<u8>();
        let rest = &self.bytes[self.at..];
        let unended = usize::from(rest.last().is_some_and(|&byte| byte != b'\n'));
        rest.chunks(255).map(|part| usize::from(line_ends(part))).sum::<usize>() + unended
    }

    /// The number of remaining words; commas do not end words.
    pub fn words(&self) -> usize {
        let blank = |byte: u8| byte.is_ascii_whitespace();
        let rest = &self.bytes[self.at..];
        let first = usize::from(rest.first().is_some_and(|&byte| !blank(byte)));
        rest.windows(2).filter(|pair| blank(pair[0]) && !blank(pair[1])).count() + first
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips to the first word of the next line that is neither blank nor starts with a byte of
    /// `comments`. Stays on the current line unless at its end. False at the end of the text.
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

    /// Consumes the rest of the line including its end; returns it without the end.
    pub fn rest_of_line(&mut self) -> &'a [u8] {
        let start = self.at;
        let end = line_end(self.bytes, start);
        self.at = (end + 1).min(self.bytes.len());
        &self.bytes[start..end]
    }

    /// Consumes the rest of the line up to its end, and returns it.
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

    /// Skips blanks with at most one comma among them; true if a comma was skipped.
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

    /// Skips blanks; true if only the end of the line follows.
    #[inline(always)]
    pub fn at_line_end(&mut self) -> bool {
        self.skip_blanks();
        matches!(self.peek(), None | Some(b'\n'))
    }

    /// Like [`at_line_end`](Self::at_line_end), without moving.
    pub fn is_at_end_of_line(mut self) -> bool {
        self.at_line_end()
    }

    /// Skips to the next line; fails if the current line has further words.
    #[inline(always)]
    pub fn end_line(&mut self) -> Result<(), ParseError> {
        if !self.at_line_end() {
            return Err(self.expected("the end of the line"));
        }
        self.at = (self.at + 1).min(self.bytes.len());
        Ok(())
    }

    /// Skips one byte if it equals `byte`.
    pub fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Whether the previous byte is a tab.
    #[inline(always)]
    pub fn is_after_tab(&self) -> bool {
        self.at > 0 && self.bytes[self.at - 1] == b'\t'
    }

    /// Consumes a word, in lower case; empty at the end of a line.
    pub fn word(&mut self) -> String {
        let word = self.peek_word();
        self.at += word.len();
        String::from_utf8_lossy(word).to_ascii_lowercase()
    }

    /// The word that starts here, or its remainder.
    pub fn peek_word(&self) -> &'a [u8] {
        let rest = &self.bytes[self.at.min(self.bytes.len())..];
        let length = rest.iter().position(|byte| byte.is_ascii_whitespace());
        &rest[..length.unwrap_or(rest.len())]
    }

    /// The word that contains this position, delimited by blanks.
    pub fn word_around(&self) -> &'a [u8] {
        let before = self.bytes[..self.at].iter().rposition(|byte| byte.is_ascii_whitespace());
        let start = before.map_or(0, |before| before + 1);
        Scanner { at: start, ..*self }.peek_word()
    }

    /// Consumes a whole number from 0 on. If the word is none, or needs more than 64 bits, the
    /// scanner stays.
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

    /// Consumes a whole number of either sign. If the word is none, or needs more than 64 bits, the
    /// scanner stays.
    pub fn signed(&mut self) -> Option<i64> {
        let start = self.at;
        let negative = self.take(b'-');
        let magnitude = match self.peek() {
            Some(b'+') if negative => None,
            _ => self.unsigned(),
        };
        let value = magnitude.and_then(|magnitude| {
            if negative { 0i64.checked_sub_unsigned(magnitude) } else { magnitude.try_into().ok() }
        });
        if value.is_none() {
            self.at = start;
        }
        value
    }

    /// Consumes a number, rounded to the nearest. If the word is none, or is too large for `F` or
    /// would be rounded to 0, the scanner stays.
    #[inline(always)]
    pub fn real<F: FastFloat + Into<f64>>(&mut self) -> Option<F> {
        let rest = &self.bytes[self.at..];
        let (value, length) = fast_float2::parse_partial::<F, _>(rest).ok()?;
        let finite = value.into().abs() <= f64::MAX;
        if !finite && rest[..length].iter().any(u8::is_ascii_digit) {
            return None;
        }
        if value.into() == 0.0 && !is_zero(&rest[..length]) {
            return None;
        }
        if rest.get(length).is_some_and(|&byte| !ends_word(byte)) {
            return None;
        }
        self.at += length;
        Some(value)
    }

    /// Whether the whole number between this position and `end` has leading zeros or a sign.
    #[inline(always)]
    pub fn is_padded(&self, end: &Scanner) -> bool {
        end.at - self.at > 1 && self.bytes[self.at] <= b'0'
    }

    /// The bytes between this position and that of `end`.
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
        ParseError::at_byte(self.at, format!("expected {what}, found {found}"))
    }

    /// The error for an empty cell between two tabs, or before the first tab of a line.
    #[cold]
    pub fn empty_cell(self) -> ParseError {
        ParseError::at_byte(self.at, "expected one tab between columns, found an empty cell")
    }

    /// Consumes a number in `range`; returns it minus the start of the range.
    #[inline(always)]
    pub fn number_in(&mut self, range: Range<u64>, what: &str) -> Result<u32, ParseError> {
        let start = *self;
        match self.unsigned() {
            Some(number) if range.contains(&number) => Ok((number - range.start) as u32),
            _ => Err(start.expected_number(range, what)),
        }
    }

    /// Consumes a whole number after blanks, which `what` names in errors.
    pub fn count(&mut self, what: &str) -> Result<u64, ParseError> {
        self.skip_blanks();
        self.unsigned().ok_or_else(|| self.expected(what))
    }

    #[cold]
    fn expected_number(self, range: Range<u64>, what: &str) -> ParseError {
        if range.is_empty() {
            self.expected(format_args!("no {what}, as none exists"))
        } else {
            let (first, last) = (range.start, range.end - 1);
            self.expected(format_args!("a {what} from {first} to {last}"))
        }
    }
}

/// Whether a decimal number is exactly 0.
pub(super) fn is_zero(word: &[u8]) -> bool {
    let mut digits = word.iter().take_while(|&&byte| !matches!(byte, b'e' | b'E'));
    !digits.any(|byte| (b'1'..=b'9').contains(byte))
}

/// The end of the line that contains `at`: the position of its line feed, or of the end of the
/// text.
fn line_end(bytes: &[u8], at: usize) -> usize {
    find(&bytes[at..], b'\n').map_or(bytes.len(), |length| at + length)
}

/// The number that starts at `start`, and its end, if the digits before `end` have the value
/// `value`.
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

#[inline(always)]
pub(super) fn ends_word(byte: u8) -> bool {
    byte <= b' ' || byte == b','
}

/// The number formed by the digits at the start of eight bytes (the first byte is the lowest), and
/// the number of digits.
#[inline(always)]
fn leading_digits(window: u64) -> (u64, u32) {
    // Digits become 0 to 9. Adding 0x76 leaves the highest bit of such a byte clear, and sets it
    // for every other value below 0x80; bytes from 0x80 on have it set already. Carries only go up,
    // past the first byte that is not a digit.
    let values = window ^ 0x3030_3030_3030_3030;
    let others = (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080;
    let digits = others.trailing_zeros() / 8;
    if digits == 0 {
        return (0, 0);
    }
    // Shifted up so that zeros lead; then digits are combined in pairs, fours and eights.
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
        assert_eq!((real("1e-46"), real("-0.0e9"), real("0e-99")), (None, Some(0.0), Some(0.0)));
    }
}
