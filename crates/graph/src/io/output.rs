//! Atomic writing of files.

use std::{
    fs::{self, File, Metadata},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError, TryLockError},
    thread,
    time::Duration,
};

use tempfile::NamedTempFile;

use super::{
    abandoned,
    compression::Compression,
    descriptor,
    links::{MOST_LINKS, folder_of},
};
use crate::{Error, Result};

/// Writes the file `path` atomically with `write`: on failure, the old file remains. Names that end
/// in `.gz`, `.zst`, `.xz` or `.bz2` are compressed.
///
/// Links are followed, even if the target does not exist yet. Pipes, devices and paths of open
/// files, such as `/dev/stdout`, are written to in place, so that a failure of `write` may leave
/// partial output.
///
/// Fails if `write` does, if the file is read-only, and if the file or its folder is not writable;
/// the error names the one at fault.
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
    write_whole(path, |out| write(out).map_err(|source| Error::io(path, source)))
}

/// Like [`write_file`], for writers with further errors.
pub(super) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    match Target::resolve(path)? {
        Target::Open => {
            let mut file = append_to(path).map_err(|source| Error::io(path, source))?;
            fill(path, &mut file, write)
        }
        Target::Replace { path: target, old } => replace(path, &target, old.as_ref(), write),
    }
}

/// Fails if [`write_file`] would, as far as can be determined without writing: to be called before
/// long computations.
///
/// ```
/// use equipoise_graph::io::check_output;
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("levels.txt");
/// assert!(check_output(&path).is_ok());
/// std::fs::create_dir(&path).unwrap();
/// assert!(check_output(&path).is_err());
/// ```
pub fn check_output(path: &Path) -> Result<()> {
    Target::resolve(path).map(drop)
}

/// Opens a file for appending, or creates it. A path of an open file yields that file with its
/// position.
///
/// ```
/// use std::io::Write;
/// use equipoise_graph::io::append_to;
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("times.csv");
/// for line in ["a\n", "b\n"] {
///     append_to(&path).unwrap().write_all(line.as_bytes()).unwrap();
/// }
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "a\nb\n");
/// ```
pub fn append_to(path: &Path) -> io::Result<File> {
    descriptor::opened(path).unwrap_or_else(|| File::options().create(true).append(true).open(path))
}

/// The way in which a path is written.
pub(super) enum Target {
    /// Written to in place: an open file, a pipe or a device.
    Open,
    /// Replaced by a new file at this path with the permissions of the old one.
    Replace { path: PathBuf, old: Option<Metadata> },
}

impl Target {
    pub fn resolve(path: &Path) -> Result<Self> {
        let failed = |source| Error::io(path, source);
        if descriptor::is_open(path) {
            return Ok(Self::Open);
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => Err(failed(io::ErrorKind::IsADirectory.into())),
            Ok(metadata) if metadata.is_file() => {
                // The target of a link is replaced, not the link.
                let target = fs::canonicalize(path).map_err(failed)?;
                check_writable(&target, &metadata).map_err(failed)?;
                Ok(Self::Replace { path: target, old: Some(metadata) })
            }
            Ok(_) => Ok(Self::Open),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Self::Replace { path: end_of_links(path), old: None })
            }
            Err(error) => Err(failed(error)),
        }
    }
}

/// Renaming requires only write access to the folder, and would replace a read-only file.
fn check_writable(path: &Path, metadata: &Metadata) -> io::Result<()> {
    // Root may write to read-only files.
    if metadata.permissions().readonly() {
        let kind = io::ErrorKind::PermissionDenied;
        return Err(io::Error::new(kind, "this file is read-only, and is not replaced"));
    }
    File::options().write(true).open(path).map(drop)
}

/// The final target of links that lead to no existing file.
fn end_of_links(path: &Path) -> PathBuf {
    let mut end = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&end) else { break };
        end = folder_of(&end).join(next);
    }
    end
}

/// Writes a new file next to `target` and renames it to `target`.
fn replace(
    path: &Path,
    target: &Path,
    old: Option<&Metadata>,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    let folder = folder_of(target);
    let mut file = temporary_file(&folder, old).map_err(|source| Error::io(&folder, source))?;
    let _unfinished = Unfinished::note(file.path());
    fill(path, file.as_file_mut(), write)?;
    put_in_place(file, target).map_err(|source| Error::io(path, source))
}

/// Renames a finished file to its target. The contents are on disk before the rename, and the
/// rename before this returns: after a power loss, either the old or the new file exists.
pub(super) fn put_in_place(file: NamedTempFile, target: &Path) -> io::Result<()> {
    synced(file.as_file())?;
    file.persist(target).map_err(|problem| problem.error)?;
    // A folder that is writable but not readable cannot be opened.
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder_of(target)) {
        synced(&folder)?;
    }
    Ok(())
}

/// Waits until the file is on disk, if the file system supports it.
fn synced(file: &File) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, Unsupported};
    match file.sync_all() {
        Err(error) if matches!(error.kind(), InvalidInput | Unsupported) => Ok(()),
        done => done,
    }
}

/// Makes writing beyond the file size limit (`ulimit -f`) an ordinary error instead of a signal
/// that kills the program. For programs, at startup. No effect on systems without such a signal.
///
/// ```standalone_crate
/// use equipoise_graph::io::{report_files_too_large, write_file};
///
/// report_files_too_large();
/// # #[cfg(target_os = "linux")]
/// # {
/// # use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("large.txt");
/// // As `ulimit -f` does.
/// let limit = Rlimit { current: Some(100), ..getrlimit(Resource::Fsize) };
/// setrlimit(Resource::Fsize, limit).unwrap();
/// assert!(write_file(&path, |out| out.write_all(&[b' '; 1000])).is_err());
/// # }
/// ```
pub fn report_files_too_large() {
    #[cfg(unix)]
    // SAFETY: ignoring a signal runs no handler.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// The time in milliseconds to wait for the lock of the list of unfinished files.
const PATIENCE: u32 = 100;

/// The temporary files that are being written.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the temporary files that are being written, for a program that is about to end, as on a
/// signal. The old files remain.
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
    // The lock may be held by a thread that cannot continue, so the wait is bounded.
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
            // No one is left to receive an error; a missing file is fine.
            let _ = fs::remove_file(path);
        }
        break;
    }
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers a file that is being written, for as long as it lives.
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

/// A new file with the permissions of the old one, or else the default ones.
pub(super) fn temporary_file(folder: &Path, old: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666))
    };
    fs::metadata(folder)?;
    // Only the kind: the message would contain a temporary name that means nothing to the user.
    let file =
        builder.prefix(&abandoned::prefix()).tempfile_in(folder).map_err(|error| error.kind())?;
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
    let failed = |source| Error::io(path, source);
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::time::SystemTime;

    use super::{
        abandoned::{RANDOM, YOUNGEST, prefix},
        *,
    };

    #[test]
    fn writing_a_file_removes_abandoned_ones() {
        let folder = tempfile::tempdir().unwrap();
        let names = || -> Vec<String> {
            let entries = fs::read_dir(folder.path()).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        };
        for name in [&*format!("{}abc123", prefix()), ".equipoise-notes"] {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() - 2 * YOUNGEST).unwrap();
        }
        write_file(&folder.path().join("a.txt"), |out| {
            assert!(names().iter().any(|name| name.len() == prefix().len() + RANDOM));
            out.write_all(b"a")
        })
        .unwrap();
        let mut left = names();
        left.sort();
        assert_eq!(left, [".equipoise-notes", "a.txt"]);
    }
}
