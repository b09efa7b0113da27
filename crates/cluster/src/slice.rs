//! A part of a graph's edges, before ranks exchange them.

use equipoise_graph::{Duplicates, SelfLoops, Weights};

/// A part of the edges of a graph; the slices of all ranks in their order are the whole list.
///
/// All other fields than the edges are equal on all ranks.
///
/// ```
/// use equipoise_cluster::EdgeSlice;
///
/// let slice = EdgeSlice { sources: vec![0, 1], targets: vec![1, 2], ..EdgeSlice::new(3) };
/// assert_eq!((slice.len(), slice.undirected), (2, false));
/// ```
#[derive(Clone, Debug)]
pub struct EdgeSlice {
    /// The vertices of the whole graph.
    pub vertices: u64,
    /// The source of each edge.
    pub sources: Vec<u64>,
    /// The target of each edge.
    pub targets: Vec<u64>,
    /// The weights of edges; either all ranks have some, of one type, or none.
    pub weights: Option<Weights>,
    /// Whether each edge stands for both directions. A self-loop stays one edge.
    pub undirected: bool,
    /// The treatment of parallel edges.
    pub duplicates: Duplicates,
    /// The treatment of self-loops.
    pub self_loops: SelfLoops,
}

impl EdgeSlice {
    /// An empty slice of a directed graph with this number of vertices, which keeps all edges.
    ///
    /// ```
    /// assert!(equipoise_cluster::EdgeSlice::new(7).is_empty());
    /// ```
    pub fn new(vertices: u64) -> Self {
        Self {
            vertices,
            sources: Vec::new(),
            targets: Vec::new(),
            weights: None,
            undirected: false,
            duplicates: Duplicates::Keep,
            self_loops: SelfLoops::Keep,
        }
    }

    /// The number of edges.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::EdgeSlice::new(7).len(), 0);
    /// ```
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether it has no edges.
    ///
    /// ```
    /// assert!(equipoise_cluster::EdgeSlice::new(0).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }
}
