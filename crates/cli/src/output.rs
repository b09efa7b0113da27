//! Output files for results, which are written atomically.

use std::{
    io::{self, Write},
    path::Path,
};

use equipoise::graph::io::{Format, MappedFile, descriptor, write_file};
pub use equipoise_terminal::output::{check_folder, is_standard_output, unless_reader_left};

use crate::{
    endings::{self, Packing},
    failure::{Failure, Result},
    files::OutputFile,
    rows::{Layout, Rows},
};

/// The kind of contents of a results file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Rows of text.
    Rows(Layout),
    /// A NumPy array.
    Npy,
}

/// An output file for results, requested by the user.
#[derive(Clone, Debug)]
pub struct ResultFile {
    path: OutputFile,
    kind: Kind,
}

impl ResultFile {
    /// The requested file, if any, for rows of text.
    pub fn of_rows(path: &Option<OutputFile>) -> Result<Option<Self>> {
        Self::new(path, &["tsv", "txt", "csv", "json", "jsonl"])
    }

    /// The requested file, if any, for numbers: rows of text or an array.
    pub fn of_array(path: &Option<OutputFile>) -> Result<Option<Self>> {
        Self::new(path, &["tsv", "txt", "csv", "json", "jsonl", "npy"])
    }

    /// The requested file, if any, for an array only.
    pub fn of_npy(path: &Option<OutputFile>) -> Result<Option<Self>> {
        let file = Self::new(path, &["npy"])?;
        match &file {
            Some(Self { path, kind: Kind::Rows(Layout::Tsv) }) if is_standard_output(path) => {
                Ok(Some(Self { path: path.clone(), kind: Kind::Npy }))
            }
            Some(Self { path, kind: Kind::Rows(_) }) => {
                Err(Failure::usage(format!("{path}: this is written as an array: name it .npy")))
            }
            _ => Ok(file),
        }
    }

    /// Its path, if an array can be written to it through a memory map.
    pub fn mapped(&self) -> Option<&Path> {
        (self.kind == Kind::Npy && MappedFile::can_be(&self.path)).then_some(&self.path)
    }

    /// Rejects files that cannot be written, before anything is run.
    fn new(path: &Option<OutputFile>, known: &[&'static str]) -> Result<Option<Self>> {
        let Some(path) = path else { return Ok(None) };
        let kind = match endings::known(path, known, Packing::ByName)? {
            Some("npy") => Kind::Npy,
            ending => Kind::Rows(Layout::from_extension(ending.unwrap_or("tsv"))),
        };
        check_folder(path)?;
        Ok(Some(Self { path: path.clone(), kind }))
    }

    /// Rejects an array for searches that may stop early: it has a number for each vertex, and none
    /// that means "not visited".
    pub fn check_whole(&self, may_stop_early: bool) -> Result<()> {
        if may_stop_early && self.kind == Kind::Npy {
            Err(Failure::usage(format!(
                "{}: an array holds whole searches, and this one may stop early",
                self.path
            ))
            .hint("write rows of text, such as .csv, which leave out what is not known"))
        } else {
            Ok(())
        }
    }

    /// The kind of contents.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Writes an array.
    pub fn write_npy(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let failed = |error: io::Error| Failure::of_file(&self.path, &error);
        write_whole(&self.path, |out| write(out).map_err(failed))
    }
}

/// Runs `work`, which writes rows to the file if it is requested.
pub fn with_rows<R>(
    file: Option<&ResultFile>,
    header: &[&str],
    work: impl FnOnce(&mut Rows) -> Result<R>,
) -> Result<R> {
    match file {
        Some(ResultFile { path, kind: Kind::Rows(layout) }) => write_whole(path, |out| {
            let mut rows = Rows::start(path, out, *layout, header)?;
            let result = work(&mut rows)?;
            rows.finish()?;
            Ok(result)
        }),
        _ => work(&mut Rows::unwanted()),
    }
}

/// Runs `work`, which writes the file `path` atomically. If `path` is standard output and its
/// reader leaves, as `head` does, output stops but the work continues.
pub fn write_whole<R>(path: &Path, work: impl FnOnce(&mut dyn Write) -> Result<R>) -> Result<R> {
    let mut outcome = None;
    let written = write_file(path, |out| {
        let mut out = UntilReaderLeaves { out, may_leave: is_standard_output(path) };
        match outcome.insert(work(&mut out)) {
            Ok(_) => Ok(()),
            // Never shown: the work's own failure is reported.
            Err(_) => Err(io::Error::other("the work failed")),
        }
    });
    match (outcome, unless_reader_left(path, written)) {
        (Some(Err(failure)), _) => Err(failure),
        (_, Err(error)) => Err(error.into()),
        (Some(Ok(result)), Ok(())) => Ok(result),
        (None, Ok(())) => Err(Failure::new(format!("{}: nothing was written", path.display()))),
    }
}

fn is_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// A writer that stops when the reader of the stream leaves, if allowed.
struct UntilReaderLeaves<'a> {
    out: &'a mut dyn Write,
    may_leave: bool,
}

impl Write for UntilReaderLeaves<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.out.write(bytes) {
            Err(error) if self.may_leave && is_gone(&error) => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.out.flush() {
            Err(error) if self.may_leave && is_gone(&error) => Ok(()),
            flushed => flushed,
        }
    }
}

/// The size of a written file; `None` for a stream.
pub fn length(path: &Path) -> Option<u64> {
    let metadata = path.metadata().ok().filter(|metadata| metadata.is_file());
    metadata.filter(|_| descriptor(path).is_none()).map(|metadata| metadata.len())
}

/// The format of an output file for a graph or a matrix; `option` is the option that would specify
/// it. Standard output, which has no extension, gets the format `piped`.
pub fn graph_format(
    path: &OutputFile,
    requested: Option<Format>,
    option: &str,
    piped: Format,
) -> Result<Format> {
    check_folder(path)?;
    let piped = is_standard_output(path).then_some(piped);
    requested.or_else(|| Format::of_path(path)).or(piped).ok_or_else(|| {
        let known: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        Failure::usage(format!("{}: the name does not tell the format", path.display()))
            .hint(format!("name the format with {option}: {}", known.join(", ")))
    })
}
