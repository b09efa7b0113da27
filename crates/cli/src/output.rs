//! Files with results. Each is written whole or not at all.

use std::{
    io::{self, Write},
    path::Path,
};

use equipoise::graph::io::{Format, MappedFile, write_file};

use crate::{
    endings::{self, Packing},
    failure::{Failure, Result},
    files::OutputFile,
    rows::{Layout, Rows},
};

/// What a file of results holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Rows of text.
    Rows(Layout),
    /// An array for NumPy.
    Npy,
}

/// A file for results that a user asked for.
#[derive(Clone, Debug)]
pub struct ResultFile {
    path: OutputFile,
    kind: Kind,
}

impl ResultFile {
    /// The file asked for, if any, for rows of text.
    pub fn of_rows(path: &Option<OutputFile>) -> Result<Option<Self>> {
        Self::of(path, &["tsv", "txt", "csv", "json", "jsonl"])
    }

    /// The file asked for, if any, for numbers, which are rows of text or an array.
    pub fn of_array(path: &Option<OutputFile>) -> Result<Option<Self>> {
        Self::of(path, &["tsv", "txt", "csv", "json", "jsonl", "npy"])
    }

    /// The file asked for, if any, for what is an array and nothing else.
    pub fn of_npy(path: &Option<OutputFile>) -> Result<Option<Self>> {
        let file = Self::of(path, &["npy"])?;
        match &file {
            Some(Self { path, kind: Kind::Rows(_) }) => {
                Err(Failure::usage(format!("{path}: this is written as an array: name it .npy")))
            }
            _ => Ok(file),
        }
    }

    /// Its path, where an array can be written to it through memory.
    pub fn mapped(&self) -> Option<&Path> {
        (self.kind == Kind::Npy && MappedFile::can_be(&self.path)).then_some(&self.path)
    }

    /// Refuses what cannot be written before anything is run.
    fn of(path: &Option<OutputFile>, known: &[&'static str]) -> Result<Option<Self>> {
        let Some(path) = path else { return Ok(None) };
        let kind = match endings::known(path, known, Packing::ByName)? {
            Some("npy") => Kind::Npy,
            Some("csv") => Kind::Rows(Layout::Csv),
            Some("json") => Kind::Rows(Layout::Json),
            Some("jsonl") => Kind::Rows(Layout::JsonLines),
            _ => Kind::Rows(Layout::Tsv),
        };
        check_folder(path)?;
        Ok(Some(Self { path: path.clone(), kind }))
    }

    /// Refuses an array for searches that may stop early: it has a number for each vertex, and none
    /// that means "not looked at".
    pub fn check_whole(&self, may_stop_early: bool) -> Result<()> {
        match may_stop_early && self.kind == Kind::Npy {
            true => Err(Failure::usage(format!(
                "{}: an array holds whole searches, and this one may stop early",
                self.path
            ))
            .hint("write rows of text, such as .csv, which leave out what is not known")),
            false => Ok(()),
        }
    }

    /// What the file is to hold.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Writes an array.
    pub fn write_npy(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        Ok(write_file(&self.path, write)?)
    }
}

/// Does `work`, which writes rows to the file where one is wanted.
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

/// Does `work`, which writes the file `path`, whole or not at all.
pub fn write_whole<R>(path: &Path, work: impl FnOnce(&mut dyn Write) -> Result<R>) -> Result<R> {
    let mut outcome = None;
    let written = write_file(path, |out| match outcome.insert(work(out)) {
        Ok(_) => Ok(()),
        // Nobody sees this: the work's own failure is told.
        Err(_) => Err(io::Error::other("the work failed")),
    });
    match (outcome, written) {
        (Some(Err(failure)), _) => Err(failure),
        (_, Err(error)) => Err(error.into()),
        (Some(Ok(result)), Ok(())) => Ok(result),
        (None, Ok(())) => Err(Failure::new(format!("{}: nothing was written", path.display()))),
    }
}

/// A path that can be written to, as far as can be told before the work is done.
pub fn check_folder(path: &OutputFile) -> Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let problem =
        |path: &Path, problem: &str| Err(Failure::new(format!("{}: {problem}", path.display())));
    match (folder.is_dir(), path.is_dir()) {
        (false, _) => problem(folder, "there is no such folder to write to"),
        (true, true) => problem(path, "this is a folder, not a file to write to"),
        (true, false) => Ok(()),
    }
}

/// The format of a file for a graph or a matrix, if it can be told; `option` would name it.
pub fn graph_format(path: &OutputFile, asked: Option<Format>, option: &str) -> Result<Format> {
    check_folder(path)?;
    asked.or_else(|| Format::of_path(path)).ok_or_else(|| {
        let known: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        Failure::usage(format!("{}: the name does not tell the format", path.display()))
            .hint(format!("name the format with {option}: {}", known.join(", ")))
    })
}
