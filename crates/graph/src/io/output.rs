//! Files that are written whole or not at all.

use std::{
    fs::{self, File, Metadata},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError, TryLockError},
    thread,
    time::Duration,
};

use tempfile::NamedTempFile;

use super::{abandoned, compression::Compression};
use crate::{Error, Result};

/// Writes the file `path` by `write`, whole or not at all: where that fails, what was there before
/// still is. A name that ends in `.gz`, `.zst`, `.xz` or `.bz2` makes a compressed file.
///
/// Fails where `write` does, and where the file or its folder cannot be written; the error names
/// the one at fault.
///
/// ```
/// use std::io::Write;
/// use equipoise_graph::io::write_file;
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("levels.txt");
/// write_file(&path, |out| writeln!(out, "0 1"))?;
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "0 1\n");
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn write_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    write_whole(path, |out| write(out).map_err(|source| failed(path, source)))
}

/// Like [`write_file`], for writers that fail in other ways, too.
pub(super) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(failed(path, io::ErrorKind::IsADirectory.into())),
        Ok(metadata) if metadata.is_file() => {
            // What a link leads to is replaced, not the link.
            let target = fs::canonicalize(path).map_err(|source| failed(path, source))?;
            replace(path, &target, Some(&metadata), write)
        }
        // A pipe or a device cannot be replaced.
        Ok(_) => {
            let file = File::options().write(true).open(path);
            fill(path, &mut file.map_err(|source| failed(path, source))?, write)
        }
        Err(_) => replace(path, path, None, write),
    }
}

/// Writes a new file beside `target` and lets it take its place.
fn replace(
    path: &Path,
    target: &Path,
    old: Option<&Metadata>,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    let folder = folder_of(target);
    let mut file = temporary_file(&folder, old).map_err(|source| failed(&folder, source))?;
    let _unfinished = Unfinished::note(file.path());
    fill(path, file.as_file_mut(), write)?;
    file.persist(target).map_err(|problem| failed(path, problem.error))?;
    Ok(())
}

/// The milliseconds for which the list of unfinished files is waited for.
const PATIENCE: u32 = 100;

/// The files beside their targets that are being written.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the files that are being written, for a program that is about to end though they are
/// not finished, as on a signal. What was there before them stays.
///
/// ```standalone_crate
/// use equipoise_graph::io::{discard_unfinished, write_file};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("levels.txt");
/// let written = write_file(&path, |_| {
///     discard_unfinished();
///     assert_eq!(std::fs::read_dir(folder.path())?.count(), 0);
///     Ok(())
/// });
/// assert!(written.is_err());
/// ```
pub fn discard_unfinished() {
    // Whoever holds the list may be the one that cannot go on: it is not waited for.
    for _ in 0..PATIENCE {
        let paths = match UNFINISHED.try_lock() {
            Ok(paths) => paths,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                thread::sleep(Duration::from_millis(1));
                continue;
            }
        };
        for path in paths.iter() {
            // Nobody is left to be told, and what is gone already is as wanted.
            let _ = fs::remove_file(path);
        }
        break;
    }
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A note that a file is being written, for as long as it lives.
pub(super) struct Unfinished(PathBuf);

impl Unfinished {
    pub fn note(path: &Path) -> Self {
        unfinished().push(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().retain(|path| *path != self.0);
    }
}

pub(super) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// A new file with the permissions of the old one, or those that any new file gets.
pub(super) fn temporary_file(folder: &Path, old: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666))
    };
    fs::metadata(folder)?;
    // Only the kind: the rest of the message is about a name that means nothing to the user.
    let file =
        builder.prefix(abandoned::PREFIX).tempfile_in(folder).map_err(|error| error.kind())?;
    abandoned::claim(file.as_file());
    abandoned::clear(folder);
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    Ok(file)
}

fn fill(
    path: &Path,
    file: &mut File,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    let failed = |source| failed(path, source);
    let mut out = BufWriter::with_capacity(1 << 18, file);
    match Compression::of_path(path) {
        None => write(&mut out)?,
        Some(compression) => {
            let mut packer = compression.writer(&mut out).map_err(failed)?;
            write(&mut packer)?;
            packer.finish().map_err(failed)?;
        }
    }
    out.flush().map_err(failed)
}

pub(super) fn failed(path: &Path, source: io::Error) -> Error {
    Error::Io { path: path.to_owned(), source }
}
