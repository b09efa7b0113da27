//! How much of a GPU's memory strategies need.

use equipoise_graph::Graph;

use super::options::{TraversalSettings, Way};
use crate::{BfsStrategy, SsspStrategy};

/// Bytes of a label, an offset, an edge or a weight.
const WORD: u64 = 4;

impl BfsStrategy {
    /// The bytes of a GPU's memory that a search takes, the graph's own included. Under `auto`,
    /// less may do.
    ///
    /// ```
    /// use equipoise::{BfsStrategy, TraversalSettings, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let bytes = |way: BfsStrategy| way.device_bytes(&graph, &TraversalSettings::default());
    /// assert!(bytes(BfsStrategy::Edge) > bytes(BfsStrategy::Topology));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn device_bytes(self, graph: &Graph, settings: &TraversalSettings) -> u64 {
        match self.name().parse() {
            Ok(way) => device_bytes(graph, way, false, settings),
            Err(_) => fused_bytes(graph),
        }
    }
}

impl SsspStrategy {
    /// The bytes of a GPU's memory that a search takes, the graph's own included; nothing for a
    /// strategy that only the cpu has. Under `auto`, less may do.
    ///
    /// ```
    /// use equipoise::{SsspStrategy, TraversalSettings, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let bytes = |way: SsspStrategy| way.device_bytes(&graph, &TraversalSettings::default());
    /// assert!(bytes(SsspStrategy::NearFar) > bytes(SsspStrategy::Node));
    /// assert_eq!(bytes(SsspStrategy::Dijkstra), None);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn device_bytes(self, graph: &Graph, settings: &TraversalSettings) -> Option<u64> {
        match (self, self.name().parse()) {
            (Self::Dijkstra, _) => None,
            (_, Ok(way)) => Some(device_bytes(graph, way, true, settings)),
            (_, Err(_)) => Some(ordered_bytes(graph)),
        }
    }
}

/// The bytes of a search by a strategy of a plan.
pub(super) fn device_bytes(
    graph: &Graph,
    way: Way,
    weighted: bool,
    settings: &TraversalSettings,
) -> u64 {
    let (vertices, edges) = (u64::from(graph.vertices()), graph.edges());
    let rows = rows(graph, weighted);
    // Labels, turns of metrics that repeat, two lists of vertices, counters.
    let search = vertices + u64::from(weighted) * vertices + 2 * vertices + 64;
    // Parents, and where merge-path cuts the edges on the way to them.
    let tree = vertices + (vertices + edges) / 256 + 64;
    let transposed = if graph.is_undirected() { 0 } else { rows };
    // An array of degrees and the sums of them that scans make.
    let sums = 2 * vertices + vertices / 1024 + 2;
    let own = match way {
        Way::Node | Way::Topology | Way::VirtualWarp => 0,
        Way::FusedPush | Way::FusedPull => transposed + parts_list(graph) + vertices / 16 + 512,
        Way::Pull => transposed,
        Way::Edge => edges + 2 * edges,
        Way::EdgeTopology => edges,
        Way::EdgeReverse => transposed + edges,
        Way::Decompose => vertices + sums,
        Way::Split => {
            let parts = parts(graph, settings.most_edges(graph));
            vertices + 1 + parts + parts + 1 + 2 * parts
        }
        Way::Hierarchy => 4 * vertices + vertices + sums,
        Way::Scan => vertices + sums,
        Way::Group | Way::Plane | Way::Cube => sums,
        Way::MergePath => sums + (vertices + edges) / 256,
        Way::Binned => sums + 3 * vertices + vertices / 256,
        Way::TwoPhase => vertices,
    };
    WORD * (rows + search + tree + own)
}

/// The bytes of direction-optimising BFS: levels, two halves of the list and of bitmaps, and the
/// edges by the vertices they enter.
pub(super) fn fused_bytes(graph: &Graph) -> u64 {
    let (vertices, edges) = (u64::from(graph.vertices()), graph.edges());
    let entering = if graph.is_undirected() { 0 } else { rows(graph, false) };
    let tree = vertices + (vertices + edges) / 256 + 64;
    let search = vertices + parts_list(graph) + vertices / 16 + 512;
    WORD * (rows(graph, false) + entering + search + tree)
}

/// The bytes of SSSP in the order of distances: as a list of vertices, and the list and the piles.
pub(super) fn ordered_bytes(graph: &Graph) -> u64 {
    let node = device_bytes(graph, Way::Node, true, &TraversalSettings::default());
    let vertices = u64::from(graph.vertices());
    node + WORD * (4 * vertices + parts_list(graph) + vertices / 1024 + 128)
}

/// The words of a list of parts: three for each, in two halves.
fn parts_list(graph: &Graph) -> u64 {
    6 * (u64::from(graph.vertices()) + graph.edges() / 256)
}

/// The bytes that a graph takes before it is searched.
pub(super) fn device_bytes_of_graph(graph: &Graph) -> u64 {
    WORD * rows(graph, false)
}

/// The words of the graph itself: its weights, too, if it has some or a search counts them.
fn rows(graph: &Graph, weighted: bool) -> u64 {
    let weights = u64::from(weighted || graph.weights().is_some());
    u64::from(graph.vertices()) + 1 + graph.edges() * (1 + weights)
}

/// The parts of all vertices, none of which has more than so many edges.
fn parts(graph: &Graph, most: u32) -> u64 {
    let degrees = graph.csr().offsets().windows(2).map(|ends| ends[1] - ends[0]);
    degrees.map(|degree| degree.div_ceil(u64::from(most))).sum()
}
