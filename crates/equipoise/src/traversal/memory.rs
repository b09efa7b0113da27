//! How much of a GPU's memory strategies need.

use equipoise_graph::Graph;
use equipoise_schedule::engine::parts_words;

use super::{
    graph::OnGraph,
    strategies::{self, Sizes},
};
use crate::traversal::{Strategy, TraversalSettings};

/// Bytes of a label, an offset, an edge or a weight.
const WORD: u64 = 4;

/// The bytes of a search by a strategy of one iteration.
pub(crate) fn device_bytes<Op: OnGraph>(
    graph: &Graph,
    strategy: Strategy,
    settings: &TraversalSettings,
) -> u64 {
    let weighted = !Op::JOINS_ONCE;
    let (vertices, edges) = (u64::from(graph.vertices()), graph.edges());
    let rows = rows(graph, weighted);
    // Labels, when vertices joined if labels do not say so, two lists of vertices, counters.
    let search = vertices + u64::from(weighted) * vertices + 2 * vertices + 64;
    // Parents, and where merge-path cuts the edges on the way to them.
    let tree = vertices + (vertices + edges) / 256 + 64;
    let entering = if graph.is_undirected() { 0 } else { rows };
    let sizes = Sizes { graph, vertices, edges, entering, settings };
    let all = strategies::all::<Op>();
    let own = all.iter().find(|own| own.names().contains(&strategy));
    WORD * (rows + search + tree + own.map_or(0, |own| own.words(strategy, &sizes)))
}

/// The bytes of direction-optimising BFS: levels, when vertices joined where levels do not say so, two
/// halves of the list and of bitmaps, and the edges by the vertices they enter.
pub(crate) fn fused_bytes(graph: &Graph) -> u64 {
    let (vertices, edges) = (u64::from(graph.vertices()), graph.edges());
    let entering = if graph.is_undirected() { 0 } else { rows(graph, false) };
    let tree = vertices + (vertices + edges) / 256 + 64;
    let search = 2 * vertices + parts_words(vertices, edges) + vertices / 16 + 512;
    WORD * (rows(graph, false) + entering + search + tree)
}

/// The bytes of SSSP in the order of distances: as a list of vertices, and the near and far worklists.
pub(crate) fn ordered_bytes<Op: OnGraph>(graph: &Graph) -> u64 {
    let node = device_bytes::<Op>(graph, Strategy::Node, &TraversalSettings::default());
    let (vertices, edges) = (u64::from(graph.vertices()), graph.edges());
    node + WORD * (4 * vertices + parts_words(vertices, edges) + vertices / 1024 + 128)
}

/// The words of the graph itself, and of its weights if a search reads them.
fn rows(graph: &Graph, weighted: bool) -> u64 {
    u64::from(graph.vertices()) + 1 + graph.edges() * (1 + u64::from(weighted))
}
