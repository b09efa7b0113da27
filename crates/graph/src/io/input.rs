//! The bytes of a file.

use std::{fs::File, ops::Deref, path::Path};

use memmap2::Mmap;

use super::Progress;
use crate::{Error, Result};

/// All bytes of a file.
pub(super) struct Bytes(Mmap);

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// Opens the file `path`.
pub(super) fn open(path: &Path, _progress: Option<&dyn Progress>) -> Result<Bytes> {
    let failed = |source| Error::Io { path: path.to_owned(), source };
    let file = File::open(path).map_err(failed)?;
    // SAFETY: the file is only read, and nothing here relies on its bytes staying the same.
    let map = unsafe { Mmap::map(&file) }.map_err(failed)?;
    Ok(Bytes(map))
}
