//! Splits lines of a table into cells.

use std::borrow::Cow;

use crate::io::{error::ParseError, find::find, reals::out_of_range, scan::Scanner};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delimiter {
    /// Any number of spaces and tabs.
    Blanks,
    Byte(u8),
}

/// The first byte of a comment line.
const COMMENTS: &[u8] = b"#%";

/// Whether a line is a comment, in a format that has comments and before the first row.
pub(super) fn is_comment(line: &[u8]) -> bool {
    line.trim_ascii_start().first().is_some_and(|first| COMMENTS.contains(first))
}

/// The start of the first line that is neither blank nor a comment, and the number of comments
/// before it.
pub(super) fn skip_comments(bytes: &[u8]) -> (usize, u64) {
    let mut rows = Rows::new(bytes, 0);
    let mut comments = 0;
    loop {
        match rows.next() {
            Some((_, line)) if is_comment(line) => comments += 1,
            Some((start, _)) => return (start, comments),
            None => return (bytes.len(), comments),
        }
    }
}

/// The lines of a text that are not blank, with the start of each.
#[derive(Clone)]
pub(super) struct Rows<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Rows<'a> {
    pub fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    pub fn position(&self) -> usize {
        self.at
    }
}

impl<'a> Iterator for Rows<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        while self.at < self.bytes.len() {
            let start = self.at;
            let rest = &self.bytes[start..];
            let length = find(rest, b'\n').unwrap_or(rest.len());
            self.at = (start + length + 1).min(self.bytes.len());
            let line = &rest[..length];
            let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
            if !line.iter().all(is_blank) {
                return Some((start, line));
            }
        }
        None
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell<'a> {
    pub text: Cow<'a, [u8]>,
    pub start: usize,
}

/// Whether a cell is attributes in braces, which may contain a weight.
pub(super) fn is_attributes(cell: &Cell) -> bool {
    cell.text.starts_with(b"{")
}

/// Whether a cell is a number, also one that a reader refuses with the range that it has to be in.
pub(super) fn is_number(cell: &Cell) -> bool {
    let mut scanner = Scanner::new(&cell.text, 0);
    out_of_range::<f64>(scanner).is_some()
        || cell.text.iter().any(u8::is_ascii_digit)
            && scanner.real::<f64>().is_some()
            && scanner.remaining() == 0
}

/// The cells of a line. Quoted cells lose their quotes, others the blanks around them.
pub(super) struct Cells<'a> {
    line: &'a [u8],
    at: usize,
    delimiter: Delimiter,
    count: usize,
    is_over: bool,
}

/// The number of cells before attributes: the two vertices, whose names may contain braces.
pub(super) const BEFORE_ATTRIBUTES: usize = 2;

impl<'a> Cells<'a> {
    pub fn new(line: &'a [u8], delimiter: Delimiter) -> Self {
        Self { line, at: 0, delimiter, count: 0, is_over: false }
    }

    fn is_blank(&self, byte: u8) -> bool {
        matches!(byte, b' ' | b'\t' | b'\r') && self.delimiter != Delimiter::Byte(byte)
    }

    fn skip_blanks(&mut self) {
        while self.line.get(self.at).is_some_and(|&byte| self.is_blank(byte)) {
            self.at += 1;
        }
    }

