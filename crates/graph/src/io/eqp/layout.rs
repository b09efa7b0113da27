//! Where everything lies in a file, for those who read a part of it.

use std::{
    fs::File,
    io::Read,
    ops::Range,
    path::{Path, PathBuf},
};

use super::{BIG_ENDIAN, HEADER, Header, Ids, Kind, converted, sections_of};
use crate::{
    Error, Result, Weights,
    io::{compression::Compression, error::ParseError, located, text_file::refused},
};

/// Where the sections of an `.eqp` file lie that holds a graph, or a square matrix: for machines that read some rows each.
/// Only its header was read and checked.
///
/// ```
/// use equipoise_graph::{Edges, GraphBuilder, io::{EqpLayout, write_graph}};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("roads.eqp");
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 4u32), (1, 2, 5)]))?;
/// write_graph(&graph, &path, None)?;
/// let layout = EqpLayout::read(&path)?;
/// assert_eq!((layout.vertices, layout.edges, layout.weights), (3, 2, Some("u32")));
/// assert_eq!(layout.sections[1], 128..136);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct EqpLayout {
    path: PathBuf,
    is_matrix: bool,
    /// How many vertices there are.
    pub vertices: u64,
    /// How many directed edges there are.
    pub edges: u64,
    /// Whether each edge is there in both directions.
    pub undirected: bool,
    /// The type of the weights as they lie there, if edges have any: `u32`, `f32` or `f64`.
    pub weights: Option<&'static str>,
    /// What vertices are called by.
    pub ids: EqpIds,
    /// The places of the offsets (`u64`), the targets (`u32`), the weights, the ids (`u64`; of names, where each ends)
    /// and the names.
    pub sections: [Range<u64>; 5],
    /// How many bytes the file has.
    pub bytes: u64,
    /// The XXH3 of the XXH3 of each block of 1 MiB of each section in turn.
    pub checksum: u64,
}

/// What an `.eqp` file calls vertices by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EqpIds {
    /// The numbers from this one on.
    From(u64),
    /// Numbers in a table.
    Table,
    /// Names.
    Names,
}

impl EqpLayout {
    /// Reads the header of a file.
    ///
    /// Fails where it cannot be read, is compressed, is damaged, or holds a matrix that is not square.
    pub fn read(path: &Path) -> Result<Self> {
        let failed = |source| Error::Io { path: path.to_owned(), source };
        if let Some(compression) = Compression::of_path(path) {
            return Err(refused(path, &format!("is compressed by {}", compression.name())));
        }
        let file = File::open(path).map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        let mut start = Vec::new();
        file.take(HEADER as u64).read_to_end(&mut start).map_err(failed)?;
        Self::of(path, &start, bytes).map_err(|error| located(error, path, &[]))
    }

    fn of(path: &Path, start: &[u8], bytes: u64) -> Result<Self, ParseError> {
        if cfg!(target_endian = "big") {
            return Err(ParseError::Whole(format!("cannot be read on this machine: {BIG_ENDIAN}")));
        }
        let header = Header::of(start).map_err(ParseError::Whole)?;
        let sections = sections_of(&header, bytes as usize).map_err(ParseError::Whole)?;
        if header.rows != header.columns {
            // The header is of no more rows and columns than 32 bits number.
            let (rows, columns) = (header.rows as u32, header.columns as u32);
            return Err(Error::NotSquare { rows, columns }.into());
        }
        let ids = match header.ids {
            Ids::From(first) => EqpIds::From(first),
            Ids::Table => EqpIds::Table,
            Ids::Names(_) => EqpIds::Names,
        };
        Ok(Self {
            path: path.to_owned(),
            is_matrix: header.kind == Kind::Matrix,
            vertices: header.rows,
            edges: header.entries,
            undirected: header.kind == Kind::Graph { undirected: true },
            weights: (header.values.size() > 0).then(|| header.values.name()),
            ids,
            sections: sections.map(|section| section.start as u64..section.end as u64),
            bytes,
            checksum: header.checksum,
        })
    }

    /// The weights of edges that have these values in the file: of a matrix of 64 bits, in 32, as one machine reads them.
    ///
    /// Fails where a value does not fit.
    pub fn weights_of(&self, values: Weights) -> Result<Weights> {
        match values {
            Weights::F64(values) if self.is_matrix => converted::<f64, f32>(values)
                .map(Weights::F32)
                .map_err(|error| located(error, &self.path, &[])),
            values => Ok(values),
        }
    }
}
