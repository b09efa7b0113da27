//! Which strategy `auto` stands for, and why.

use equipoise_graph::Graph;

use super::{ApspOptions, ApspStrategy};

/// A strategy, and a sentence that says why it is used.
pub(super) struct Choice {
    pub strategy: ApspStrategy,
    pub reason: String,
}

/// What single-source runs cost on a device, counted in steps of its blocked Floyd-Warshall, each of
/// which compares one path with another.
pub(super) struct Costs {
    /// Of a vertex, for each source, where all edges weigh the same.
    level_vertex: f64,
    /// Of an edge there.
    level_edge: f64,
    /// Of a vertex where weights differ.
    vertex: f64,
    /// Of an edge there.
    edge: f64,
    /// Whether vertices cost that for each level of a heap.
    has_heap: bool,
    /// How many times as long a step of Floyd-Warshall takes that notes next hops.
    with_hops: f64,
}

/// Measured on an x86-64 core with AVX-512, which does 28 billion steps a second, on random graphs
/// of 2048 and 6000 vertices with 2 to 256 edges each: 5 ns a step of Dijkstra's algorithm; 18 ns a
/// vertex of breadth-first search, most of it the matrix's memory, and 1 ns an edge.
pub(super) const CPU: Costs = Costs {
    level_vertex: 500.0,
    level_edge: 30.0,
    vertex: 150.0,
    edge: 150.0,
    has_heap: true,
    with_hops: 1.0,
};

/// Measured on an H200, which does 13 × 10¹² steps a second, on random graphs of 4096 to 16384
/// vertices with 2 to 256 edges each. Edges cost less where the labels stay in its cache (4096
/// vertices: half) and more where they do not, so that near the border either may be faster, by a
/// quarter or so.
pub(super) const GPU: Costs = Costs {
    level_vertex: 800.0,
    level_edge: 100.0,
    vertex: 400.0,
    edge: 900.0,
    has_heap: false,
    with_hops: 3.5,
};

impl Costs {
    /// The strategy with less work by estimate, unless only the other fits in memory.
    pub fn choose(
        &self,
        graph: &Graph,
        options: &ApspOptions,
        equal_weights: bool,
        blocked_fits: impl Fn() -> bool,
    ) -> Choice {
        let chosen = |strategy, reason: String| Choice { strategy, reason };
        if options.strategy != ApspStrategy::Auto {
            return chosen(options.strategy, "as asked".into());
        }
        if options.sources.is_some() {
            return chosen(ApspStrategy::Sssp, "only it finds rows of given sources".into());
        }
        let each = if options.next_hops { self.with_hops } else { 1.0 };
        let steps = each * f64::from(graph.vertices()).powi(3);
        let searches = self.of_searches(graph, equal_weights);
        match steps <= searches {
            true if blocked_fits() => chosen(
                ApspStrategy::Blocked,
                format!(
                    "Floyd-Warshall takes {steps:.1e} steps, and searches would cost as much as \
                     {searches:.1e}"
                ),
            ),
            true => chosen(ApspStrategy::Sssp, "Floyd-Warshall does not fit in memory".into()),
            false => chosen(
                ApspStrategy::Sssp,
                format!(
                    "searches should cost as much as {searches:.1e} steps of Floyd-Warshall, which \
                     takes {steps:.1e}"
                ),
            ),
        }
    }

    /// What one single-source run a vertex costs.
    fn of_searches(&self, graph: &Graph, equal_weights: bool) -> f64 {
        let (vertices, edges) = (f64::from(graph.vertices()), graph.edges() as f64);
        let heap = if self.has_heap { vertices.max(1.0).log2() } else { 1.0 };
        vertices
            * match equal_weights {
                true => self.level_vertex * vertices + self.level_edge * edges,
                false => self.vertex * vertices * heap + self.edge * edges,
            }
    }
}
