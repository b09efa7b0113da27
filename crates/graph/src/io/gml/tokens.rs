//! The tokens of a GML file.

use std::borrow::Cow;

use crate::io::{error::ParseError, scan::Scanner};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Token<'a> {
    pub kind: Kind<'a>,
    pub at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind<'a> {
    Open,
    Close,
    /// A key or a number.
    Word(&'a str),
    Text(&'a str),
}

pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    /// The tokens from the start of a file.
    pub fn new(bytes: &'a [u8]) -> Result<Self, ParseError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self { text, at: 0 }),
            Err(error) => {
                Err(ParseError::at_byte(error.valid_up_to(), "expected UTF-8, found other bytes"))
            }
        }
    }

    /// The position at which the next token is searched.
    pub fn position(&self) -> usize {
        self.at
    }

    pub fn next(&mut self) -> Result<Option<Token<'a>>, ParseError> {
        self.skip_blanks();
        let (rest, at) = (&self.text[self.at..], self.at);
        let (kind, length) = match rest.bytes().next() {
            None => return Ok(None),
            Some(b'[') => (Kind::Open, 1),
            Some(b']') => (Kind::Close, 1),
            Some(b'"') => match rest[1..].find('"') {
                Some(length) => (Kind::Text(&rest[1..=length]), length + 2),
                None => {
                    return Err(ParseError::at_byte(at, "expected a quote that ends the text"));
                }
            },
            Some(_) => {
                let ends = |letter: char| letter.is_ascii_whitespace() || "[]\"".contains(letter);
                let length = rest.find(ends).unwrap_or(rest.len());
                (Kind::Word(&rest[..length]), length)
            }
        };
        self.at += length;
        Ok(Some(Token { kind, at }))
    }

    /// Skips blanks, and lines that start with `#`.
    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            if byte == b'#' {
                let rest = &bytes[self.at..];
                self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            } else if byte.is_ascii_whitespace() {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    /// The next key with the first token of its value; `None` at the end of the list.
    pub fn entry(&mut self) -> Result<Option<(&'a str, Token<'a>)>, ParseError> {
        let key = match self.next()? {
            None => return Ok(None),
            Some(Token { kind: Kind::Word(key), at }) if is_key(key) => (key, at),
            Some(Token { kind: Kind::Close, at }) => {
                self.at = at;
                return Ok(None);
            }
            Some(token) => return Err(self.expected("a key", token.at)),
        };
        match self.next()? {
            Some(value) if value.kind != Kind::Close => Ok(Some((key.0, value))),
            Some(other) => Err(self.expected("a value", other.at)),
            None => Err(self.expected("a value", self.text.len())),
        }
    }

    pub fn close(&mut self) -> Result<(), ParseError> {
        match self.next()? {
            Some(Token { kind: Kind::Close, .. }) => Ok(()),
            Some(other) => Err(self.expected("a key or ]", other.at)),
            None => Err(self.expected("]", self.text.len())),
        }
    }

    /// Skips the rest of a value whose first token was taken.
    pub fn skip(&mut self, value: Token<'a>) -> Result<(), ParseError> {
        let mut depth = usize::from(value.kind == Kind::Open);
        while depth > 0 {
            match self.next()? {
                Some(Token { kind: Kind::Open, .. }) => depth += 1,
                Some(Token { kind: Kind::Close, .. }) => depth -= 1,
                Some(_) => {}
                None => return Err(self.expected("]", self.text.len())),
            }
        }
        Ok(())
    }

    /// The error that something else was expected at a position.
    pub fn expected(&self, what: &str, at: usize) -> ParseError {
        Scanner::new(self.text.as_bytes(), at).expected(what)
    }

    /// A scanner of a word, or of the text between its quotes.
    pub fn scanner(&self, token: Token<'a>) -> Scanner<'a> {
        let (start, length) = match token.kind {
            Kind::Open | Kind::Close => (token.at, 1),
            Kind::Word(word) => (token.at, word.len()),
            Kind::Text(text) => (token.at + 1, text.len()),
        };
        Scanner::new(&self.text.as_bytes()[..start + length], start)
    }
}

fn is_key(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

/// The text with character references replaced: `&#38;`, `&#x26;` and `&amp;` become `&`. Unknown
/// references stay as they are.
pub(super) fn unescaped(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find('&') else { return Cow::Borrowed(text) };
    let (mut whole, mut rest) = (text[..first].to_owned(), &text[first..]);
    while let Some(letter) = rest.chars().next() {
        match entity(rest) {
            Some((letter, length)) => {
                whole.push(letter);
                rest = &rest[length..];
            }
            None => {
                whole.push(letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
    }
    Cow::Owned(whole)
}

/// The character that the reference at the start of a text stands for, and the reference's length.
fn entity(text: &str) -> Option<(char, usize)> {
    const LONGEST: usize = "#1114111".len();
    let inner = text.strip_prefix('&')?;
    let length = inner.bytes().take(LONGEST + 1).position(|byte| byte == b';')?;
    let letter = match &inner[..length] {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        number => {
            let digits = number.strip_prefix('#')?;
            let (digits, base) = digits.strip_prefix('x').map_or((digits, 10), |hex| (hex, 16));
            let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            let code = u32::from_str_radix(digits, base).ok().filter(|_| is_number)?;
            char::from_u32(code)?
        }
    };
    Some((letter, length + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_into_words() {
        let mut tokens = Tokens::new(b"# c [\na[b\"x ]\"1.5]\n#").unwrap();
        let mut kinds = Vec::new();
        while let Some(token) = tokens.next().unwrap() {
            kinds.push(token.kind);
        }
        use Kind::*;
        assert_eq!(kinds, [Word("a"), Open, Word("b"), Text("x ]"), Word("1.5"), Close]);
    }

    #[test]
    fn only_entities_are_replaced() {
        for (text, expected) in [
            ("plain", "plain"),
            ("a&#38;b &#233;&#x1F600;", "a&b \u{e9}\u{1f600}"),
            ("&lt;&gt;&quot;&apos;&amp;amp;", "<>\"'&amp;"),
            ("&", "&"),
            (
                "&;&#;&#x;&#+5;&nothing;&#1114112;&#99999999999;",
                "&;&#;&#x;&#+5;&nothing;&#1114112;&#99999999999;",
            ),
            ("\u{e9}&\u{e9};", "\u{e9}&\u{e9};"),
        ] {
            assert_eq!(unescaped(text), expected);
        }
    }
}
