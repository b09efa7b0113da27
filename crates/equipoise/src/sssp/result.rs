//! The result of shortest paths.

use crate::{Distances, Times, Trace, tree};

/// Shortest paths from one source.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Sssp {
    /// The source.
    pub source: u32,
    /// The length of a shortest path to each vertex: `u32` sums, `u64` where those do not hold
    /// them, or sums in the type of decimal weights, `f64` or `f32`, as Dijkstra's algorithm makes them, edge after edge
    /// from the source.
    pub distances: Distances,
    /// The vertex before each one on a shortest path. The source is its own predecessor;
    /// [`NONE`](crate::NONE) where not reached. Of several valid predecessors, any.
    pub predecessors: Vec<u32>,
    /// The number of reached vertices, including the source.
    pub reached: u32,
    /// The number of directed edges that leave the reached vertices.
    pub edges: u64,
    /// Whether all reachable vertices were reached. A search that stops at its target may leave vertices farther away
    /// unreached: they have no distance, and are not [settled](Self::is_settled).
    pub complete: bool,
    /// The width of the buckets, if any.
    pub delta: Option<f64>,
    /// The trace, bucket by bucket.
    pub trace: Trace,
    /// The times of the search. Checking the weights and choosing `delta` is `prepare`.
    pub times: Times,
}

impl Sssp {
    /// A shortest path from the source to `vertex`, including both ends; `None` if it was not reached.
    ///
    /// ```
    /// use equipoise::{graph::{Edges, GraphBuilder}, sssp::{SsspOptions, sssp}};
    ///
    /// let edges = Edges::from(vec![(0, 1, 1u32), (1, 2, 1), (0, 2, 5)]);
    /// let graph = GraphBuilder::new().build(edges)?;
    /// let paths = sssp(&graph, 0, &SsspOptions::default())?;
    /// assert_eq!(paths.path_to(2), Some(vec![0, 1, 2]));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn path_to(&self, vertex: u32) -> Option<Vec<u32>> {
        tree::path(&self.predecessors, self.source, vertex)
    }

    /// Whether the result for `vertex` is final: its distance, or that it has no path. A vertex that is not settled is
    /// farther away than [`settled_up_to`](Self::settled_up_to) or unreachable.
    ///
    /// ```
    /// use equipoise::{graph::{Edges, GraphBuilder}, sssp::{SsspOptions, sssp}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 3u32), (1, 2, 4)]))?;
    /// let to_one = SsspOptions { target: Some(1), ..SsspOptions::default() };
    /// let paths = sssp(&graph, 0, &to_one)?;
    /// assert!(!paths.complete && paths.is_settled(1) && !paths.is_settled(2));
    /// assert_eq!(paths.settled_up_to(), Some(3.0));
    /// let paths = sssp(&graph, 0, &SsspOptions::default())?;
    /// assert!(paths.complete && paths.is_settled(2));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn is_settled(&self, vertex: u32) -> bool {
        self.complete || self.distances.get(vertex as usize).is_some()
    }

    /// The largest distance up to which all vertices are settled; `None` if all vertices are.
    pub fn settled_up_to(&self) -> Option<f64> {
        let reached = (0..self.distances.len()).filter_map(|vertex| self.distances.get(vertex));
        if self.complete { None } else { reached.reduce(f64::max) }
    }
}
