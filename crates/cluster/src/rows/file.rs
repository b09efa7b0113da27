//! Ranges of a file's bytes.

use std::{
    cell::RefCell,
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
};

use bytemuck::Pod;

use super::RowFile;
use crate::{Error, Result};

/// An open file of rows.
pub(super) struct OpenFile<'a> {
    about: &'a RowFile,
    file: RefCell<File>,
}

impl<'a> OpenFile<'a> {
    /// Opens it. Fails if it does not exist or has another size.
    pub fn open(about: &'a RowFile) -> Result<Self> {
        let file = File::open(&about.path).map_err(|source| failed(about, source))?;
        let bytes = file.metadata().map_err(|source| failed(about, source))?.len();
        if bytes == about.bytes {
            Ok(Self { about, file: RefCell::new(file) })
        } else {
            let expected = about.bytes;
            Err(about.wrong(format!(
                "is cut short or another file: it has {bytes} bytes, and should have {expected}"
            )))
        }
    }

    /// The bytes of a range.
    pub fn bytes(&self, range: Range<u64>) -> Result<Vec<u8>> {
        self.array(0, range)
    }

    /// The numbers `range`, counted in numbers, of section `section`.
    pub fn numbers<T: Pod>(&self, section: usize, range: Range<u64>) -> Result<Vec<T>> {
        self.array(self.about.sections[section].start, range)
    }

    fn array<T: Pod>(&self, start: u64, range: Range<u64>) -> Result<Vec<T>> {
        let size = size_of::<T>() as u64;
        let mut array = vec![T::zeroed(); (range.end - range.start) as usize];
        let mut file = self.file.borrow_mut();
        let read = file
            .seek(SeekFrom::Start(start + range.start * size))
            .and_then(|_| file.read_exact(bytemuck::cast_slice_mut(&mut array)));
        read.map_err(|source| failed(self.about, source))?;
        Ok(array)
    }
}

impl RowFile {
    /// Its first `bytes` bytes.
    pub fn start(&self, bytes: u64) -> Result<Vec<u8>> {
        OpenFile::open(self)?.bytes(0..bytes.min(self.bytes))
    }
}

fn failed(about: &RowFile, source: io::Error) -> Error {
    equipoise_graph::Error::Io { path: about.path.clone(), source }.into()
}
