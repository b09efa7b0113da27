//! Detection of formats by the first bytes of a file.

use std::{
    fs::{self, File},
    io::{BufReader, Read},
    path::Path,
};

use super::{
    compression::Compression,
    eqp,
    error::located,
    format::Format,
    input::{self, Bytes},
    options::{Progress, ReadOptions},
    scan::Scanner,
};
use crate::{Error, Remedy, Result};

/// The range of bytes searched for the start of a graph after comments and declarations.
const FARTHEST: usize = 1 << 16;

impl Format {
    /// The format that the start of a file indicates, if any: `%%MatrixMarket`, `<graphml`, `graph
    /// [`, `p sp VERTICES EDGES`, `# equipoise`, or the magic number of `.eqp`. Other formats have
    /// no signature.
    ///
    /// ```
    /// use equipoise_graph::io::Format;
    ///
    /// let text = b"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n";
    /// assert_eq!(Format::of_bytes(text), Some(Format::MatrixMarket));
    /// assert_eq!(Format::of_bytes(b"Creator \"me\"\ngraph [\n]\n"), Some(Format::Gml));
    /// assert_eq!(Format::of_bytes(b"0 1\n1 2\n"), None);
    /// ```
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text = text[..text.len().min(FARTHEST)].trim_ascii_start();
        let begins = |start: &str| {
            text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start.as_bytes()))
        };
        if bytes.starts_with(&eqp::MAGIC) {
            Some(Self::Eqp)
        } else if begins("%%MatrixMarket") {
            Some(Self::MatrixMarket)
        } else if begins("# equipoise ") {
            Some(Self::EdgeList)
        } else if begins("<") && text.windows(8).any(|part| part == b"<graphml") {
            Some(Self::GraphMl)
        } else if begins_gml(text) {
            Some(Self::Gml)
        } else if begins_dimacs(text) {
            Some(Self::Dimacs)
        } else {
            None
        }
    }
}

/// The format in which a file is read: `requested`, or the one that its content or else its name
/// indicates.
///
/// Fails if neither indicates a format, and if the file starts as one of another format than
/// requested. Files that cannot be opened, and pipes, whose bytes can be read only once, are judged
/// by their names.
///
/// ```
/// use equipoise_graph::io::{Format, detect_format};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("roads.txt");
/// std::fs::write(&path, "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n").unwrap();
/// assert_eq!(detect_format(&path, None)?, Format::MatrixMarket);
/// assert!(detect_format(&path, Some(Format::Csv)).is_err());
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn detect_format(path: &Path, requested: Option<Format>) -> Result<Format> {
    detected(path, requested, None)
}

/// Like [`detect_format`], and reports when content and name disagree.
pub(super) fn detected(
    path: &Path,
    requested: Option<Format>,
    progress: Option<&dyn Progress>,
) -> Result<Format> {
    chosen(path, &first_bytes(path).unwrap_or_default(), requested, progress)
}

/// The first bytes of a file, decompressed; none, if reading would consume them for another reader.
fn first_bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if !fs::metadata(path)?.is_file() {
        return Ok(bytes);
    }
    let file = BufReader::new(File::open(path)?);
    // Damage is reported by the reader of the whole file.
    let read = match Compression::of_path(path) {
        Some(compression) => {
            compression.reader(file)?.take(FARTHEST as u64).read_to_end(&mut bytes)
        }
        None => file.take(FARTHEST as u64).read_to_end(&mut bytes),
    };
    read.map(|_| bytes)
}

/// Opens a file and determines the format in which it is read.
pub(super) fn open(path: &Path, options: &ReadOptions) -> Result<(Format, Bytes)> {
    let expected = options.format.or_else(|| Format::of_path(path));
    let bytes = input::open(path, expected.is_some_and(Format::is_text), options.progress)?;
    let format = chosen(path, &bytes, options.format, options.progress)?;
    options.table.check(format).map_err(|error| located(error, path, &[]))?;
    Ok((format, bytes))
}

