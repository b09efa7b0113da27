//! The result of breadth-first search.

use crate::{NONE, Times, Trace, tree};

/// The result of a breadth-first search.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Bfs {
    /// The source.
    pub source: u32,
    /// The fewest edges from the source to each vertex; [`NONE`] if not reached.
    pub levels: Vec<u32>,
    /// The vertex before each one on a shortest path from the source, any of several. The source is its own parent;
    /// [`NONE`] if not reached.
    pub parents: Vec<u32>,
    /// The number of reached vertices, including the source.
    pub reached: u32,
    /// The largest level.
    pub depth: u32,
    /// The number of directed edges that leave the reached vertices.
    pub edges: u64,
    /// Whether all reachable vertices were reached. A search that stops at its target or its last level may leave vertices
    /// beyond `depth` unreached: they have no level, and are not [settled](Self::is_settled).
    pub complete: bool,
    /// The trace, level by level: `push` or `pull`.
    pub trace: Trace,
    /// The times of the search.
    pub times: Times,
}

impl Bfs {
    /// A shortest path from the source to `vertex`, including both ends; `None` if it was not reached.
    ///
    /// ```
    /// use equipoise::{bfs::{BfsOptions, bfs}, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().vertices(4).build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let search = bfs(&graph, 0, &BfsOptions::default())?;
    /// assert_eq!(search.path_to(2), Some(vec![0, 1, 2]));
    /// assert_eq!(search.path_to(3), None);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn path_to(&self, vertex: u32) -> Option<Vec<u32>> {
        tree::path(&self.parents, self.source, vertex)
    }

    /// Whether the result for `vertex` is final: its level, or that it has no path. A vertex that is not settled is more
    /// than `depth` edges away or unreachable.
    ///
    /// ```
    /// use equipoise::{bfs::{BfsOptions, bfs}, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let near = BfsOptions { max_depth: Some(1), ..BfsOptions::default() };
    /// let search = bfs(&graph, 0, &near)?;
    /// assert!(!search.complete && search.is_settled(1) && !search.is_settled(2));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn is_settled(&self, vertex: u32) -> bool {
        self.complete || self.levels.get(vertex as usize).is_some_and(|&level| level != NONE)
    }
}
