//! The bytes of a GPU's memory that shortest paths need.

use equipoise_graph::{Graph, Weights, memory::bytes_of};

use super::{gpu_relax::Relax, weight::Whole};
use crate::traversal::{Strategy, TraversalSettings, device_bytes, ordered_bytes};

impl Strategy {
    /// The bytes of a GPU's memory that a search for shortest paths takes, including the graph; `None` for a strategy that a
    /// GPU does not have. `auto` has fallbacks that take less.
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
        if let Some(Weights::F64(_)) = graph.weights() {
            let rounded = || ordered_bytes::<Relax<Whole>>(graph);
            let exact = bytes_of::<u64>(graph.edges())
                .saturating_add(bytes_of::<u64>(graph.vertices().into()));
            return matches!(self, Self::Auto | Self::NearFar)
                .then(|| rounded().saturating_add(exact));
        }
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
