//! Equipoise's own binary format, which is mapped into memory and used as it lies there.
//!
//! All numbers are little-endian. A file starts with a header of 64 bytes:
//!
//! | at | bytes | what                                                                      |
//! | -- | ----- | ------------------------------------------------------------------------- |
//! |  0 | 8     | `89 45 51 50 0d 0a 1a 0a`, which says that this is such a file            |
//! |  8 | 4     | the version of the format: 1                                              |
//! | 12 | 1     | what it holds: 0 a graph, 1 a matrix                                      |
//! | 13 | 1     | 1 where the graph is undirected, else 0                                   |
//! | 14 | 1     | weights or values: 0 none, 1 `u32`, 2 `f32`, 3 `f64`                      |
//! | 15 | 1     | ids of vertices: 0 numbered from the first id on, 1 in a table, 2 names   |
//! | 16 | 8     | rows (of a graph: vertices)                                               |
//! | 24 | 8     | columns (of a graph: vertices, too)                                       |
//! | 32 | 8     | entries (of a graph: edges, an undirected one counting twice)             |
//! | 40 | 8     | the first id, or how many bytes the names take                            |
//! | 48 | 8     | the checksum of the sections                                              |
//! | 56 | 8     | the checksum of the header before it: XXH3, 64 bits, seed 0               |
//!
//! The sections follow, each at the next multiple of 64 bytes with zeros between them: the offsets
//! (`u64`, one more than rows), the indices (`u32`, one an entry, ascending in each row), the
//! weights or values (one an entry, unless there are none), the ids (`u64`, one a row, only if there
//! is a table; of names, where each ends), and the names, in UTF-8, one after the other and
//! ascending. The file ends with the last of them.
//!
//! The checksum of the sections is the XXH3 of a list of `u64`: the XXH3 of each block of 1 MiB
//! (or the rest) of each section in turn. So it can be computed in parallel.

mod header;
mod layout;

use std::{io::Write, ops::Range, path::Path, sync::Arc};

use bytemuck::{Pod, cast_slice, pod_read_unaligned};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    ReadOptions,
    error::{ParseError, WriteError},
    file_map::FileMap,
};
use crate::{
    Csr, Error, Graph, GraphBuilder, Matrix, SelfLoops, Storage, Value, VertexIds, VertexNames,
    Weights,
    integrity::Integrity,
    matrix::check_exact,
    memory::{self, bytes_of},
};
use header::{ALIGNMENT, HEADER, Header, Ids, Kind, Sections, Values, sections_of};

pub use layout::{EqpIds, EqpLayout};

const BLOCK: usize = 1 << 20;

/// A graph that stays in the file `path`, which `map` maps. Its header is checked now, the rest
/// when it is first worked with.
pub(super) fn open(
    path: &Path,
    map: &Arc<FileMap>,
    builder: &GraphBuilder,
) -> Result<Graph, ParseError> {
    Ok(builder.rebuild(File::mapped(path, map)?.graph()?)?)
}

/// A matrix that stays in the file `path`, like a graph in [`open`].
pub(super) fn open_matrix<T: Value>(
    path: &Path,
    map: &Arc<FileMap>,
    options: &ReadOptions,
) -> Result<Matrix<T>, ParseError> {
    File::mapped(path, map)?.matrix(options)
}

/// Reads a graph from the bytes of a file, and checks it all.
pub(super) fn read(bytes: &[u8], builder: &GraphBuilder) -> Result<Graph, ParseError> {
    Ok(builder.rebuild(File::copied(bytes)?.graph()?)?)
}

