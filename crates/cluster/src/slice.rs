//! A part of a graph's edges, before they are brought to the ranks that own them.

use equipoise_graph::{Duplicates, SelfLoops, Weights};

/// Any part of the edges of a graph, in the order in which all ranks' slices are the whole list.
///
/// The graph's number of vertices and what is done with its edges are the same on all ranks.
///
/// ```
/// use equipoise_cluster::EdgeSlice;
///
/// let slice = EdgeSlice { sources: vec![0, 1], targets: vec![1, 2], ..EdgeSlice::of(3) };
/// assert_eq!((slice.len(), slice.undirected), (2, false));
/// ```
#[derive(Clone, Debug)]
pub struct EdgeSlice {
    /// The vertices of the whole graph.
    pub vertices: u64,
    /// Where each edge starts.
    pub sources: Vec<u64>,
    /// Where each edge ends.
    pub targets: Vec<u64>,
    /// The weight of each edge, if they have any: then all ranks have them, of one kind.
    pub weights: Option<Weights>,
    /// Whether each edge stands for both directions. A self-loop stays one edge.
    pub undirected: bool,
    /// What is done with several edges between the same two vertices.
    pub duplicates: Duplicates,
    /// What is done with edges from a vertex to itself.
    pub self_loops: SelfLoops,
}

impl EdgeSlice {
    /// No edge of a directed graph of so many vertices, which keeps all of its edges.
    ///
    /// ```
    /// assert!(equipoise_cluster::EdgeSlice::of(7).is_empty());
    /// ```
    pub fn of(vertices: u64) -> Self {
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

    /// How many edges there are.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::EdgeSlice::of(7).len(), 0);
    /// ```
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether there is no edge.
    ///
    /// ```
    /// assert!(equipoise_cluster::EdgeSlice::of(0).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }
}
