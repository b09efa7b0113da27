//! The choice of a strategy.

use equipoise_graph::Graph;

use super::options::{ApspOptions, ApspStrategy};

/// A strategy, and the reason for it in a sentence.
pub(super) struct StrategyChoice {
    pub strategy: ApspStrategy,
    pub reason: String,
}

/// The costs of single-source runs on a device, in steps of its blocked Floyd-Warshall, each of which
/// compares one path with another.
pub(super) struct Costs {
    /// Per vertex and source, where all edges weigh the same.
    level_vertex: f64,
    /// Per edge and source, where all edges weigh the same.
    level_edge: f64,
    /// Per vertex and source, where weights differ.
    vertex: f64,
    /// Per edge and source, where weights differ.
    edge: f64,
    /// Whether vertices cost that per level of a heap.
    has_heap: bool,
    /// The time of a step of Floyd-Warshall with next hops over one without.
    with_hops: f64,
}

/// Measured on an x86-64 core with AVX-512, which makes 28 billion steps per second, on random graphs
/// of 2048 and 6000 vertices with 2 to 256 edges each: 5 ns per step of Dijkstra's algorithm; 18 ns
/// per vertex of breadth-first search, mostly for the matrix's memory, and 1 ns per edge.
pub(super) const CPU: Costs = Costs {
    level_vertex: 500.0,
    level_edge: 30.0,
    vertex: 150.0,
    edge: 150.0,
    has_heap: true,
    with_hops: 1.0,
};

/// Measured on an H200, which makes 13 × 10¹² steps per second, on random graphs of 4096 to 16384
/// vertices with 2 to 256 edges each. Edges cost less where the labels stay in its cache (4096
/// vertices: half) and more where they do not, so near the border the choice may be a quarter slower.
pub(super) const GPU: Costs = Costs {
    level_vertex: 800.0,
    level_edge: 100.0,
    vertex: 400.0,
    edge: 900.0,
    has_heap: false,
    with_hops: 3.5,
};

impl Costs {
    /// The strategy with the lower estimated cost, unless only the other fits in memory.
    pub fn choose(
        &self,
        graph: &Graph,
        options: &ApspOptions,
        equal_weights: bool,
        blocked_fits: impl Fn() -> bool,
    ) -> StrategyChoice {
        let chosen = |strategy, reason: &str| StrategyChoice { strategy, reason: reason.into() };
        if options.strategy != ApspStrategy::Auto {
            return chosen(options.strategy, "as asked");
        }
        if options.sources.is_some() {
            return chosen(ApspStrategy::Sssp, "only it finds rows of given sources");
        }
        let each = if options.next_hops { self.with_hops } else { 1.0 };
        let steps = each * f64::from(graph.vertices()).powi(3);
        let searches = self.of_searches(graph, equal_weights);
        if steps > searches {
            let reason = format!(
                "searches should cost as much as {searches:.1e} steps of Floyd-Warshall, which takes \
                 {steps:.1e}"
            );
            return chosen(ApspStrategy::Sssp, &reason);
        }
        if !blocked_fits() {
            return chosen(ApspStrategy::Sssp, "Floyd-Warshall does not fit in memory");
        }
        let reason = format!(
            "Floyd-Warshall takes {steps:.1e} steps, and searches would cost as much as {searches:.1e}"
        );
        chosen(ApspStrategy::Blocked, &reason)
    }

    /// The cost of one single-source run per vertex.
    fn of_searches(&self, graph: &Graph, equal_weights: bool) -> f64 {
        let (vertices, edges) = (f64::from(graph.vertices()), graph.edges() as f64);
        let heap = if self.has_heap { vertices.max(1.0).log2() } else { 1.0 };
        vertices
            * if equal_weights {
                self.level_vertex * vertices + self.level_edge * edges
            } else {
                self.vertex * vertices * heap + self.edge * edges
            }
    }
}
