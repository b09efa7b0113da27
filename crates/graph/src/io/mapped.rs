//! Files that are written through memory.

use std::{
    fs,
    ops::{Deref, DerefMut},
    path::{Path, PathBuf},
};

use memmap2::MmapMut;
use tempfile::NamedTempFile;

use super::{
    compression::Compression,
    file_map::unmapped,
    output::{Unfinished, failed, folder_of, temporary_file},
};
use crate::Result;

/// A file whose bytes are written as memory is, and that takes its place only when it is saved:
/// until then, and where it never is, what was there before still is.
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
    /// None once it has taken its place.
    file: Option<(NamedTempFile, Unfinished)>,
}

impl MappedFile {
    /// Whether a file of that name can be one: not if it is to be compressed, or is a pipe or a
    /// device.
    ///
    /// ```
    /// use equipoise_graph::io::MappedFile;
    ///
    /// assert!(MappedFile::can_be("distances.npy".as_ref()));
    /// assert!(!MappedFile::can_be("distances.npy.gz".as_ref()));
    /// ```
    pub fn can_be(path: &Path) -> bool {
        let is_file = fs::metadata(path).map_or(true, |metadata| metadata.is_file());
        is_file && Compression::of_path(path).is_none()
    }

    /// A file of so many bytes, all of them 0, with its room on the disk.
    ///
    /// Fails where the folder cannot be written to or has no room.
    pub fn create(path: &Path, bytes: u64) -> Result<Self> {
        let old = fs::metadata(path).ok();
        // What a link leads to is replaced, not the link.
        let target = match old {
            Some(_) => fs::canonicalize(path).map_err(|source| failed(path, source))?,
            None => path.to_owned(),
        };
        let folder = folder_of(&target);
        let file = temporary_file(&folder, old.as_ref());
        let file = file.map_err(|source| failed(&folder, source))?;
        let unfinished = Unfinished::note(file.path());
        allocate(file.as_file(), bytes).map_err(|source| failed(path, source))?;
        // SAFETY: the file is new and has a name that no other program knows of.
        let map = unsafe { MmapMut::map_mut(file.as_file()) };
        let map = map.map_err(|source| unmapped(path, bytes, source))?;
        let (path, length) = (path.to_owned(), map.len());
        Ok(Self { path, target, map, length, file: Some((file, unfinished)) })
    }

    /// Cuts it off after so many bytes and lets it take its place. What it holds can still be read.
    /// A second time it does nothing.
    pub fn save(&mut self, bytes: u64) -> Result<()> {
        let Some((file, _unfinished)) = self.file.take() else { return Ok(()) };
        self.length = self.length.min(bytes as usize);
        let cut = self.map.flush().and_then(|()| file.as_file().set_len(self.length as u64));
        cut.map_err(|source| failed(&self.path, source))?;
        let saved = file.persist(&self.target);
        saved.map(drop).map_err(|problem| failed(&self.path, problem.error))
    }
}

/// Room for all bytes: without it, a full disk would end the program when one is written.
#[cfg(target_os = "linux")]
fn allocate(file: &fs::File, bytes: u64) -> std::io::Result<()> {
    use rustix::{fs::FallocateFlags, io::Errno};
    match rustix::fs::fallocate(file, FallocateFlags::empty(), 0, bytes.max(1)) {
        // Some file systems cannot.
        Err(Errno::OPNOTSUPP) => file.set_len(bytes.max(1)),
        other => Ok(other?),
    }
}

#[cfg(not(target_os = "linux"))]
fn allocate(file: &fs::File, bytes: u64) -> std::io::Result<()> {
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
    fn a_folder_that_is_not_there_is_named() {
        let error = MappedFile::create("/nowhere/numbers".as_ref(), 10).err().unwrap();
        assert!(error.to_string().contains("/nowhere"), "{error}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_has_no_room_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(MappedFile::create(&folder.path().join("numbers"), 1 << 60).is_err());
    }
}