/// The format of the file `path`, which starts with `bytes`.
fn chosen(
    path: &Path,
    bytes: &[u8],
    requested: Option<Format>,
    progress: Option<&dyn Progress>,
) -> Result<Format> {
    let expected = requested.or_else(|| Format::of_path(path));
    if let Some(format) = expected.filter(|format| !format.is_text()) {
        return Ok(format);
    }
    match (Format::of_bytes(bytes), expected) {
        (Some(content), Some(expected)) if requested.is_some() && content != expected => {
            let message =
                format!("this line begins a file of the format {content}, not {expected}");
            Err(Error::Unclear {
                path: path.to_owned(),
                line: 1,
                message,
                remedy: Remedy::Format(content),
            })
        }
        (Some(content), expected) => {
            if let (Some(progress), true) = (progress, expected != Some(content)) {
                progress.note(&format!("as {content}, by its content"));
            }
            Ok(content)
        }
        (None, Some(expected)) => Ok(expected),
        (None, None) => Err(unknown(path)),
    }
}

pub(super) fn unknown(path: &Path) -> Error {
    let known: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
    let message = format!(
        "{}: the name does not tell the format; name one of: {}",
        path.display(),
        known.join(", ")
    );
    Error::UnknownFormat { message }
}

/// Whether a text starts with `graph [`, after comments and header entries of other programs.
fn begins_gml(text: &[u8]) -> bool {
    let mut scanner = Scanner::new(text, 0);
    while scanner.next_line(b"#") {
        match scanner.word().as_str() {
            "creator" | "version" | "comment" | "label" => {
                scanner.take_line();
            }
            word if word.starts_with("graph[") => return true,
            "graph" => {
                // The bracket may be on the next line.
                scanner.next_line(b"#");
                return scanner.take(b'[');
            }
            _ => return false,
        }
    }
    false
}

/// Whether the first line that is not a comment is `p sp VERTICES EDGES`.
fn begins_dimacs(text: &[u8]) -> bool {
    let mut scanner = Scanner::new(text, 0);
    loop {
        if !scanner.next_line(b"") {
            return false;
        }
        match scanner.word().as_str() {
            "c" => {
                scanner.take_line();
            }
            "p" => break,
            _ => return false,
        }
    }
    scanner.skip_blanks();
    let is_problem = scanner.word() == "sp";
    let is_counted = (0..2).all(|_| {
        scanner.skip_blanks();
        scanner.unsigned().is_some()
    });
    is_problem && is_counted && scanner.at_line_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_tell_formats() {
        for (text, expected) in [
            ("%%matrixmarket matrix", Some(Format::MatrixMarket)),
            ("\u{feff}\n%%MatrixMarket", Some(Format::MatrixMarket)),
            ("% sym positive\n1 2\n", None),
            ("<?xml version=\"1.0\"?>\n<!-- x -->\n<graphml xmlns=\"\">", Some(Format::GraphMl)),
            ("<graphml/>", Some(Format::GraphMl)),
            ("<gexf>", None),
            ("graph [", Some(Format::Gml)),
            ("graph\n[\n", Some(Format::Gml)),
            ("graph[ node[id 1]]", Some(Format::Gml)),
            ("# c\nCreator \"graph\"\nVersion 1\ngraph\n  [", Some(Format::Gml)),
            ("graph theory\n", None),
            ("Creator Work\n", None),
            ("c roads\nc\np sp 3 2\na 1 2 3\n", Some(Format::Dimacs)),
            ("c roads\np sp 3\n", None),
            ("c a\nd b\n", None),
            ("# equipoise vertices=3\n", Some(Format::EdgeList)),
            ("# equipoise\n", None),
            ("0 1\n", None),
            ("", None),
        ] {
            assert_eq!(Format::of_bytes(text.as_bytes()), expected, "{text:?}");
        }
        assert_eq!(Format::of_bytes(b"\x89EQP\r\n\x1a\n\x01"), Some(Format::Eqp));
    }
}
