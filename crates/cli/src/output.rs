//! Files with results. Each is written whole or not at all.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use equipoise::graph::io::{Format, MappedFile, write_file};

use crate::{
    failure::{Failure, Result},
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
    path: PathBuf,
    kind: Kind,
}

impl ResultFile {
    /// The file asked for, if any, of a command whose results are rows.
    pub fn of_rows(path: &Option<PathBuf>) -> Result<Option<Self>> {
        Self::of(path, "rows of text: .tsv, .csv or .json", |kind| kind != Kind::Npy)
    }

    /// The file asked for, if any, of a command whose results are an array of numbers.
    pub fn of_array(path: &Option<PathBuf>) -> Result<Option<Self>> {
        Self::of(path, "an array of numbers: .npy, .tsv, .csv or .json", |_| true)
    }

    /// The file asked for, if any, of results that are an array and nothing else.
    pub fn of_npy(path: &Option<PathBuf>) -> Result<Option<Self>> {
        let file = Self::of_array(path)?;
        match &file {
            Some(Self { path, kind: Kind::Rows(_) }) => {
                let path = path.display();
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
    fn of(
        path: &Option<PathBuf>,
        fitting: &str,
        fits: impl Fn(Kind) -> bool,
    ) -> Result<Option<Self>> {
        let Some(path) = path else { return Ok(None) };
        match kind_of(path).filter(|&kind| fits(kind)) {
            None => Err(Failure::usage(format!(
                "{}: the name tells a format that does not fit, as this command writes {fitting}",
                path.display()
            ))),
            Some(kind) => {
                check_folder(path)?;
                Ok(Some(Self { path: path.clone(), kind }))
            }
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
pub fn check_folder(path: &Path) -> Result<()> {
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
pub fn graph_format(path: &Path, asked: Option<Format>, option: &str) -> Result<Format> {
    check_folder(path)?;
    asked.or_else(|| Format::of_path(path)).ok_or_else(|| {
        let known: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        Failure::usage(format!("{}: the name does not tell the format", path.display()))
            .hint(format!("name the format with {option}: {}", known.join(", ")))
    })
}

/// The kind that the name of a file tells: rows of text where it tells nothing else.
fn kind_of(path: &Path) -> Option<Kind> {
    let extension = |path: &Path| {
        path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase())
    };
    let mut told = extension(path);
    if matches!(told.as_deref(), Some("gz" | "zst" | "xz" | "bz2")) {
        told = extension(Path::new(path.file_stem().unwrap_or_default()));
    }
    match told.as_deref() {
        Some("csv") => Some(Kind::Rows(Layout::Csv)),
        Some("json") => Some(Kind::Rows(Layout::Json)),
        Some("npy") => Some(Kind::Npy),
        Some("mtx" | "eqp" | "gr" | "graph" | "metis" | "el" | "wel" | "sg" | "wsg") => None,
        _ => Some(Kind::Rows(Layout::Tsv)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_kinds_through_compression() {
        let kind = |name: &str| kind_of(name.as_ref());
        assert_eq!(kind("levels.csv.gz"), Some(Kind::Rows(Layout::Csv)));
        assert_eq!(kind("levels.JSON"), Some(Kind::Rows(Layout::Json)));
        assert_eq!(kind("levels"), Some(Kind::Rows(Layout::Tsv)));
        assert_eq!(kind("levels.zst"), Some(Kind::Rows(Layout::Tsv)));
        assert_eq!(kind("distances.npy"), Some(Kind::Npy));
        assert_eq!(kind("distances.mtx.xz"), None);
    }
}
