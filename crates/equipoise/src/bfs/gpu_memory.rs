//! The bytes of a GPU's memory that breadth-first search needs.

use equipoise_graph::Graph;

use super::gpu::Discover;
use crate::traversal::{Strategy, TraversalSettings, device_bytes, fused_bytes};

impl Strategy {
    /// The bytes of a GPU's memory that a breadth-first search takes, including the graph; `None` for a strategy that it
    /// does not have. `auto` has fallbacks that take less.
    ///
    /// ```
    /// use equipoise::{graph::{Edges, GraphBuilder}, traversal::{Strategy, TraversalSettings}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let bytes = |strategy: Strategy| strategy.bfs_bytes(&graph, &TraversalSettings::default());
    /// assert!(bytes(Strategy::Edge) > bytes(Strategy::Topology));
    /// assert_eq!(bytes(Strategy::NearFar), None);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn bfs_bytes(self, graph: &Graph, settings: &TraversalSettings) -> Option<u64> {
        match self {
            Self::Auto | Self::DirectionOptimising => Some(fused_bytes(graph)),
            _ if self.is_fused() || Self::BFS.contains(&self) => {
                Some(device_bytes::<Discover>(graph, self, settings))
            }
            _ => None,
        }
    }
}
