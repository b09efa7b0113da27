//! Normalization of text: without a byte order mark, and with Unix or Windows line ends.

use std::borrow::Cow;

use super::error::ParseError;
use crate::{memory, parallel::*};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const PIECE: usize = 1 << 20;

/// The text as readers expect it. If lines end by a carriage return alone, as on old Macintoshes,
/// it is copied with line feeds instead, so that positions stay the same.
///
/// Fails if some lines end by a carriage return alone and others do not: its meaning would be
/// ambiguous.
pub(super) fn normalize(bytes: &[u8]) -> Result<Cow<'_, [u8]>, ParseError> {
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    if !contains(text, b'\r') {
        return Ok(Cow::Borrowed(text));
    }
    let Some(alone) = carriage_return_alone(text) else { return Ok(Cow::Borrowed(text)) };
    if contains(text, b'\n') {
        let message = "expected a line feed after a carriage return, as other lines end by one";
        return Err(ParseError::at_byte(bytes.len() - text.len() + alone, message));
    }
    memory::check("the text with other line ends", text.len() as u64)?;
    let feed = |&byte: &u8| if byte == b'\r' { b'\n' } else { byte };
    Ok(Cow::Owned(text.par_iter().with_min_len(PIECE).map(feed).collect()))
}

fn contains(text: &[u8], sought: u8) -> bool {
    text.par_chunks(PIECE).any(|piece| piece.contains(&sought))
}

/// The first carriage return that is followed by neither a line feed, nor the end, nor another
/// carriage return of the same kind.
fn carriage_return_alone(text: &[u8]) -> Option<usize> {
    let mut start = 0;
    loop {
        let first = start + text[start..].iter().position(|&byte| byte == b'\r')?;
        let others = text[first..].iter().position(|&byte| byte != b'\r');
        // Those at the end of a text end its last line, if other lines end by line feeds.
        let after = others.map(|others| first + others);
        match after.map(|after| text[after]) {
            Some(b'\n') => start = after?,
            None if contains(text, b'\n') => return None,
            _ => return Some(first),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalized(text: &str) -> Result<String, usize> {
        match normalize(text.as_bytes()) {
            Ok(text) => Ok(String::from_utf8(text.into_owned()).unwrap()),
            Err(ParseError::At { byte, .. }) => Err(byte),
            Err(error) => panic!("{error:?}"),
        }
    }

    #[test]
    fn line_ends_are_distinguished() {
        for same in ["", "a\nb", "a\r\nb\r\n", "a\r\r\nb", "a\nb\r", "a\nb\r\r"] {
            assert_eq!(normalized(same), Ok(same.to_owned()));
        }
        assert_eq!(normalized("a\rb\r"), Ok("a\nb\n".to_owned()));
        assert_eq!(normalized("a\r\rb"), Ok("a\n\nb".to_owned()));
        assert_eq!(normalized("\r"), Ok("\n".to_owned()));
        assert_eq!(normalized("a\nb\rc\n"), Err(3));
        assert_eq!(normalized("a\r\nb\rc"), Err(4));
        assert_eq!(normalized("a\rb\r\n"), Err(1));
        assert_eq!(normalized("\u{feff}a\rb"), Ok("a\nb".to_owned()));
        assert_eq!(normalized("\u{feff}\u{feff}a"), Ok("\u{feff}a".to_owned()));
    }
}
