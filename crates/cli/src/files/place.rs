//! Where a path leads, however it is spelled.

use std::{
    fs::{self, Metadata},
    path::{Path, PathBuf},
};

/// As many links in a row are followed as Linux follows.
const MOST_LINKS: usize = 40;

/// Where a path leads.
#[derive(Clone, Debug)]
pub struct Place {
    /// The path without links, as far as it can be told.
    path: PathBuf,
    /// What is there now.
    inode: Option<Inode>,
    /// Whether there is a pipe or a device, which keeps nothing that could be lost.
    passes_on: bool,
}

/// What hard links to one file have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Inode {
    device: u64,
    number: u64,
}

impl Place {
    /// Where `path` leads. What is not there yet is known by its folder.
    pub fn of(path: &Path) -> Self {
        match fs::metadata(path) {
            Ok(metadata) => Self {
                path: fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()),
                inode: inode(&metadata),
                passes_on: !metadata.is_file() && !metadata.is_dir(),
            },
            Err(_) => Self { path: in_folder(&end_of_links(path)), inode: None, passes_on: false },
        }
    }

    /// Whether both are one file, so that writing to one changes the other.
    pub fn is_same(&self, other: &Self) -> bool {
        let is_one_inode = self.inode.is_some() && self.inode == other.inode;
        !self.passes_on && (is_one_inode || self.path == other.path)
    }

    /// Whether this is the folder, or in it.
    pub fn is_within(&self, folder: &Self) -> bool {
        !self.passes_on && self.path.starts_with(&folder.path)
    }
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> Option<Inode> {
    use std::os::unix::fs::MetadataExt;
    Some(Inode { device: metadata.dev(), number: metadata.ino() })
}

/// Elsewhere, paths without links have to do.
#[cfg(not(unix))]
fn inode(_: &Metadata) -> Option<Inode> {
    None
}

/// What is left when links are followed that lead to nothing.
fn end_of_links(path: &Path) -> PathBuf {
    let mut end = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&end) else { break };
        end = end.parent().unwrap_or(Path::new("")).join(next);
    }
    end
}

/// The path by a folder without links, where there is such a folder.
fn in_folder(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name()) else {
        return absolute;
    };
    match fs::canonicalize(folder) {
        Ok(folder) => folder.join(name),
        // Not there either: by the nearest folder that is.
        Err(_) => in_folder(folder).join(name),
    }
}
