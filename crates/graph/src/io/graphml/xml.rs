//! The elements of an XML document with their positions. Of entities, only the five predefined ones
//! are expanded.

use std::{borrow::Cow, ops::Range};

use quick_xml::{
    Error, Reader, XmlVersion,
    escape::EscapeError,
    events::{BytesDecl, Event, attributes::Attributes},
    name::QName,
};

use crate::io::{error::ParseError, listed::SequentialProgress, options::Progress};

pub(super) struct Xml<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
    open: Vec<&'a str>,
    progress: SequentialProgress<'a>,
}

pub(super) struct Element<'a> {
    /// Its name without a prefix.
    pub name: &'a str,
    pub at: usize,
    /// The text between its angle brackets, and the length of the name in it.
    tag: &'a str,
    name_length: usize,
}

impl<'a> Xml<'a> {
    pub fn new(bytes: &'a [u8], progress: Option<&'a dyn Progress>) -> Result<Self, ParseError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            ParseError::at_byte(error.valid_up_to(), "expected UTF-8, found other bytes")
        })?;
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Ok(Self {
            text,
            reader,
            open: Vec::new(),
            progress: SequentialProgress::new(progress, bytes.len()),
        })
    }

    fn position(&self) -> usize {
        (self.reader.buffer_position() as usize).min(self.text.len())
    }

    /// The next child of the innermost open element, or of the document; `None` at its end. The
    /// caller must read the child to its end, or skip it, before the next call.
    pub fn child(&mut self) -> Result<Option<Element<'a>>, ParseError> {
        loop {
            let at = self.position();
            self.progress.reached(at);
            match self.reader.read_event().map_err(|error| self.wrong(&error))? {
                Event::Start(_) => return Ok(Some(self.opened(at))),
                Event::End(_) => {
                    self.open.pop();
                    return Ok(None);
                }
                Event::Eof => match self.open.last() {
                    None => return Ok(None),
                    Some(name) => {
                        let message = format!("expected </{name}>, found the end of the file");
                        return Err(ParseError::at_byte(at, message));
                    }
                },
                Event::Decl(declaration) => check_encoding(&declaration, at)?,
                _ => {}
            }
        }
    }

    fn opened(&mut self, at: usize) -> Element<'a> {
        let tag = self.text.get(at..self.position()).unwrap_or_default();
        let tag = tag.strip_prefix('<').unwrap_or(tag);
        let tag = tag.strip_suffix('>').unwrap_or(tag);
        let tag = tag.strip_suffix('/').unwrap_or(tag);
        let ends = |letter: char| letter.is_ascii_whitespace();
        let name = &tag[..tag.find(ends).unwrap_or(tag.len())];
        self.open.push(name);
        let local = name.rsplit_once(':').map_or(name, |(_, local)| local);
        Element { name: local, at, tag, name_length: name.len() }
    }

    /// Consumes the innermost open element, and returns the position of its content.
    pub fn content(&mut self) -> Result<Range<usize>, ParseError> {
        let name = self.open.pop().unwrap_or_default();
        let content = self.reader.read_to_end(QName(name)).map_err(|error| self.wrong(&error))?;
        Ok(content.start as usize..content.end as usize)
    }

    /// Skips all children of the innermost open element.
    pub fn skip(&mut self) -> Result<(), ParseError> {
        self.content().map(drop)
    }

    fn wrong(&self, error: &Error) -> ParseError {
        wrong(error, self.reader.error_position() as usize)
    }
}

impl<'a> Element<'a> {
    /// The values of some attributes; `None` for absent ones.
    pub fn attributes<const N: usize>(
        &self,
        names: [&str; N],
    ) -> Result<[Option<Cow<'a, str>>; N], ParseError> {
        let mut values = [const { None }; N];
        let mut attributes = Attributes::new(self.tag, self.name_length);
        // The check would compare each attribute with all before it.
        for attribute in attributes.with_checks(false) {
            let attribute = attribute.map_err(|error| wrong(&error.into(), self.at))?;
            let is_it = |name: &&str| attribute.key.as_ref() == *name;
            if let Some(index) = names.iter().position(is_it) {
                let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                let value = value.map_err(|error| wrong(&error, self.at))?;
                if values[index].replace(value).is_some() {
                    let why = format!("expected one attribute `{}`", names[index]);
                    return Err(self.refused(&why));
                }
            }
        }
        Ok(values)
    }

    pub fn lacks(&self, attribute: &str) -> ParseError {
        let message = format!("expected <{}> to have the attribute `{attribute}`", self.name);
        ParseError::at_byte(self.at, message)
    }

    /// The error for an invalid value of an attribute.
    pub fn expected(&self, attribute: &str, values: &str, found: &str) -> ParseError {
        let message =
            format!("expected the attribute `{attribute}` to be {values}, found {found:?}");
        ParseError::at_byte(self.at, message)
    }

    /// The error for an unsupported element.
    pub fn refused(&self, why: &str) -> ParseError {
        ParseError::at_byte(self.at, format!("<{}> cannot be read: {why}", self.name))
    }
}

fn check_encoding(declaration: &BytesDecl, at: usize) -> Result<(), ParseError> {
    let is_known =
        |name: &str| ["utf-8", "utf8", "us-ascii"].contains(&&*name.to_ascii_lowercase());
    match declaration.encoding().transpose() {
        Ok(Some(name)) if !is_known(&name) => Err(ParseError::at_byte(
            at,
            format!("expected the encoding to be UTF-8, found {name:?}"),
        )),
        _ => Ok(()),
    }
}

fn wrong(error: &Error, byte: usize) -> ParseError {
    let message = match error {
        Error::Escape(EscapeError::UnrecognizedEntity(_, name)) => format!(
            "expected &amp;, &lt;, &gt;, &quot;, &apos; or the number of a letter, found &{name};: \
             entities are not expanded"
        ),
        Error::Syntax(error) => format!("expected XML: {error}"),
        Error::IllFormed(error) => format!("expected XML: {error}"),
        other => format!("expected XML: {other}"),
    };
    ParseError::at_byte(byte, message)
}
