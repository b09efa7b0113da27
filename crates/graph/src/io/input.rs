//! The bytes of a file: mapped where it is plain, decompressed as a whole where it is not.

use std::{
    fs::File,
    io::{self, Read},
    ops::Deref,
    path::Path,
    sync::Arc,
};

use super::{
    Progress,
    compression::Compression,
    file_map::FileMap,
    unpack::{Limits, Unpacker, check_text},
};
use crate::{Error, Result};

/// All bytes of a file, decompressed.
pub(super) enum Bytes {
    /// Lying in the file itself.
    Mapped(Arc<FileMap>),
    /// Read into memory.
    Read(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Read(bytes) => bytes,
        }
    }
}

/// Opens the file `path`, which is text or binary. Whether it is compressed is told by its name, and
/// must be so.
pub(super) fn open(path: &Path, text: bool, progress: Option<&dyn Progress>) -> Result<Bytes> {
    let failed = |source| Error::Io { path: path.to_owned(), source };
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    let unpacker = Unpacker { path, limits: Limits::OF_FILES, text };
    if let Some(compression) = Compression::of_path(path) {
        let packed = Reported { file, progress };
        return match progress {
            None => unpacker.unpack(packed, compression),
            Some(progress) => {
                progress.start("decompressing", metadata.len());
                let unpacked = unpacker.unpack(packed, compression);
                progress.finish();
                unpacked
            }
        }
        .map(Bytes::Read);
    }

    // A file without a size is empty, or a pipe, or another that cannot be mapped.
    let bytes = match metadata.is_file() && metadata.len() > 0 {
        true => Bytes::Mapped(Arc::new(FileMap::new(&file, path, metadata.len())?)),
        false => Bytes::Read(unpacker.read(file)?),
    };
    if let Some(found) = Compression::of_bytes(&bytes) {
        let (name, extension) = (found.name(), found.extension());
        let message = format!("is compressed by {name}, but its name does not end in .{extension}");
        return Err(Error::Parse { path: path.to_owned(), line: None, message });
    }
    if text {
        check_text(path, &bytes)?;
    }
    Ok(bytes)
}

/// A file that reports how much of it was read.
struct Reported<'a> {
    file: File,
    progress: Option<&'a dyn Progress>,
}

impl Read for Reported<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        if let Some(progress) = self.progress {
            progress.advance(count as u64);
        }
        Ok(count)
    }
}
