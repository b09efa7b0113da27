//! The file that a path leads to, however it is spelled.

use std::{
    fs::{self, Metadata},
    path::{Path, PathBuf},
};

use equipoise_graph::io::descriptor;

/// The maximum number of links followed in a chain, as on Linux.
const MOST_LINKS: usize = 40;

/// The file that a path leads to.
#[derive(Clone, Debug)]
pub struct FileTarget {
    /// The path without links, as far as they can be resolved.
    path: PathBuf,
    /// The existing file, if any.
    inode: Option<Inode>,
    /// Whether it is a pipe or a device, which stores nothing that could be overwritten.
    passes_on: bool,
    /// The descriptor under which it is already open, such as that of standard output.
    descriptor: Option<u32>,
}

/// The identity of a file, equal for all of its hard links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Inode {
    device: u64,
    number: u64,
}

impl FileTarget {
    /// Resolves `path`. A file that does not exist is identified by its folder.
    pub fn resolve(path: &Path) -> Self {
        let descriptor = descriptor(path);
        match fs::metadata(path) {
            Ok(metadata) => Self {
                path: fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()),
                inode: inode(&metadata),
                passes_on: !metadata.is_file() && !metadata.is_dir(),
                descriptor,
            },
            Err(_) => {
                let path = in_folder(&end_of_links(path));
                Self { path, inode: None, passes_on: false, descriptor }
            }
        }
    }

    /// Whether both are the same file, so that writing to one changes the other.
    pub fn is_same(&self, other: &Self) -> bool {
        let is_one_inode = self.inode.is_some() && self.inode == other.inode;
        !self.passes_on && (is_one_inode || self.path == other.path)
    }

    /// Whether it is already open, so that output is appended.
    pub fn is_open(&self) -> bool {
        self.descriptor.is_some()
    }

    /// Whether it is the program's standard output.
    pub fn is_standard_output(&self) -> bool {
        self.descriptor == Some(1)
    }

    /// Whether it can be read only once.
    pub fn is_read_once(&self) -> bool {
        self.is_open() && self.passes_on
    }

    /// Whether both are the same pipe or device.
    pub fn is_same_stream(&self, other: &Self) -> bool {
        self.inode.is_some() && self.inode == other.inode
    }

    /// Whether this is `folder` or inside of it.
    pub fn is_within(&self, folder: &Self) -> bool {
        !self.passes_on && self.path.starts_with(&folder.path)
    }
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> Option<Inode> {
    use std::os::unix::fs::MetadataExt;
    Some(Inode { device: metadata.dev(), number: metadata.ino() })
}

/// On other systems, paths without links must suffice.
#[cfg(not(unix))]
fn inode(_: &Metadata) -> Option<Inode> {
    None
}

/// The target of links that lead to no existing file.
fn end_of_links(path: &Path) -> PathBuf {
    let mut end = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&end) else { break };
        end = end.parent().unwrap_or(Path::new("")).join(next);
    }
    end
}

/// The path with its folder's links resolved, if the folder exists.
fn in_folder(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name()) else {
        return absolute;
    };
    match fs::canonicalize(folder) {
        Ok(folder) => folder.join(name),
        // The folder does not exist either: use the nearest one that does.
        Err(_) => in_folder(folder).join(name),
    }
}
