//! How much of a GPU's memory shortest paths need.

use equipoise_graph::Graph;

use super::{gpu::Relax, weight::Whole};
use crate::traversal::{Strategy, TraversalSettings, device_bytes, ordered_bytes};

impl Strategy {
    /// The bytes of a GPU's memory that a search for shortest paths takes, the graph's own included;
    /// nothing for a strategy that it does not have there. Under `auto`, less may do.
    ///
    /// ```
    /// use equipoise::{graph::{Edges, GraphBuilder}, traversal::{Strategy, TraversalSettings}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let bytes = |strategy: Strategy| strategy.sssp_bytes(&graph, &TraversalSettings::default());
    /// assert!(bytes(Strategy::NearFar) > bytes(Strategy::Node));
    /// assert_eq!(bytes(Strategy::Dijkstra), None);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn sssp_bytes(self, graph: &Graph, settings: &TraversalSettings) -> Option<u64> {
        match self {
            Self::Dijkstra => None,
            Self::Auto | Self::NearFar | Self::Delta => Some(ordered_bytes::<Relax<Whole>>(graph)),
            _ if Self::SSSP.contains(&self) => {
                Some(device_bytes::<Relax<Whole>>(graph, self, settings))
            }
            _ => None,
        }
    }
}
