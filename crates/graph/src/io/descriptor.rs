//! Paths of files that are already open: `/dev/stdout`, `/dev/fd/3`, `/proc/self/fd/1`, and links
//! to them.
//!
//! Reopening or replacing such a file would lose what others write to it: each open file has its
//! own position. So the open file is used.

use std::{fs::File, io, path::Path};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// This process, under this descriptor.
    This(u32),
    Other,
}

/// The descriptor of this process that `path` leads to, if any: 1 for `/dev/stdout`. `None` on
/// systems without such paths.
///
/// ```
/// use equipoise_graph::io::descriptor;
///
/// assert_eq!(descriptor("levels.tsv".as_ref()), None);
/// # #[cfg(unix)]
/// assert_eq!(descriptor("/dev/stdout".as_ref()), Some(1));
/// ```
pub fn descriptor(path: &Path) -> Option<u32> {
    match owner(path)? {
        Owner::This(number) => Some(number),
        Owner::Other => None,
    }
}

/// The open file of this process that `path` leads to, if any, with its position.
pub(super) fn opened(path: &Path) -> Option<io::Result<File>> {
    descriptor(path).map(copy)
}

/// Whether `path` leads to a file that a process has open.
pub(super) fn is_open(path: &Path) -> bool {
    owner(path).is_some()
}

#[cfg(unix)]
fn owner(path: &Path) -> Option<Owner> {
    let mut end = path.to_owned();
    for _ in 0..super::links::MOST_LINKS {
        if let Some(owner) = owner_of_entry(&end) {
            return Some(owner);
        }
        let next = std::fs::read_link(&end).ok()?;
        end = super::links::folder_of(&end).join(next);
    }
    None
}

/// The owner of the open file that an entry of a descriptor folder stands for.
#[cfg(unix)]
fn owner_of_entry(path: &Path) -> Option<Owner> {
    let number = path.file_name()?.to_str()?.parse().ok()?;
    let folder = super::links::folder_of(path).canonicalize().ok()?;
    if folder == Path::new("/dev/fd") {
        return Some(Owner::This(number));
    }
    // On Linux, `/proc/PID/fd` and `/proc/PID/task/TID/fd`.
    if !folder.starts_with("/proc") || folder.file_name()? != "fd" {
        return None;
    }
    if folder.starts_with(Path::new("/proc/self").canonicalize().ok()?) {
        Some(Owner::This(number))
    } else {
        Some(Owner::Other)
    }
}

#[cfg(unix)]
fn copy(number: u32) -> io::Result<File> {
    use std::os::fd::BorrowedFd;
    let number = i32::try_from(number).map_err(|_| io::ErrorKind::NotFound)?;
    // SAFETY: the descriptor is not negative, and only duplicated, which fails if it is not open.
    let open = unsafe { BorrowedFd::borrow_raw(number) };
    open.try_clone_to_owned().map(File::from)
}

#[cfg(not(unix))]
fn owner(_: &Path) -> Option<Owner> {
    None
}

#[cfg(not(unix))]
fn copy(_: u32) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::{fd::AsRawFd, unix::fs::symlink};

    use super::*;

    #[test]
    fn every_spelling_of_an_open_file_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("out.tsv");
        symlink("/dev/stdout", &link).unwrap();
        let again = folder.path().join("again.tsv");
        symlink("out.tsv", &again).unwrap();
        let own = format!("/proc/{}/fd/1", std::process::id());
        for path in [
            "/dev/stdout",
            "/dev/fd/1",
            "/proc/self/fd/1",
            "/proc/thread-self/fd/1",
            "/dev/../dev/stdout",
            &own,
        ] {
            assert_eq!(owner(path.as_ref()), Some(Owner::This(1)), "{path}");
        }
        assert_eq!((descriptor(&link), descriptor(&again)), (Some(1), Some(1)));
        assert_eq!(owner("/proc/1/fd/2".as_ref()), Some(Owner::Other));
        for path in ["/dev/null", "levels.tsv", "1", "/proc/self/fd/x", "/proc/self/status", ""] {
            assert_eq!(owner(path.as_ref()), None, "{path}");
        }
    }

    #[test]
    fn a_number_that_is_not_open_is_an_error() {
        let file = tempfile::tempfile().unwrap();
        let path = format!("/dev/fd/{}", file.as_raw_fd());
        assert!(opened(path.as_ref()).unwrap().is_ok());
        for path in ["/dev/fd/12345678", "/dev/fd/4294967295"] {
            assert!(opened(path.as_ref()).unwrap().is_err());
        }
    }
}
