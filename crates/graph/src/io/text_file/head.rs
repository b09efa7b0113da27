//! The lines before the edges, and the description of the edges.

use crate::{
    WeightType,
    io::{
        dimacs,
        edge_list::{self, Ends},
        error::ParseError,
        format::Format,
        gap_edges, matrix_market,
        options::ReadOptions,
    },
};

/// The formats that can be read in parts.
pub(super) const FORMATS: [Format; 7] = [
    Format::EdgeList,
    Format::Csv,
    Format::Tsv,
    Format::GapEdges,
    Format::GapWeightedEdges,
    Format::Dimacs,
    Format::MatrixMarket,
];

/// The kind of vertices of a [`TextFile`](super::TextFile).
///
/// ```
/// use equipoise_graph::io::{ReadOptions, TextFile, TextVertices};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("roads.gr");
/// std::fs::write(&path, "p sp 3 1\na 1 3 10\n").unwrap();
/// let file = TextFile::open(&path, &ReadOptions::default())?;
/// assert_eq!(file.vertices(), &TextVertices::Counted { vertices: 3, first: 1 });
/// assert_eq!(file.piece(0, 1)?.read()?.targets, [2]);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextVertices {
    /// Vertices counted from 0.
    Counted {
        /// The number of vertices.
        vertices: u64,
        /// The id of vertex 0 in the file.
        first: u64,
    },
    /// Vertices counted from 0; their number is the largest plus one.
    UpToLargest,
    /// Arbitrary numbers, each of which is a vertex.
    Any {
        /// Vertices without edges.
        without_edges: Vec<u64>,
        /// The number of vertices including these, if the file states it; it then has a table of
        /// ids.
        stated_count: Option<u64>,
    },
}

pub(super) enum Rows {
    Pairs(edge_list::Head),
    Dimacs(dimacs::Header),
    Matrix(matrix_market::Header),
}

pub(super) struct Head {
    /// The byte at which the edges start.
    pub edges_at: usize,
    pub undirected: bool,
    pub vertices: TextVertices,
    pub weights: WeightType,
    pub rows: Rows,
}

impl Head {
    /// Reads the lines before the edges; `None` if vertices have names.
    pub fn read(
        text: &[u8],
        format: Format,
        options: &ReadOptions,
    ) -> Result<Option<Self>, ParseError> {
        let weights = options.weights;
        let counted = |vertices: u32| TextVertices::Counted { vertices: vertices.into(), first: 1 };
        let (edges_at, undirected, vertices, rows) = match format {
            Format::Dimacs => {
                let header = dimacs::read_header(text)?;
                (header.edges_at, false, counted(header.vertices), Rows::Dimacs(header))
            }
            Format::MatrixMarket => {
                let header = matrix_market::graph_header(text)?;
                let undirected = header.is_symmetric();
                (header.entries_at, undirected, counted(header.rows), Rows::Matrix(header))
            }
            _ => {
                let head = match format {
                    Format::GapEdges => Some(gap_edges::head(text.len(), None)),
                    Format::GapWeightedEdges => Some(gap_edges::head(text.len(), Some(weights))),
                    _ => edge_list::head(text, format, options)?,
                };
                let Some(head) = head else { return Ok(None) };
                let vertices = match &head.ends {
                    Ends::From(ids) => {
                        TextVertices::Counted { vertices: ids.end - ids.start, first: ids.start }
                    }
                    Ends::Below(_) => TextVertices::UpToLargest,
                    Ends::Any { without_edges, stated_count, .. } => TextVertices::Any {
                        without_edges: without_edges.clone(),
                        stated_count: *stated_count,
                    },
                };
                (head.edges_at, head.undirected, vertices, Rows::Pairs(head))
            }
        };
        Ok(Some(Self { edges_at, undirected, vertices, weights, rows }))
    }

    pub fn has_weights(&self) -> bool {
        match &self.rows {
            Rows::Pairs(head) => head.lines.weights.is_some(),
            Rows::Dimacs(_) => true,
            Rows::Matrix(header) => header.has_values(),
        }
    }
}
