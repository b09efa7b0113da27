//! Compressed files: which there are, how a name tells them and how their bytes confirm it.

use std::{
    io::{self, BufRead, Read, Write},
    path::Path,
};

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzReader, XzWriter};

use crate::memory;

/// The most memory that a compressed file may ask for to be decompressed.
const MOST_XZ_MEMORY: u64 = 256 << 20;

/// A way to compress files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Compression {
    Gzip,
    Zstd,
    Xz,
    Bzip2,
}

impl Compression {
    /// All of them.
    pub(super) const ALL: [Self; 4] = [Self::Gzip, Self::Zstd, Self::Xz, Self::Bzip2];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Xz => "xz",
            Self::Bzip2 => "bzip2",
        }
    }

    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Gzip => "gz",
            Self::Zstd => "zst",
            Self::Xz => "xz",
            Self::Bzip2 => "bz2",
        }
    }

    /// What the file starts with.
    fn magic(self) -> &'static [u8] {
        match self {
            Self::Gzip => b"\x1f\x8b",
            Self::Zstd => b"\x28\xb5\x2f\xfd",
            Self::Xz => b"\xfd7zXZ\0",
            Self::Bzip2 => b"BZh",
        }
    }

    /// The compression that a file's name tells, if any.
    pub(super) fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        Self::ALL.into_iter().find(|known| extension.eq_ignore_ascii_case(known.extension()))
    }

    /// The compression that a file's first bytes tell, if any.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|known| bytes.starts_with(known.magic()))
    }

    /// The decompressed bytes of `packed`, which may be several compressed files in a row.
    pub(super) fn reader<'a>(self, packed: impl BufRead + 'a) -> io::Result<Box<dyn Read + 'a>> {
        Ok(match self {
            Self::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(packed)),
            Self::Zstd => Box::new(zstd::Decoder::with_buffer(packed)?),
            Self::Xz => {
                let most = MOST_XZ_MEMORY.min(memory::available());
                Box::new(XzReader::new_mem_limit(packed, true, (most >> 10) as u32))
            }
            Self::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(packed)),
        })
    }

    /// Compresses what is written to it on the way to `out`.
    pub(super) fn writer<'a>(self, out: impl Write + 'a) -> io::Result<Box<dyn Packer + 'a>> {
        Ok(match self {
            Self::Gzip => Box::new(GzEncoder::new(out, flate2::Compression::default())),
            Self::Zstd => {
                let mut packer = zstd::Encoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                packer.include_checksum(true)?;
                Box::new(packer)
            }
            Self::Xz => Box::new(XzWriter::new(out, XzOptions::default())?),
            Self::Bzip2 => Box::new(BzEncoder::new(out, bzip2::Compression::default())),
        })
    }
}

/// A writer of compressed files, which must be told of the end.
pub(super) trait Packer: Write {
    /// Writes what is left.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

macro_rules! packer {
    ($($packer:ty),+) => {$(
        impl<W: Write> Packer for $packer {
            fn finish(self: Box<Self>) -> io::Result<()> {
                (*self).finish().map(drop)
            }
        }
    )+};
}

packer!(GzEncoder<W>, zstd::Encoder<'_, W>, XzWriter<W>, BzEncoder<W>);
