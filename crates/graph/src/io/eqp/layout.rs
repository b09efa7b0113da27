//! The layout of a file, for readers of a part of it.

use std::{fs::File, io::Read, ops::Range, path::Path};

use super::header::{EqpIds, HEADER, Kind, read_header};
use crate::{
    Error, Result,
    io::{
        compression::Compression,
        error::{ParseError, located},
        text_file::refused,
    },
};

/// The positions of the sections of an `.eqp` file with a graph or a square matrix, for machines
/// that read some rows each. Only the header is read and checked.
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
    /// The number of vertices.
    pub vertices: u64,
    /// The number of directed edges.
    pub edges: u64,
    /// Whether each edge is stored in both directions.
    pub undirected: bool,
    /// The type of the stored weights: `u32`, `f32` or `f64`; `None` without weights.
    pub weights: Option<&'static str>,
    /// The kind of the vertices' ids.
    pub ids: EqpIds,
    /// The positions of the offsets (`u64`), the targets (`u32`), the weights, the ids (`u64`; for
    /// names, the end of each) and the names.
    pub sections: [Range<u64>; 5],
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The XXH3 of the XXH3 of each 1 MiB block of each section in turn.
    pub checksum: u64,
}

impl EqpLayout {
    /// Reads the header of a file.
    ///
    /// Fails if the file cannot be read, is compressed or damaged, or contains a matrix that is not
    /// square.
    pub fn read(path: &Path) -> Result<Self> {
        let failed = |source| Error::io(path, source);
        if let Some(compression) = Compression::of_path(path) {
            return Err(refused(path, &format!("is compressed by {}", compression.name())));
        }
        let file = File::open(path).map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        let mut start = Vec::new();
        file.take(HEADER as u64).read_to_end(&mut start).map_err(failed)?;
        Self::parse(&start, bytes).map_err(|error| located(error, path, &[]))
    }

    fn parse(start: &[u8], bytes: u64) -> Result<Self, ParseError> {
        let (header, sections) = read_header(start, bytes)?;
        if header.rows != header.columns {
            // The header has at most 2³² rows and columns.
            let (rows, columns) = (header.rows as u32, header.columns as u32);
            return Err(Error::NotSquare { rows, columns }.into());
        }
        Ok(Self {
            vertices: header.rows,
            edges: header.entries,
            undirected: header.kind == Kind::Graph { undirected: true },
            weights: (header.values.size() > 0).then(|| header.values.name()),
            ids: header.ids,
            sections: sections.map(|section| section.start as u64..section.end as u64),
            bytes,
            checksum: header.checksum,
        })
    }
}
