//! Equipoise's binary format, which is memory-mapped and used in place.
//!
//! All numbers are little-endian. A file starts with a header of 64 bytes:
//!
//! | at | bytes | contents                                                                  |
//! | -- | ----- | ------------------------------------------------------------------------- |
//! |  0 | 8     | magic number: `89 45 51 50 0d 0a 1a 0a`                                   |
//! |  8 | 4     | the version of the format: 1                                              |
//! | 12 | 1     | kind: 0 a graph, 1 a matrix                                               |
//! | 13 | 1     | 1 if the graph is undirected, else 0                                      |
//! | 14 | 1     | weights or values: 0 none, 1 `u32`, 2 `f32`, 3 `f64`                      |
//! | 15 | 1     | ids of vertices: 0 numbered from the first id on, 1 in a table, 2 names   |
//! | 16 | 8     | rows (of a graph: vertices)                                               |
//! | 24 | 8     | columns (of a graph: vertices, too)                                       |
//! | 32 | 8     | entries (of a graph: edges, an undirected one counting twice)             |
//! | 40 | 8     | the first id, or how many bytes the names take                            |
//! | 48 | 8     | the checksum of the sections                                              |
//! | 56 | 8     | the checksum of the preceding header: XXH3, 64 bits, seed 0               |
//!
//! The sections follow, each aligned to 64 bytes with zero padding: the offsets (`u64`, rows + 1 of
//! them), the indices (`u32`, one per entry, ascending in each row), the weights or values (one per
//! entry, if any), the ids (`u64`, one per row, if in a table; for names, the end of each), and the
//! names, in UTF-8, concatenated in ascending order. The file ends with the last section.
//!
//! The checksum of the sections is the XXH3 of a list of `u64`: the XXH3 of each 1 MiB block (or
//! remainder) of each section in turn, so that it is computed in parallel.

mod header;
mod layout;

use std::{io::Write, ops::Range, path::Path, sync::Arc};

use bytemuck::{Pod, cast_slice, pod_read_unaligned};
use xxhash_rust::xxh3::xxh3_64;

use super::{
    error::{ParseError, WriteError},
    options::ReadOptions,
};
use crate::{
    Csr, Error, Graph, GraphBuilder, Matrix, SelfLoops, Storage, Value, VertexIds, VertexNames,
    Weights,
    file_map::FileMap,
    integrity::Integrity,
    matrix::check_exact,
    memory::{self, bytes_of},
    parallel::*,
};
pub(super) use header::MAGIC;
use header::{ALIGNMENT, BIG_ENDIAN, HEADER, Header, Kind, Sections, Values, read_header};

pub use header::EqpIds;
pub use layout::EqpLayout;

const BLOCK: usize = 1 << 20;

/// Writes a graph, with its weights and the ids of its vertices.
pub(super) fn write(graph: &Graph, out: &mut dyn Write) -> Result<(), WriteError> {
    let (values, value_bytes): (_, &[u8]) = match graph.weights() {
        None => (Values::None, &[]),
        Some(Weights::U32(weights)) => (Values::U32, cast_slice(weights)),
        Some(Weights::F32(weights)) => (Values::F32, cast_slice(weights)),
        Some(Weights::F64(weights)) => (Values::F64, cast_slice(weights)),
    };
    let (ids, table, names): (_, &[u64], &[u8]) = match graph.ids() {
        VertexIds::Dense { first } => (EqpIds::From(*first), &[], &[]),
        VertexIds::Table(table) => (EqpIds::Table, table, &[]),
        VertexIds::Names(names) => {
            let (ends, text) = names.parts();
            (EqpIds::Names, ends, text)
        }
    };
    let kind = Kind::Graph { undirected: graph.is_undirected() };
    let header = Header::new(kind, values, graph.csr(), ids);
    let header = Header { name_bytes: names.len() as u64, ..header };
    write_sections(header, graph.csr(), [value_bytes, cast_slice(table), names], out)
}

pub(super) fn write_matrix<T: Value>(
    matrix: &Matrix<T>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let values = if T::NAME == Values::F32.name() { Values::F32 } else { Values::F64 };
    let header = Header::new(Kind::Matrix, values, matrix.csr(), EqpIds::From(0));
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

fn checksum(sections: [&[u8]; 5]) -> u64 {
    let blocks: Vec<&[u8]> = sections.iter().flat_map(|section| section.chunks(BLOCK)).collect();
    let sums: Vec<u64> = blocks.par_iter().map(|block| xxh3_64(block)).collect();
    xxh3_64(cast_slice(&sums))
}

/// Checks the checksum of the sections, and the zero padding.
fn check_sections(bytes: &[u8], sections: &Sections, expected: u64) -> Result<(), String> {
    let mut end = HEADER;
    for section in sections {
        if bytes[end..section.start].iter().any(|&byte| byte != 0) {
            return Err(format!("is damaged: the bytes before byte {} are not 0", section.start));
        }
        end = section.end;
    }
    if checksum(sections.clone().map(|section| &bytes[section])) == expected {
        Ok(())
    } else {
        Err("is damaged: its contents do not match their checksum".into())
    }
}

/// The contents of a file with a valid header.
pub(super) struct EqpFile<'a> {
    header: Header,
    sections: Sections,
    source: Source<'a>,
}

