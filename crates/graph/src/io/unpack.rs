//! Reads streams of unknown length piece by piece, within limits of memory and plausibility.

use std::{
    cell::Cell,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use super::compression::Compression;
use crate::{Error, Result, memory};

/// The size of the first piece, which also decides whether it is text.
const FIRST_PIECE: usize = 1 << 16;
/// The minimum size of further pieces.
const PIECE: usize = 1 << 18;
/// The maximum size of a piece.
const MOST_AT_ONCE: usize = 1 << 26;

/// Limits on the decompressed size.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The maximum number of bytes.
    pub most: u64,
    /// Any file may decompress to this many bytes: twice the offsets of 2²⁴ vertices without edges,
    /// which a file of any size may claim.
    pub free: u64,
    /// Beyond that, the maximum ratio of decompressed to compressed bytes. Texts of graphs stay
    /// below 100.
    pub ratio: u64,
}

impl Limits {
    pub const OF_FILES: Self = Self { most: u64::MAX, free: 256 << 20, ratio: 250 };
}

/// Decompresses the bytes of a file whose extension indicates the compression: `.gz`, `.zst`, `.xz`
/// or `.bz2`. Concatenated compressed files are decompressed one after the other.
///
/// Fails if the name indicates no compression or the wrong one, if the bytes are damaged, if they
/// decompress to more than `most` bytes or are implausibly large (over 256 MiB and over 250 times
/// the compressed size), and if memory is insufficient.
///
/// ```
/// use equipoise_graph::io::{unpack, write_file};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("roads.el.gz");
/// write_file(&path, |out| out.write_all(b"0 1\n1 2\n"))?;
/// let packed = std::fs::read(&path).unwrap();
/// assert_eq!(unpack(&path, &packed, 1000)?, b"0 1\n1 2\n");
/// assert!(unpack(&path, &packed, 7).is_err());
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn unpack(name: &Path, packed: &[u8], most: u64) -> Result<Vec<u8>> {
    let Some(compression) = Compression::of_path(name) else {
        return Err(Error::invalid(name, "the name does not end as that of a compressed file"));
    };
    let limits = Limits { most, ..Limits::OF_FILES };
    Unpacker { path: name, limits, text: false }.unpack(packed, compression)
}

/// Reads all bytes of a stream within limits.
pub(super) struct Unpacker<'a> {
    pub path: &'a Path,
    pub limits: Limits,
    /// Whether the contents must be text.
    pub text: bool,
}

impl Unpacker<'_> {
    /// Reads all bytes that `packed` decompresses to.
    pub fn unpack(&self, packed: impl Read, compression: Compression) -> Result<Vec<u8>> {
        let read = Cell::new(0);
        let counted = Counted { packed, read: &read };
        let mut packed = BufReader::with_capacity(1 << 16, counted);
        let start = packed.fill_buf().map_err(|source| self.failed(source))?;
        self.check_start(start, compression)?;
        let name = compression.name();
        let damaged = |source: io::Error| match (source.raw_os_error(), source.kind()) {
            (Some(_), _) => self.failed(source),
            (None, io::ErrorKind::OutOfMemory) => {
                self.wrong(format!("the {name} data takes too much memory to unpack: {source}"))
            }
            _ => self.wrong(format!("the {name} data is cut short or damaged: {source}")),
        };
        let reader = compression.reader(packed).map_err(damaged)?;
        self.read_by(reader, damaged, |unpacked| self.check_size(unpacked, read.get()))
    }

    /// Reads all bytes of an uncompressed stream.
    pub fn read(&self, file: impl Read) -> Result<Vec<u8>> {
        self.read_by(file, |source| self.failed(source), |_| Ok(()))
    }

    fn read_by(
        &self,
        mut reader: impl Read,
        failed: impl Fn(io::Error) -> Error,
        check_size: impl Fn(u64) -> Result<()>,
    ) -> Result<Vec<u8>> {
        let (mut bytes, mut budget) = (Vec::new(), None);
        loop {
            let before = bytes.len();
            let step = match before {
                0 => FIRST_PIECE,
                _ => self.next_step(before, *budget.get_or_insert_with(memory::available))?,
            };
            // Large blocks are remapped rather than copied when they grow.
            bytes.try_reserve_exact(step).map_err(|_| self.refused(before, memory::available()))?;
            let mut piece = reader.by_ref().take(step as u64);
            let count = piece.read_to_end(&mut bytes).map_err(&failed)?;
            if before == 0 && self.text {
                check_text(self.path, &bytes)?;
            }
            check_size(bytes.len() as u64)?;
            if count < step {
                bytes.shrink_to_fit();
                return Ok(bytes);
            }
        }
    }

    /// The number of bytes to read after `bytes_read`: half of it, or what remains of the initial
    /// `budget`.
    fn next_step(&self, bytes_read: usize, budget: u64) -> Result<usize> {
        let left = usize::try_from(budget).unwrap_or(usize::MAX).saturating_sub(bytes_read);
        if left < PIECE {
            Err(self.refused(bytes_read, budget))
        } else {
            Ok((bytes_read / 2).clamp(PIECE, MOST_AT_ONCE).min(left))
        }
    }

    fn refused(&self, bytes_read: usize, available: u64) -> Error {
        let what = format!("{}: reading it to its end", self.path.display());
        Error::OutOfMemory { what, needed: (bytes_read + PIECE) as u64, available }
    }

    fn check_size(&self, unpacked: u64, packed: u64) -> Result<()> {
        let Limits { most, free, ratio } = self.limits;
        if unpacked > most {
            return Err(self.wrong(format!("unpacks to more than {most} bytes")));
        }
        if unpacked > free && unpacked / ratio > packed {
            Err(self.wrong(format!(
                "{packed} bytes of it unpack to {unpacked} and more, which is over {ratio} times as \
                 much and more than a graph does; if it is right, unpack it before"
            )))
        } else {
            Ok(())
        }
    }

    fn check_start(&self, start: &[u8], compression: Compression) -> Result<()> {
        let detected = match Compression::of_bytes(start) {
            Some(detected) if detected == compression => return Ok(()),
            Some(other) => format!("is compressed by {}", other.name()),
            None if start.is_empty() => "is empty".into(),
            None => format!("is not compressed by {}", compression.name()),
        };
        let extension = compression.extension();
        Err(self.wrong(format!("{detected}, though its name ends in .{extension}")))
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::io(self.path, source)
    }

    fn wrong(&self, message: String) -> Error {
        Error::invalid(self.path, message)
    }
}

