//! Checks of output files.

use std::{io, path::Path};

use equipoise_graph::{
    Error,
    io::{check_output, descriptor},
};

use crate::failure::{Failure, Result};

/// The result of writing the file `path`: success if `path` is standard output and its reader left.
pub fn unless_reader_left(
    path: &Path,
    written: equipoise_graph::Result<()>,
) -> equipoise_graph::Result<()> {
    match written {
        Err(Error::Io { source, .. })
            if source.kind() == io::ErrorKind::BrokenPipe && is_standard_output(path) =>
        {
            Ok(())
        }
        written => written,
    }
}

/// Whether the path leads to standard output.
pub fn is_standard_output(path: &Path) -> bool {
    descriptor(path) == Some(1)
}

/// Checks that a path is writable, as far as possible before the work is done.
pub fn check_folder(path: &Path) -> Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let problem =
        |path: &Path, problem: &str| Err(Failure::new(format!("{}: {problem}", path.display())));
    match (folder.is_dir(), path.is_dir()) {
        (false, _) => problem(folder, "no such folder to write to"),
        (true, true) => problem(path, "this is a folder, not a file to write to"),
        (true, false) => Ok(check_output(path)?),
    }
}
