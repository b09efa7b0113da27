//! Advice on commas in numbers: readers accept only decimal points, and no thousands separators.

use super::{error::ParseError, scan::Scanner};

/// The advice for a number that contains a comma.
const HINT: &str = "write numbers with a decimal point, and without commas between thousands";

/// Whether a word is a number except for its commas: `1,5`, `1,000` or `"1,000.5"`.
pub(super) fn has_commas(word: &[u8]) -> bool {
    let is_numeral = |&byte: &u8| byte.is_ascii_digit() || b",.+-\"".contains(&byte);
    word.contains(&b',') && word.iter().any(u8::is_ascii_digit) && word.iter().all(is_numeral)
}

/// Whether a line is two words and a number with commas, such as `Ulm Bonn 1,5`: then commas are
/// not delimiters.
pub(super) fn ends_with_decimal_comma(line: &[u8]) -> bool {
    let words: Vec<&[u8]> =
        line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).take(4).collect();
    let is_word = |word: &[u8]| !word.iter().any(|byte| b",;|\"".contains(byte));
    matches!(words[..], [a, b, c] if is_word(a) && is_word(b) && has_commas(c))
}

/// The same error, with advice if it is about a `word` that is a number with commas.
#[cold]
pub(super) fn with_advice(error: ParseError, word: &[u8]) -> ParseError {
    match error {
        ParseError::At { byte, message, remedy: None } if has_commas(word) => {
            ParseError::at_byte(byte, format!("{message}: {HINT}"))
        }
        other => other,
    }
}

/// Skips the line end after a number; the error considers that a comma may end the number.
#[inline(always)]
pub(super) fn end_line(scanner: &mut Scanner) -> Result<(), ParseError> {
    let end = *scanner;
    scanner.end_line().map_err(|error| with_advice_at(error, end))
}

/// The same for the word around a position.
#[cold]
pub(super) fn with_advice_at(error: ParseError, position: Scanner) -> ParseError {
    with_advice(error, position.word_around())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_of_two_words_and_a_number_end_with_one() {
        for line in ["Ulm Bonn 1,5", " 1\t2  1,000\r"] {
            assert!(ends_with_decimal_comma(line.as_bytes()), "{line}");
        }
        for line in ["Ulm,Bonn 1,5", "New York 7 1,5", "Ulm Bonn", "Ulm Bonn 1.5", "a;b c 1,5", ""]
        {
            assert!(!ends_with_decimal_comma(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn commas_in_numbers_are_recognized() {
        for word in ["1,5", "1,000", "\"1,000.5\"", "-1.000,5", ",5"] {
            assert!(has_commas(word.as_bytes()), "{word}");
        }
        for word in ["", ",", "1.5", "x,5", "1,x", "Ulm, Donau"] {
            assert!(!has_commas(word.as_bytes()), "{word}");
        }
    }
}