/// Reads a matrix from the bytes of a file, and checks it all.
pub(super) fn read_matrix<T: Value>(
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<Matrix<T>, ParseError> {
    File::copied(bytes)?.matrix(options)
}

/// Writes a graph, with its weights and the ids of its vertices.
pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> Result<(), WriteError> {
    let (values, value_bytes): (_, &[u8]) = match graph.weights() {
        None => (Values::None, &[]),
        Some(Weights::U32(weights)) => (Values::U32, cast_slice(weights)),
        Some(Weights::F32(weights)) => (Values::F32, cast_slice(weights)),
        Some(Weights::F64(weights)) => (Values::F64, cast_slice(weights)),
    };
    let (ids, table, names): (_, &[u64], &[u8]) = match graph.ids() {
        VertexIds::Dense { first } => (Ids::From(*first), &[], &[]),
        VertexIds::Table(table) => (Ids::Table, table, &[]),
        VertexIds::Names(names) => {
            let (ends, text) = names.parts();
            (Ids::Names(text.len() as u64), ends, text)
        }
    };
    let undirected = graph.is_undirected();
    let header = Header::new(Kind::Graph { undirected }, values, graph.csr(), ids);
    write_sections(header, graph.csr(), [value_bytes, cast_slice(table), names], out)
}

/// Writes a matrix.
pub(super) fn write_matrix<T: Value>(
    matrix: &Matrix<T>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let values = if T::NAME == Values::F32.name() { Values::F32 } else { Values::F64 };
    let header = Header::new(Kind::Matrix, values, matrix.csr(), Ids::From(0));
    write_sections(header, matrix.csr(), [cast_slice(matrix.values()), &[], &[]], out)
}

fn write_sections(
    mut header: Header,
    csr: &Csr,
    [values, ids, names]: [&[u8]; 3],
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    if cfg!(target_endian = "big") {
        return Err(WriteError::CannotHold(format!("anything on this machine: {BIG_ENDIAN}")));
    }
    let sections = [cast_slice(csr.offsets()), cast_slice(csr.indices()), values, ids, names];
    header.checksum = checksum(sections);
    out.write_all(&header.to_bytes())?;
    let mut written = HEADER;
    for section in sections.into_iter().filter(|section| !section.is_empty()) {
        let padding = written.next_multiple_of(ALIGNMENT) - written;
        out.write_all(&[0; ALIGNMENT][..padding])?;
        out.write_all(section)?;
        written += padding + section.len();
    }
    Ok(())
}

const BIG_ENDIAN: &str = "files of this format are mapped as they are, which needs a little-endian \
                          processor";

fn checksum(sections: [&[u8]; 5]) -> u64 {
    let blocks: Vec<&[u8]> = sections.iter().flat_map(|section| section.chunks(BLOCK)).collect();
    let sums: Vec<u64> = blocks.par_iter().map(|block| xxh3_64(block)).collect();
    xxh3_64(cast_slice(&sums))
}

/// Whether the sections, and the zeros between them, are as they were written.
fn check_sections(bytes: &[u8], sections: &Sections, expected: u64) -> Result<(), String> {
    let mut end = HEADER;
    for section in sections {
        if bytes[end..section.start].iter().any(|&byte| byte != 0) {
            return Err(format!("is damaged: the bytes before byte {} are not 0", section.start));
        }
        end = section.end;
    }
    match checksum(sections.clone().map(|section| &bytes[section])) == expected {
        true => Ok(()),
        false => Err("is damaged: its contents do not match their checksum".into()),
    }
}

/// The contents of a file whose header is right.
struct File<'a> {
    header: Header,
    sections: Sections,
    source: Source<'a>,
}

