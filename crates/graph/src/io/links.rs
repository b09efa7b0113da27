//! Links between files.

use std::path::{Path, PathBuf};

/// The maximum number of links followed in a chain, as on Linux.
pub(super) const MOST_LINKS: usize = 40;

/// The folder of a file, `.` where its path names none.
pub(super) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}