enum Source<'a> {
    Mapped(&'a Arc<FileMap>, Integrity),
    Copied(&'a [u8]),
}

impl<'a> EqpFile<'a> {
    /// The file `path`, which `map` maps. Its header is checked now, the rest on first use.
    pub fn mapped(path: &Path, map: &'a Arc<FileMap>) -> Result<Self, ParseError> {
        let (header, sections) = read_header(map, map.len() as u64)?;
        let integrity = Integrity::mapped(path.to_owned(), map.clone(), {
            let sections = sections.clone();
            move |bytes| check_sections(bytes, &sections, header.checksum)
        });
        Ok(Self { header, sections, source: Source::Mapped(map, integrity) })
    }

    /// A file whose bytes are all checked now.
    pub fn copied(bytes: &'a [u8]) -> Result<Self, ParseError> {
        let (header, sections) = read_header(bytes, bytes.len() as u64)?;
        check_sections(bytes, &sections, header.checksum).map_err(ParseError::Whole)?;
        memory::check("reading it", bytes.len() as u64)?;
        Ok(Self { header, sections, source: Source::Copied(bytes) })
    }

    fn array<T: Pod + Send + Sync>(&self, section: usize) -> Result<Storage<T>, ParseError> {
        let Range { start, end } = self.sections[section];
        match &self.source {
            Source::Copied(bytes) => {
                let numbers = bytes[start..end].par_chunks(size_of::<T>());
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
            EqpIds::From(first) => VertexIds::Dense { first },
            EqpIds::Table => VertexIds::Table(self.array(3)?),
            EqpIds::Names => {
                VertexIds::Names(VertexNames::unchecked(self.array(3)?, self.array(4)?))
            }
        })
    }

    /// The values converted to `T` from the type in the file.
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

    /// The graph as `builder` shapes it; for a square matrix, the directed graph with the values as
    /// weights.
    pub fn graph(&self, builder: &GraphBuilder) -> Result<Graph, ParseError> {
        let (csr, ids) = (self.csr()?, self.ids()?);
        if csr.rows() != csr.columns() {
            let (rows, columns) = (csr.rows(), csr.columns());
            return Err(Error::NotSquare { rows, columns }.into());
        }
        let weights = match self.header.values {
            Values::None => None,
            Values::U32 => Some(Weights::U32(self.array(2)?)),
            Values::F32 => Some(Weights::F32(self.array(2)?)),
            Values::F64 => Some(Weights::F64(self.array(2)?)),
        };
        let undirected = self.header.kind == Kind::Graph { undirected: true };
        let graph = match &self.source {
            Source::Mapped(_, integrity) => {
                let graph = Graph::from_parts(csr, weights, undirected);
                graph.with_integrity(ids, integrity.clone())
            }
            Source::Copied(_) => {
                csr.check()?;
                Graph::from_csr(csr, weights, undirected)?.with_ids(ids)?
            }
        };
        Ok(builder.rebuild(graph)?)
    }

    /// The matrix; for a graph, its adjacency matrix.
    pub fn matrix<T: Value>(&self, options: &ReadOptions) -> Result<Matrix<T>, ParseError> {
        if self.header.kind != Kind::Matrix {
            let graph = self.graph(&options.builder())?;
            graph.check()?;
            return Ok(Matrix::from_graph(&graph)?);
        }
        let mut matrix = Matrix::from_parts(self.csr()?, self.values()?);
        match &self.source {
            Source::Mapped(_, integrity) => matrix = matrix.with_integrity(integrity.clone()),
            Source::Copied(_) => matrix.csr().check()?,
        }
        if options.undirected || options.self_loops == SelfLoops::Drop {
            changed(&matrix, options)
        } else {
            Ok(matrix)
        }
    }
}

/// Converts values to another type, if they are representable in it.
fn converted<A: Value, B: Value>(values: Storage<A>) -> Result<Storage<B>, ParseError> {
    check_exact::<A, B>(&values)?;
    let converted = values.par_iter().map(|value| B::from_f64(value.to_f64()));
    Ok(converted.collect::<Vec<_>>().into())
}

/// The matrix made symmetric, or without its diagonal.
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
