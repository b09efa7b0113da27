//! Output files written through a memory map.

use std::{
    fs::File,
    io::ErrorKind,
    ops::{Deref, DerefMut},
    path::{Path, PathBuf},
};

use memmap2::MmapMut;
use tempfile::NamedTempFile;

use super::{
    compression::Compression,
    links::folder_of,
    output::{Target, Unfinished, put_in_place, temporary_file},
};
use crate::{Error, Result, file_map::unmapped};

/// A file that is written as memory, and replaces its target only when it is saved: until then the
/// old file remains.
///
/// ```
/// use equipoise_graph::io::MappedFile;
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("numbers");
/// let mut file = MappedFile::create(&path, 100)?;
/// file[..3].copy_from_slice(b"abc");
/// file.save(3)?;
/// assert_eq!(std::fs::read(&path).unwrap(), b"abc");
/// assert_eq!(&file[..], b"abc");
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub struct MappedFile {
    path: PathBuf,
    target: PathBuf,
    map: MmapMut,
    length: usize,
    /// `None` after it was saved.
    file: Option<(NamedTempFile, Unfinished)>,
}

impl MappedFile {
    /// Whether `path` can be written this way: not if it is compressed, a pipe or a device, or
    /// leads to an open file.
    ///
    /// ```
    /// use equipoise_graph::io::MappedFile;
    ///
    /// assert!(MappedFile::can_be("distances.npy".as_ref()));
    /// assert!(!MappedFile::can_be("distances.npy.gz".as_ref()));
    /// ```
    pub fn can_be(path: &Path) -> bool {
        // The reason that a file cannot be written is reported by [`MappedFile::create`].
        !matches!(Target::resolve(path), Ok(Target::Open)) && Compression::of_path(path).is_none()
    }

    /// Creates a file of `bytes` zero bytes, with its disk space allocated.
    ///
    /// Fails if the target is read-only or not a file, and if the folder is not writable or the
    /// disk is full.
    pub fn create(path: &Path, bytes: u64) -> Result<Self> {
        let Target::Replace { path: target, old } = Target::resolve(path)? else {
            return Err(Error::io(path, ErrorKind::Unsupported.into()));
        };
        let folder = folder_of(&target);
        let file = temporary_file(&folder, old.as_ref());
        let file = file.map_err(|source| Error::io(&folder, source))?;
        let unfinished = Unfinished::note(file.path());
        allocate(file.as_file(), bytes).map_err(|source| Error::io(path, source))?;
        // SAFETY: the file is new, and no other program knows its name.
        let map = unsafe { MmapMut::map_mut(file.as_file()) };
        let map = map.map_err(|source| unmapped(path, bytes, source))?;
        let (path, length) = (path.to_owned(), map.len());
        Ok(Self { path, target, map, length, file: Some((file, unfinished)) })
    }

    /// Truncates the file to `bytes` and replaces the target. The contents remain readable. Further
    /// calls have no effect.
    pub fn save(&mut self, bytes: u64) -> Result<()> {
        let Some((file, _unfinished)) = self.file.take() else { return Ok(()) };
        self.length = self.length.min(bytes as usize);
        let cut = self.map.flush().and_then(|()| file.as_file().set_len(self.length as u64));
        cut.map_err(|source| Error::io(&self.path, source))?;
        put_in_place(file, &self.target).map_err(|source| Error::io(&self.path, source))
    }
}

/// Allocates disk space: otherwise a full disk would kill the program at a write.
#[cfg(target_os = "linux")]
fn allocate(file: &File, bytes: u64) -> std::io::Result<()> {
    use rustix::{fs::FallocateFlags, io::Errno};
    match rustix::fs::fallocate(file, FallocateFlags::empty(), 0, bytes.max(1)) {
        // Some file systems do not support it.
        Err(Errno::OPNOTSUPP) => file.set_len(bytes.max(1)),
        other => Ok(other?),
    }
}

#[cfg(not(target_os = "linux"))]
fn allocate(file: &File, bytes: u64) -> std::io::Result<()> {
    file.set_len(bytes.max(1))
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map[..self.length]
    }
}

impl DerefMut for MappedFile {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.map[..self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::MappedFile;

    #[test]
    fn a_file_that_is_not_saved_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers");
        std::fs::write(&path, "before").unwrap();
        let mut file = MappedFile::create(&path, 10).unwrap();
        file.fill(b'x');
        assert_eq!(std::fs::read(&path).unwrap(), b"before");
        drop(file);
        assert_eq!(std::fs::read(&path).unwrap(), b"before");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_saved_file_replaces_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers");
        std::fs::write(&path, "before").unwrap();
        let mut file = MappedFile::create(&path, 10).unwrap();
        file.fill(b'x');
        file.save(4).unwrap();
        file.save(2).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"xxxx");
        assert_eq!(&file[..], b"xxxx");
    }

    #[test]
    fn a_missing_folder_is_named() {
        let error = MappedFile::create("/nowhere/numbers".as_ref(), 10).err().unwrap();
        assert!(error.to_string().contains("/nowhere"), "{error}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_larger_than_the_disk_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(MappedFile::create(&folder.path().join("numbers"), 1 << 60).is_err());
    }
}
