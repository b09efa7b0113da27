//! Checksums that all ranks compute together.

use std::{
    io::{self, Write},
    ops::Range,
};

use xxhash_rust::xxh3::xxh3_64;

use super::{RowFile, file::OpenFile};
use crate::{Comm, Error, Result, agree, share::share};

/// The bytes of a block.
const BLOCK: u64 = 1 << 20;

/// Writes sections and computes their checksum.
pub(crate) struct Hasher<'a> {
    out: &'a mut dyn Write,
    block: Vec<u8>,
    sums: Vec<u64>,
}

impl<'a> Hasher<'a> {
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self { out, block: Vec::with_capacity(BLOCK as usize), sums: Vec::new() }
    }

    /// Writes more bytes of a section.
    pub fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let room = BLOCK as usize - self.block.len();
            let (head, rest) = bytes.split_at(room.min(bytes.len()));
            self.block.extend_from_slice(head);
            bytes = rest;
            if self.block.len() == BLOCK as usize {
                self.end_section()?;
            }
        }
        Ok(())
    }

    /// Ends a section: the next one starts a block.
    pub fn end_section(&mut self) -> io::Result<()> {
        if !self.block.is_empty() {
            self.sums.push(xxh3_64(&self.block));
            self.out.write_all(&self.block)?;
            self.block.clear();
        }
        Ok(())
    }

    /// The checksum of all sections.
    pub fn finish(self) -> u64 {
        xxh3_64(bytemuck::cast_slice(&self.sums))
    }
}

/// The number of blocks of a file.
fn blocks_of(file: &RowFile) -> u64 {
    file.sections.iter().map(|section| (section.end - section.start).div_ceil(BLOCK)).sum()
}

/// Verifies the checksums of all files: one rank reads each block.
pub(super) fn check(comm: &dyn Comm, files: &[RowFile]) -> Result<()> {
    agree(comm, if comm.rank() == 0 { check_gaps(files) } else { Ok(()) })?;
    let total = files.iter().map(blocks_of).sum();
    let mine = agree(comm, sums(files, share(comm, total)))?;
    let all = comm.all_gather(bytemuck::cast_slice(&mine));
    let sums: Vec<u64> =
        all.iter().flat_map(|sums| bytemuck::pod_collect_to_vec::<u8, u64>(sums)).collect();
    let mut left = &sums[..];
    for file in files {
        let (of_file, rest) = left.split_at((blocks_of(file) as usize).min(left.len()));
        left = rest;
        if xxh3_64(bytemuck::cast_slice(of_file)) != file.checksum {
            // All ranks have the same sums.
            return Err(file.wrong("is damaged: its contents do not match their checksum"));
        }
    }
    Ok(())
}

/// Checks that the padding between sections, which no sum covers, is zero.
fn check_gaps(files: &[RowFile]) -> Result<()> {
    for file in files {
        let sections = file.sections.windows(2).filter(|pair| pair[0].end < pair[1].start);
        for pair in sections {
            let (start, end) = (pair[0].end, pair[1].start);
            if OpenFile::open(file)?.bytes(start..end)?.iter().any(|&byte| byte != 0) {
                return Err(
                    file.wrong(format!("is damaged: the bytes before byte {end} are not 0"))
                );
            }
        }
    }
    Ok(())
}

/// The sums of the blocks `wanted`, counted over all files.
fn sums(files: &[RowFile], wanted: Range<u64>) -> Result<Vec<u64>> {
    let mut sums = Vec::new();
    let mut first = 0;
    for file in files {
        let end = first + blocks_of(file);
        if first < wanted.end && wanted.start < end {
            let open = OpenFile::open(file)?;
            let blocks = file.sections.iter().flat_map(|section| {
                (section.start..section.end)
                    .step_by(BLOCK as usize)
                    .map(move |start| start..(start + BLOCK).min(section.end))
            });
            for (_, block) in (first..).zip(blocks).filter(|(number, _)| wanted.contains(number)) {
                sums.push(xxh3_64(&open.bytes(block)?));
            }
        }
        first = end;
    }
    Ok(sums)
}

impl RowFile {
    /// An error about the file.
    pub fn wrong(&self, message: impl Into<String>) -> Error {
        let (path, message) = (self.path.clone(), message.into());
        equipoise_graph::Error::Parse { path, line: None, message }.into()
    }
}