/// Checks that the start of a file can be text, so that a binary file is rejected early.
pub(super) fn check_text(path: &Path, bytes: &[u8]) -> Result<()> {
    let start = &bytes[..bytes.len().min(FIRST_PIECE)];
    let Some(zero) = start.iter().position(|&byte| byte == 0) else { return Ok(()) };
    let line = start[..zero].iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
    let is_utf16 = [b"\xff\xfe", b"\xfe\xff"].iter().any(|mark| bytes.starts_with(*mark));
    let hint = if is_utf16 { ": this is UTF-16, save it as UTF-8" } else { "" };
    let message = format!("expected text, found a byte that is 0{hint}");
    Err(Error::Parse { path: path.to_owned(), line: Some(line), message })
}

/// Counts the bytes read.
struct Counted<'a, R> {
    packed: R,
    read: &'a Cell<u64>,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.packed.read(buffer)?;
        self.read.set(self.read.get() + count as u64);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Write, path::PathBuf};

    use super::*;

    fn packed(compression: Compression, bytes: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        let mut packer = compression.writer(&mut packed).unwrap();
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap();
        packed
    }

    fn name(compression: Compression) -> PathBuf {
        format!("bomb.el.{}", compression.extension()).into()
    }

    const SMALL: Limits = Limits { most: u64::MAX, free: 1 << 20, ratio: 100 };

    #[test]
    fn decompression_bombs_are_refused() {
        for compression in Compression::ALL {
            // Several concatenated files, each of which would be accepted alone.
            let bomb = packed(compression, &vec![b'\n'; 600 << 10]).repeat(1000);
            let path = name(compression);
            let unpacker = Unpacker { path: &path, limits: SMALL, text: true };
            let error = unpacker.unpack(&bomb[..], compression).unwrap_err().to_string();
            assert!(error.contains("over 100 times as much"), "{error}");
            // It stops soon after the limit.
            let unpacked: u64 = error
                .split("unpack to ")
                .nth(1)
                .and_then(|rest| rest.split(' ').next()?.parse().ok())
                .unwrap();
            assert!(unpacked < 40 << 20, "{compression:?}: {unpacked}");
        }
    }

    #[test]
    fn small_and_plausible_files_are_unpacked() {
        let text: Vec<u8> =
            (0..300_000u32).flat_map(|edge| format!("{edge}\n").into_bytes()).collect();
        for compression in Compression::ALL {
            let path = name(compression);
            let unpacker = Unpacker { path: &path, limits: SMALL, text: true };
            for bytes in [&[][..], b"0 1\n", &vec![b'\n'; 1 << 20], &text] {
                let packed = packed(compression, bytes);
                assert!(unpacker.unpack(&packed[..], compression).unwrap() == bytes);
                let twice = unpacker.unpack(&packed.repeat(2)[..], compression).unwrap_or_default();
                assert!(bytes.len() == 1 << 20 || twice == bytes.repeat(2));
            }
        }
    }

    #[test]
    fn no_text_is_known_by_its_first_piece() {
        for compression in Compression::ALL {
            let path = name(compression);
            let unpacker = Unpacker { path: &path, limits: SMALL, text: true };
            let mut zeros = b"0 1\n1 2\n".to_vec();
            zeros.resize(200 << 10, 0);
            let packed = packed(compression, &zeros);
            let error = unpacker.unpack(&packed[..], compression).unwrap_err().to_string();
            assert_eq!(
                error,
                format!("{}:3: expected text, found a byte that is 0", path.display())
            );
            let binary = Unpacker { text: false, ..unpacker };
            assert!(binary.unpack(&packed[..], compression).is_ok());
        }
    }

    #[test]
    fn data_that_is_cut_short_or_followed_by_something_else_is_refused() {
        for compression in Compression::ALL {
            let path = name(compression);
            let whole = packed(compression, b"0 1\n1 2\n");
            for length in 0..whole.len() {
                assert!(unpack(&path, &whole[..length], 1000).is_err(), "{compression:?} {length}");
            }
            let followed = [&whole[..], b"and more"].concat();
            assert!(unpack(&path, &followed, 1000).is_err(), "{compression:?}");
        }
    }

    #[test]
    fn no_more_is_unpacked_than_requested() {
        for compression in Compression::ALL {
            let bomb = packed(compression, &vec![7; 1 << 20]);
            let error = unpack(&name(compression), &bomb, 1 << 16).unwrap_err().to_string();
            assert!(error.ends_with("unpacks to more than 65536 bytes"), "{error}");
        }
    }
}
