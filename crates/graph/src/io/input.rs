//! The bytes of an input file: mapped if it is uncompressed, else decompressed as a whole.

use std::{
    fs::File,
    io::{self, Read, Seek},
    ops::Deref,
    path::Path,
    sync::Arc,
};

use super::{
    compression::Compression,
    descriptor,
    options::Progress,
    unpack::{Limits, Unpacker, check_text},
};
use crate::{Error, Result, file_map::FileMap};

/// All bytes of a file, decompressed.
pub(super) enum Bytes {
    Mapped(Arc<FileMap>),
    Read(Vec<u8>),
}

impl Bytes {
    /// Runs `read` on the bytes. Fails if they are mapped and the file is written to meanwhile.
    pub fn while_unchanged<T>(&self, read: impl FnOnce() -> Result<T>) -> Result<T> {
        match self {
            Self::Mapped(map) => map.while_unchanged(read),
            Self::Read(_) => read(),
        }
    }
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

/// Opens the file `path`, which is text or binary. Compression is determined by its extension; for
/// a file that is already open, such as standard input, by its first bytes.
pub(super) fn open(path: &Path, text: bool, progress: Option<&dyn Progress>) -> Result<Bytes> {
    let failed = |source| Error::io(path, source);
    let open = descriptor::opened(path);
    let is_nameless = open.is_some();
    let mut file = open.unwrap_or_else(|| File::open(path)).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    let unpacker = Unpacker { path, limits: Limits::OF_FILES, text };
    if let Some(compression) = Compression::of_path(path).filter(|_| !is_nameless) {
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

    // A file of size 0 is empty, a pipe, or another that cannot be mapped. Bytes already consumed
    // from an open file are not read again.
    let is_whole = !is_nameless || file.stream_position().is_ok_and(|position| position == 0);
    let bytes = if metadata.is_file() && metadata.len() > 0 && is_whole {
        Bytes::Mapped(Arc::new(FileMap::new(&file, path, metadata.len())?))
    } else {
        Bytes::Read(Unpacker { text: text && !is_nameless, ..unpacker }.read(file)?)
    };
    match Compression::of_bytes(&bytes) {
        Some(compression) if is_nameless => {
            return unpacker.unpack(&bytes[..], compression).map(Bytes::Read);
        }
        Some(compression) => {
            let (name, extension) = (compression.name(), compression.extension());
            let message =
                format!("is compressed by {name}, but its name does not end in .{extension}");
            return Err(Error::invalid(path, message));
        }
        None => {}
    }
    if text {
        check_text(path, &bytes)?;
    }
    Ok(bytes)
}

/// Parses the text of a file, which may be compressed, as its name says, or a pipe.
///
/// Fails if the file cannot be read, changes meanwhile, does not fit in memory, or is not UTF-8.
///
/// ```
/// use equipoise_graph::{Error, io::parse_file};
///
/// let path = std::env::temp_dir().join("equipoise-example-of-parse-file.txt");
/// std::fs::write(&path, "a 1\nb 2\n").unwrap();
/// let lines = parse_file(&path, |text| Ok::<_, Error>(text.lines().count()))?;
/// assert_eq!(lines, 2);
/// # Ok::<(), Error>(())
/// ```
pub fn parse_file<T, E: From<Error>>(
    path: &Path,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, E> {
    let bytes = open(path, true, None)?;
    bytes.while_unchanged(|| match std::str::from_utf8(&bytes) {
        Ok(text) => Ok(parse(text)),
        Err(error) => {
            let before = bytes[..error.valid_up_to()].iter();
            let line = 1 + before.filter(|&&byte| byte == b'\n').count() as u64;
            let message = "a character that is not UTF-8".into();
            Err(Error::Parse { path: path.into(), line: Some(line), message })
        }
    })?
}

/// A file that reports the progress of reading.
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
