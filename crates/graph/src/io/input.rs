//! The bytes of a file: mapped where it is plain, decompressed as a whole where it is not.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    ops::Deref,
    path::Path,
    sync::Arc,
};

use memmap2::Mmap;

use super::{Progress, compression::Compression};
use crate::{Error, Result};

/// All bytes of a file, decompressed.
pub(super) enum Bytes {
    /// Lying in the file itself.
    Mapped(Arc<Mmap>),
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

/// Opens the file `path`. Whether it is compressed is told by its name, and must be so.
pub(super) fn open(path: &Path, progress: Option<&dyn Progress>) -> Result<Bytes> {
    let failed = |source| Error::Io { path: path.to_owned(), source };
    let wrong = |message| Error::Parse { path: path.to_owned(), line: None, message };
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    if let Some(compression) = Compression::of_path(path) {
        let packed = Counted { file, progress };
        return match progress {
            None => unpack(packed, compression),
            Some(progress) => {
                progress.start("decompressing", metadata.len());
                let unpacked = unpack(packed, compression);
                progress.finish();
                unpacked
            }
        }
        .map(Bytes::Read)
        .map_err(|problem| match problem {
            Problem::Io(source) => failed(source),
            Problem::Bytes(message) => wrong(message),
        });
    }

    // A file without a size is empty, or a pipe, or another that cannot be mapped.
    let bytes = match metadata.is_file() && metadata.len() > 0 {
        true => Bytes::Mapped(Arc::new(map(&file).map_err(failed)?)),
        false => Bytes::Read(read_all(file).map_err(failed)?),
    };
    match Compression::of_bytes(&bytes) {
        None => Ok(bytes),
        Some(found) => {
            let (name, extension) = (found.name(), found.extension());
            Err(wrong(format!(
                "is compressed by {name}, but its name does not end in .{extension}"
            )))
        }
    }
}

fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is only read, as numbers for which every bit pattern is valid; whatever
    // could go wrong by an odd number is checked. Equipoise itself never writes to a file in
    // place, it replaces it, which leaves the mapped one as it was. That others do so too, while
    // Equipoise reads, is asked of users, as of all programs that map files.
    unsafe { Mmap::map(file) }
}

fn read_all(mut file: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Why a compressed file could not be read.
enum Problem {
    Io(io::Error),
    Bytes(String),
}

fn unpack(packed: impl Read, compression: Compression) -> Result<Vec<u8>, Problem> {
    let mut packed = BufReader::with_capacity(1 << 18, packed);
    let start = packed.fill_buf().map_err(Problem::Io)?;
    let (name, extension) = (compression.name(), compression.extension());
    match Compression::of_bytes(start) {
        Some(found) if found == compression => {}
        found => {
            let found = match (found, start.is_empty()) {
                (Some(other), _) => format!("is compressed by {}", other.name()),
                (None, true) => "is empty".into(),
                (None, false) => format!("is not compressed by {name}"),
            };
            return Err(Problem::Bytes(format!("{found}, though its name ends in .{extension}")));
        }
    }
    let unpacked = compression.reader(packed).and_then(read_all);
    unpacked.map_err(|source| match source.raw_os_error() {
        Some(_) => Problem::Io(source),
        None => Problem::Bytes(format!("the {name} data is cut short or damaged: {source}")),
    })
}

/// A file that reports how much of it was read.
struct Counted<'a> {
    file: File,
    progress: Option<&'a dyn Progress>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        if let Some(progress) = self.progress {
            progress.advance(count as u64);
        }
        Ok(count)
    }
}
