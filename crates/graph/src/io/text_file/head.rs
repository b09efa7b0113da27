//! What a file says before its edges, and so how these are read.

use crate::io::{
    Format, ReadOptions, dimacs,
    edge_list::{self, Ends},
    error::ParseError,
    gap_edges, matrix_market,
    pairs::Lines,
    weights::WeightType,
};

/// The formats that can be read in parts.
pub(super) const FORMATS: [Format; 5] = [
    Format::EdgeList,
    Format::GapEdges,
    Format::GapWeightedEdges,
    Format::Dimacs,
    Format::MatrixMarket,
];

/// What the ends of the edges of a [`TextFile`](super::TextFile) are.
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
        /// How many there are.
        vertices: u64,
        /// What the file calls vertex 0.
        first: u64,
    },
    /// Vertices counted from 0, of which there are as many as the largest number needs.
    UpToLargest,
    /// Any numbers: each is a vertex.
    Any {
        /// Vertices that no edge names.
        without_edges: Vec<u64>,
        /// How many there are with these, where the file says it. It has a table of ids then.
        told: Option<u64>,
    },
}

/// How the lines of edges look.
pub(super) enum Rows {
    Pairs(Lines, Ends),
    Dimacs(dimacs::Header),
    Matrix(matrix_market::Header),
}

pub(super) struct Head {
    /// Where the edges start.
    pub edges_at: usize,
    pub undirected: bool,
    pub vertices: TextVertices,
    pub rows: Rows,
}

impl Head {
    /// Reads the head of a text; nothing where vertices are called by names.
    pub fn read(
        text: &[u8],
        format: Format,
        options: &ReadOptions,
    ) -> Result<Option<Self>, ParseError> {
        let counted = |vertices: u32| TextVertices::Counted { vertices: vertices.into(), first: 1 };
        let head = match format {
            Format::Dimacs => {
                let header = dimacs::read_header(text)?;
                Self {
                    edges_at: header.edges_at,
                    undirected: false,
                    vertices: counted(header.vertices),
                    rows: Rows::Dimacs(header),
                }
            }
            Format::MatrixMarket => {
                let header = matrix_market::graph_header(text)?;
                Self {
                    edges_at: header.entries_at,
                    undirected: header.is_symmetric(),
                    vertices: counted(header.rows),
                    rows: Rows::Matrix(header),
                }
            }
            Format::GapEdges | Format::GapWeightedEdges => {
                let is_weighted = format == Format::GapWeightedEdges;
                let lines = gap_edges::lines(is_weighted.then_some(WeightType::Any));
                let ends = Ends::Below(gap_edges::most_vertices(text.len()));
                Self {
                    edges_at: 0,
                    undirected: false,
                    vertices: TextVertices::UpToLargest,
                    rows: Rows::Pairs(lines, ends),
                }
            }
            _ => {
                let Some(head) = edge_list::head(text, &options.table)? else { return Ok(None) };
                let vertices = match &head.ends {
                    Ends::From(ids) => {
                        TextVertices::Counted { vertices: ids.end - ids.start, first: ids.start }
                    }
                    Ends::Below(_) => TextVertices::UpToLargest,
                    Ends::Any { without_edges, told } => {
                        TextVertices::Any { without_edges: without_edges.clone(), told: *told }
                    }
                };
                Self {
                    edges_at: head.edges_at,
                    undirected: head.undirected,
                    vertices,
                    rows: Rows::Pairs(head.lines, head.ends),
                }
            }
        };
        Ok(Some(head))
    }

    pub fn has_weights(&self) -> bool {
        match &self.rows {
            Rows::Pairs(lines, _) => lines.weights.is_some(),
            Rows::Dimacs(_) => true,
            Rows::Matrix(header) => header.has_values(),
        }
    }
}
