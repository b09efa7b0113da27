//! Decompression and compression of streams.

use std::io::{self, BufRead, Read, Write};

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzReader, XzWriter};

use super::compression::Compression;
use crate::memory;

const MOST_XZ_MEMORY: u64 = 256 << 20;

impl Compression {
    /// Decompresses `packed`, which may be several concatenated compressed files.
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

/// A writer of a compressed file, which must be finished explicitly.
pub(super) trait Packer: Write {
    /// Writes the remaining bytes and the end marker.
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
