//! The elements of an XML document, each with its place. Nothing that a document type declares is
//! expanded: of entities, only the five that every document has are known.

use std::{borrow::Cow, ops::Range};

use quick_xml::{
    Error, Reader, XmlVersion,
    escape::EscapeError,
    events::{BytesDecl, Event, attributes::Attributes},
    name::QName,
};

use crate::io::{Progress, error::ParseError, listed::Told};

/// Goes through a document.
pub(super) struct Xml<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
    /// The names of the elements that are open.
    open: Vec<&'a str>,
    told: Told<'a>,
}

/// The start of an element.
pub(super) struct Element<'a> {
    /// Its name without a prefix.
    pub name: &'a str,
    /// Where it starts.
    pub at: usize,
    /// What stands between its angle brackets, and how much of that is its name.
    tag: &'a str,
    name_length: usize,
}

impl<'a> Xml<'a> {
    /// Starts at the start of a document.
    pub fn new(bytes: &'a [u8], progress: Option<&'a dyn Progress>) -> Result<Self, ParseError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let message = "expected UTF-8, found other bytes".into();
            ParseError::At { byte: error.valid_up_to(), message }
        })?;
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Ok(Self { text, reader, open: Vec::new(), told: Told::new(progress, bytes.len()) })
    }

    fn position(&self) -> usize {
        (self.reader.buffer_position() as usize).min(self.text.len())
    }

    /// The next element inside of the innermost that is open, or of the document. `None` where that
    /// one ends. It has to be read to its own end before the next, or skipped.
    pub fn child(&mut self) -> Result<Option<Element<'a>>, ParseError> {
        loop {
            let at = self.position();
            self.told.at(at);
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
                        return Err(ParseError::At { byte: at, message });
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

    /// Goes behind the innermost element that is open, and gives where its content lies.
    pub fn content(&mut self) -> Result<Range<usize>, ParseError> {
        let name = self.open.pop().unwrap_or_default();
        let content = self.reader.read_to_end(QName(name)).map_err(|error| self.wrong(&error))?;
        Ok(content.start as usize..content.end as usize)
    }

    /// Goes behind all children of the innermost element that is open, none of which matters.
    pub fn skip(&mut self) -> Result<(), ParseError> {
        self.content().map(drop)
    }

    fn wrong(&self, error: &Error) -> ParseError {
        wrong(error, self.reader.error_position() as usize)
    }
}

impl<'a> Element<'a> {
    /// The values of some attributes, as far as they are there.
    pub fn attributes<const N: usize>(
        &self,
        names: [&str; N],
    ) -> Result<[Option<Cow<'a, str>>; N], ParseError> {
        let mut values = [const { None }; N];
        let mut attributes = Attributes::new(self.tag, self.name_length);
        // It would compare each with all before.
        for attribute in attributes.with_checks(false) {
            let attribute = attribute.map_err(|error| wrong(&error.into(), self.at))?;
            let is_it = |name: &&str| attribute.key.as_ref() == *name;
            if let Some(place) = names.iter().position(is_it) {
                let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                values[place] = Some(value.map_err(|error| wrong(&error, self.at))?);
            }
        }
        Ok(values)
    }

    /// The error that the element lacks an attribute.
    pub fn lacks(&self, attribute: &str) -> ParseError {
        let message = format!("expected <{}> to have the attribute `{attribute}`", self.name);
        ParseError::At { byte: self.at, message }
    }

    /// The error that an attribute has another value than it may.
    pub fn expected(&self, attribute: &str, values: &str, found: &str) -> ParseError {
        let message =
            format!("expected the attribute `{attribute}` to be {values}, found {found:?}");
        ParseError::At { byte: self.at, message }
    }

    /// The error that the element is none that can be read.
    pub fn refused(&self, why: &str) -> ParseError {
        let message = format!("<{}> cannot be read: {why}", self.name);
        ParseError::At { byte: self.at, message }
    }
}

fn check_encoding(declaration: &BytesDecl, at: usize) -> Result<(), ParseError> {
    let is_known =
        |name: &str| ["utf-8", "utf8", "us-ascii"].contains(&&*name.to_ascii_lowercase());
    match declaration.encoding().transpose() {
        Ok(Some(name)) if !is_known(&name) => {
            let message = format!("expected the encoding to be UTF-8, found {name:?}");
            Err(ParseError::At { byte: at, message })
        }
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
    ParseError::At { byte, message }
}
