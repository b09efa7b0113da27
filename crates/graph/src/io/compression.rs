//! Compression formats, and their detection by name and by content.

use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Compression {
    Gzip,
    Zstd,
    Xz,
    Bzip2,
}

impl Compression {
    pub(super) const ALL: [Self; 4] = [Self::Gzip, Self::Zstd, Self::Xz, Self::Bzip2];

    /// The name, the extension and the first bytes of every file.
    fn description(self) -> (&'static str, &'static str, &'static [u8]) {
        match self {
            Self::Gzip => ("gzip", "gz", b"\x1f\x8b"),
            Self::Zstd => ("zstd", "zst", b"\x28\xb5\x2f\xfd"),
            Self::Xz => ("xz", "xz", b"\xfd7zXZ\0"),
            Self::Bzip2 => ("bzip2", "bz2", b"BZh"),
        }
    }

    pub(super) fn name(self) -> &'static str {
        self.description().0
    }

    pub(super) fn extension(self) -> &'static str {
        self.description().1
    }

    /// The compression that the extension of `path` indicates, if any.
    pub(super) fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        Self::ALL.into_iter().find(|known| extension.eq_ignore_ascii_case(known.extension()))
    }

    /// The compression that the first bytes of a file indicate, if any.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|known| bytes.starts_with(known.description().2))
    }
}