    /// The quoted cell that starts after this one; two quotes stand for one.
    fn quoted(&mut self) -> Result<Cell<'a>, ParseError> {
        let open = self.at;
        let mut text = Cow::Borrowed(&self.line[open + 1..open + 1]);
        let mut from = open + 1;
        loop {
            let rest = &self.line[from..];
            let Some(length) = find(rest, b'"') else {
                let message = "expected a quote that ends the cell in the same line";
                return Err(ParseError::at_byte(open, message));
            };
            let end = from + length;
            match &mut text {
                Cow::Owned(text) => text.extend_from_slice(&self.line[from..end]),
                text => *text = Cow::Borrowed(&self.line[open + 1..end]),
            }
            if self.line.get(end + 1) != Some(&b'"') {
                self.at = end + 1;
                return Ok(Cell { text, start: open + 1 });
            }
            text.to_mut().push(b'"');
            from = end + 2;
        }
    }

    /// The rest of the line, which is attributes in braces, as NetworkX writes them.
    fn attributes(&mut self) -> Cell<'a> {
        let start = self.at;
        self.at = self.line.len();
        Cell { text: Cow::Borrowed(self.line[start..].trim_ascii_end()), start }
    }

    fn plain(&mut self) -> Cell<'a> {
        let start = self.at;
        let rest = &self.line[start..];
        let length = match self.delimiter {
            Delimiter::Blanks => rest.iter().position(|&byte| self.is_blank(byte)),
            Delimiter::Byte(delimiter) => find(rest, delimiter),
        };
        let mut end = start + length.unwrap_or(rest.len());
        self.at = end;
        while end > start && self.is_blank(self.line[end - 1]) {
            end -= 1;
        }
        Cell { text: Cow::Borrowed(&self.line[start..end]), start }
    }

    fn pass_delimiter(&mut self) -> Result<(), ParseError> {
        let blanks_from = self.at;
        self.skip_blanks();
        match (self.line.get(self.at), self.delimiter) {
            (None, _) => self.is_over = true,
            (Some(&byte), Delimiter::Byte(delimiter)) if byte == delimiter => self.at += 1,
            (Some(_), Delimiter::Blanks) if self.at > blanks_from => {}
            _ => {
                let message = "expected the end of the cell after its closing quote";
                return Err(ParseError::at_byte(self.at, message));
            }
        }
        Ok(())
    }
}

impl<'a> Iterator for Cells<'a> {
    /// Positions in errors are relative to the start of the line.
    type Item = Result<Cell<'a>, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        self.skip_blanks();
        let cell = match self.line.get(self.at) {
            Some(b'"') => self.quoted(),
            Some(b'{') if self.count >= BEFORE_ATTRIBUTES => Ok(self.attributes()),
            None if self.delimiter == Delimiter::Blanks => return None,
            _ => Ok(self.plain()),
        };
        self.count += 1;
        let passed = cell.and_then(|cell| self.pass_delimiter().map(|()| cell));
        self.is_over |= passed.is_err();
        Some(passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(line: &str, delimiter: Delimiter) -> Result<Vec<String>, usize> {
        let text = |cell: Cell| String::from_utf8(cell.text.into_owned()).unwrap();
        Cells::new(line.as_bytes(), delimiter)
            .map(|cell| match cell {
                Ok(cell) => Ok(text(cell)),
                Err(ParseError::At { byte, .. }) => Err(byte),
                Err(error) => panic!("{error:?}"),
            })
            .collect()
    }

    #[test]
    fn lines_are_cut_where_they_should_be() {
        let comma = Delimiter::Byte(b',');
        let of = |line, delimiter| cells(line, delimiter).unwrap().join("/");
        assert_eq!(of("a,b", comma), "a/b");
        assert_eq!(of(" New York , b\r", comma), "New York/b");
        assert_eq!(of("a,,b,", comma), "a//b/");
        assert_eq!(of("\"a,b\",\"say \"\"hi\"\"\" ,\"\"", comma), "a,b/say \"hi\"/");
        assert_eq!(of("  a \t b\t", Delimiter::Blanks), "a/b");
        assert_eq!(of("\"a b\" c", Delimiter::Blanks), "a b/c");
        assert_eq!(of("\ta\t", Delimiter::Byte(b'\t')), "/a/");
        assert_eq!(of("{a,b},{c}", comma), "{a/b}/{c}");
        assert_eq!(of("{a} {b} {c d}", Delimiter::Blanks), "{a}/{b}/{c d}");
        assert_eq!(of("a;b|c", Delimiter::Byte(b';')), "a/b|c");
        assert_eq!(of("a, b, {\"c\": 1, 'd': 2}\r", comma), "a/b/{\"c\": 1, 'd': 2}");
        assert_eq!(cells("a,\"b", comma), Err(2));
        assert_eq!(cells("\"a\"b,c", comma), Err(3));
        assert_eq!(cells("\"a\"b", Delimiter::Blanks), Err(3));
    }

    #[test]
    fn blank_lines_are_no_rows_and_comments_are_none_before_the_first() {
        let text = b"# a\n\n  % b\nc d\r\n \t\n#e";
        assert_eq!(skip_comments(text), (11, 2));
        let rows: Vec<_> = Rows::new(text, 11).map(|(start, line)| (start, line.len())).collect();
        assert_eq!(rows, [(11, 4), (19, 2)]);
        assert_eq!(skip_comments(b"# a\n \n"), (6, 1));
    }
}