enum Source<'a> {
    Mapped(&'a Arc<FileMap>, Integrity),
    Copied(&'a [u8]),
}

impl<'a> File<'a> {
    fn mapped(path: &Path, map: &'a Arc<FileMap>) -> Result<Self, ParseError> {
        let (header, sections) = Self::header_of(map)?;
        let integrity = Integrity::mapped(path.to_owned(), {
            let (map, sections) = (map.clone(), sections.clone());
            move || check_sections(&map, &sections, header.checksum)
        });
        Ok(Self { header, sections, source: Source::Mapped(map, integrity) })
    }

    fn copied(bytes: &'a [u8]) -> Result<Self, ParseError> {
        let (header, sections) = Self::header_of(bytes)?;
        check_sections(bytes, &sections, header.checksum).map_err(ParseError::Whole)?;
        memory::check("reading it", bytes.len() as u64)?;
        Ok(Self { header, sections, source: Source::Copied(bytes) })
    }

    fn header_of(bytes: &[u8]) -> Result<(Header, Sections), ParseError> {
        if cfg!(target_endian = "big") {
            return Err(ParseError::Whole(format!("cannot be read on this machine: {BIG_ENDIAN}")));
        }
        let header = Header::of(bytes).map_err(ParseError::Whole)?;
        let sections = sections_of(&header, bytes.len()).map_err(ParseError::Whole)?;
        Ok((header, sections))
    }

    fn array<T: Pod + Send + Sync>(&self, section: usize) -> Result<Storage<T>, ParseError> {
        let Range { start, end } = self.sections[section];
        match &self.source {
            Source::Copied(bytes) => {
                let numbers = bytes[start..end].par_chunks_exact(size_of::<T>());
                Ok(numbers.map(pod_read_unaligned).collect::<Vec<T>>().into())
            }
            Source::Mapped(map, _) => Storage::mapped(map, start, (end - start) / size_of::<T>())
                .ok_or_else(|| ParseError::Whole("is not mapped to an aligned address".into())),
        }
    }

    fn csr(&self) -> Result<Csr, ParseError> {
        Ok(Csr::unchecked(self.header.columns as u32, self.array(0)?, self.array(1)?))
    }

    fn ids(&self) -> Result<VertexIds, ParseError> {
        Ok(match self.header.ids {
            Ids::From(first) => VertexIds::Dense { first },
            Ids::Table => VertexIds::Table(self.array(3)?),
            Ids::Names(_) => {
                VertexIds::Names(VertexNames::unchecked(self.array(3)?, self.array(4)?))
            }
        })
    }

    /// The values as `T`, whatever type they have in the file.
    fn values<T: Value>(&self) -> Result<Storage<T>, ParseError> {
        if T::NAME == self.header.values.name() {
            return self.array(2);
        }
        memory::check("the values in another type", bytes_of::<T>(self.header.entries))?;
        match self.header.values {
            Values::F32 => converted::<f32, T>(self.array(2)?),
            _ => converted::<f64, T>(self.array(2)?),
        }
    }

    /// The graph; of a matrix that is square, the directed graph with its values as weights.
    fn graph(&self) -> Result<Graph, ParseError> {
        let (csr, ids) = (self.csr()?, self.ids()?);
        if csr.rows() != csr.columns() {
            let (rows, columns) = (csr.rows(), csr.columns());
            return Err(Error::NotSquare { rows, columns }.into());
        }
        let weights = match self.header.values {
            Values::None => None,
            Values::U32 => Some(Weights::U32(self.array(2)?)),
            Values::F64 if self.header.kind != Kind::Matrix => Some(Weights::F64(self.array(2)?)),
            // As those of other files with matrices.
            Values::F32 | Values::F64 => Some(Weights::F32(self.values()?)),
        };
        let undirected = self.header.kind == Kind::Graph { undirected: true };
        match &self.source {
            Source::Mapped(_, integrity) => {
                let graph = Graph::from_parts(csr, weights, undirected);
                Ok(graph.with_integrity(ids, integrity.clone()))
            }
            Source::Copied(_) => {
                csr.check()?;
                Ok(Graph::from_csr(csr, weights, undirected)?.with_ids(ids)?)
            }
        }
    }

    /// The matrix; of a graph, its adjacency matrix.
    fn matrix<T: Value>(&self, options: &ReadOptions) -> Result<Matrix<T>, ParseError> {
        if self.header.kind != Kind::Matrix {
            let graph = options.builder().rebuild(self.graph()?)?;
            graph.check()?;
            return Ok(Matrix::from_graph(&graph)?);
        }
        let mut matrix = Matrix::from_parts(self.csr()?, self.values()?);
        match &self.source {
            Source::Mapped(_, integrity) => matrix = matrix.with_integrity(integrity.clone()),
            Source::Copied(_) => matrix.csr().check()?,
        }
        match options.undirected || options.self_loops == SelfLoops::Drop {
            true => changed(&matrix, options),
            false => Ok(matrix),
        }
    }
}

/// Values as another type, where they can be.
fn converted<A: Value, B: Value>(values: Storage<A>) -> Result<Storage<B>, ParseError> {
    check_exact::<A, B>(&values)?;
    let converted = values.par_iter().map(|value| B::from_f64(value.to_f64()));
    Ok(converted.collect::<Vec<_>>().into())
}

/// The matrix with each entry also across the diagonal, or without the diagonal.
fn changed<T: Value>(matrix: &Matrix<T>, options: &ReadOptions) -> Result<Matrix<T>, ParseError> {
    matrix.check()?;
    let (rows, columns) = (matrix.rows(), matrix.columns());
    if options.undirected && rows != columns {
        return Err(ParseError::Whole(format!(
            "reading entries as undirected needs a square matrix: this one has {rows} rows and \
             {columns} columns"
        )));
    }
    let most = matrix.entries().saturating_mul(if options.undirected { 2 } else { 1 });
    memory::check(format_args!("a list of {most} entries"), bytes_of::<(u32, u32, T)>(most))?;
    let mut entries = Vec::with_capacity(most as usize);
    for row in 0..rows {
        let (columns, values) = matrix.row(row);
        for (&column, &value) in columns.iter().zip(values) {
            if column != row || options.self_loops == SelfLoops::Keep {
                entries.push((row, column, value));
            }
            if column != row && options.undirected {
                entries.push((column, row, value));
            }
        }
    }
    Ok(Matrix::from_entries(rows, columns, &entries)?)
}
