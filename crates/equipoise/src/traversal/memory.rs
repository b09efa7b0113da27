//! The bytes of a GPU's memory that strategies need.

use equipoise_graph::Graph;
use equipoise_schedule::engine::parts_words;

use super::{
    iteration::{GraphOp, GraphSizes},
    options::{Strategy, TraversalSettings},
    strategies,
};

/// Bytes of a label, an offset, an edge or a weight.
const WORD: u64 = 4;

/// The bytes of a search by a strategy of one iteration.
pub(crate) fn device_bytes<Op: GraphOp>(
    graph: &Graph,
    strategy: Strategy,
    settings: &TraversalSettings,
) -> u64 {
    let (vertices, edges) = (u64::from(graph.vertices()), graph.edges());
    let rows = row_words(graph, Op::READS_WEIGHTS);
    // Labels, the iterations in which vertices joined if labels do not tell them, two lists of vertices, counters.
    let search = vertices + u64::from(!Op::JOINS_ONCE) * vertices + 2 * vertices + 64;
    let entering = if graph.is_undirected() { 0 } else { rows };
    let sizes = GraphSizes { graph, vertices, edges, entering, settings };
    let all = strategies::all::<Op>();
    let own = all.iter().find(|own| own.names().contains(&strategy));
    let own_words = own.map_or(0, |own| own.words(strategy, &sizes));
    WORD * (rows + search + tree_words(vertices, edges) + own_words)
}

/// The bytes of direction-optimising BFS: levels, the iterations in which vertices joined where levels do not tell them,
/// two halves of the list and of bitmaps, and the edges that enter vertices.
pub(crate) fn fused_bytes(graph: &Graph) -> u64 {
    let (vertices, edges) = (u64::from(graph.vertices()), graph.edges());
    let rows = row_words(graph, false);
    let entering = if graph.is_undirected() { 0 } else { rows };
    let search = 2 * vertices + parts_words(vertices, edges) + vertices / 16 + 512;
    WORD * (rows + entering + search + tree_words(vertices, edges))
}

/// The bytes of SSSP by near and far worklists: those of `node`, and the worklists.
pub(crate) fn ordered_bytes<Op: GraphOp>(graph: &Graph) -> u64 {
    let node = device_bytes::<Op>(graph, Strategy::Node, &TraversalSettings::default());
    let (vertices, edges) = (u64::from(graph.vertices()), graph.edges());
    node + WORD * (4 * vertices + parts_words(vertices, edges) + vertices / 1024 + 128)
}

/// The words of the graph, with its weights if a search reads them.
fn row_words(graph: &Graph, weighted: bool) -> u64 {
    u64::from(graph.vertices()) + 1 + graph.edges() * (1 + u64::from(weighted))
}

/// The words of parents, and of merge-path's partition of the edges when they are found.
fn tree_words(vertices: u64, edges: u64) -> u64 {
    vertices + (vertices + edges) / 256 + 64
}
