//! Weakly connected components on the cpu.

use std::{
    ops::Range,
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};

use equipoise_graph::Graph;

use super::{SAMPLED_EDGES, most_frequent, sampled_vertices};
use crate::{
    Step, Trace,
    components::{Components, ComponentsStrategy},
    rows::Rows,
    team::{self, Team, collect},
    times::{Clock, timed, times_of_steps},
};

/// Vertices per task: enough that threads rarely write to the same trees.
const VERTICES_AT_ONCE: usize = 1 << 14;
/// Rows per task where all edges of each row are visited.
const ROWS_AT_ONCE: usize = 1 << 10;

/// Finds components by a strategy that is not `auto`.
pub(in crate::components) fn components(graph: &Graph, strategy: ComponentsStrategy) -> Components {
    let ((labels, steps, counts), run) = timed(|| {
        team::run(|team| {
            let forest = Forest::new(team, graph.vertices());
            let (steps, counts) = match strategy {
                ComponentsStrategy::Afforest => afforest(team, graph, &forest),
                _ => hooking(team, graph, &forest),
            };
            (forest.into_labels(), steps, counts)
        })
    });
    let times = times_of_steps(&steps, run);
    Components::from_counts(labels, counts, strategy, Trace { steps }, times)
}

fn hooking(team: &Team, graph: &Graph, forest: &Forest) -> (Vec<Step>, TreeCounts) {
    let mut clock = Clock::start();
    let (frontier, edges) = forest.hook_rows(team, graph, 0, None);
    let counts = forest.compress(team, None);
    let (found, time) = (u64::from(graph.vertices() - counts.trees), clock.lap());
    (vec![Step { frontier, edges, found, time, ..Step::new(0, "all") }], counts)
}

fn afforest(team: &Team, graph: &Graph, forest: &Forest) -> (Vec<Step>, TreeCounts) {
    let mut clock = Clock::start();
    let mut edges = [0; SAMPLED_EDGES as usize];
    let mut trees = graph.vertices();
    for (nth, edges) in edges.iter_mut().enumerate() {
        *edges = forest.hook_nth(team, graph, nth);
        trees = forest.compress(team, None).trees;
    }
    // Every vertex with edges has a first edge.
    let (frontier, edges) = (edges[0], edges.iter().sum());
    let (found, time) = (u64::from(graph.vertices() - trees), clock.lap());
    let sampled = Step { frontier, edges, found, time, ..Step::new(0, "first") };
    let labels = sampled_vertices(graph.vertices()).into_iter().map(|vertex| forest.parent(vertex));
    let giant = most_frequent(labels.collect());
    let skipped = giant.filter(|_| graph.is_undirected());
    let (frontier, edges) = forest.hook_rows(team, graph, SAMPLED_EDGES as usize, skipped);
    // The root of the giant component may have been hooked since.
    let counts = forest.compress(team, giant.map(|giant| forest.root(giant)));
    let (found, time) = (u64::from(trees - counts.trees), clock.lap());
    let rest = Step { frontier, edges, found, time, ..Step::new(1, "rest") };
    (vec![sampled, rest], counts)
}

/// Counts of a forest in which every vertex points to its root.
pub(crate) struct TreeCounts {
    /// The number of trees.
    pub trees: u32,
    /// The number of vertices in the requested tree.
    pub in_tree: u32,
}

/// Trees of vertices. A parent is smaller than its children, so the root of a component is its smallest vertex.
pub(crate) struct Forest(Vec<AtomicU32>);

impl Forest {
    /// A forest in which every vertex is a tree.
    pub(crate) fn new(team: &Team, vertices: u32) -> Self {
        Self(collect(team, vertices as usize, |vertex| AtomicU32::new(vertex as u32)))
    }

    #[inline]
    pub(crate) fn parent(&self, vertex: u32) -> u32 {
        self.0[vertex as usize].load(Relaxed)
    }

    /// Hooks along the `nth` edge of each row. Returns the number of these edges.
    fn hook_nth(&self, team: &Team, graph: &Graph, nth: usize) -> u64 {
        let (offsets, targets) = (graph.csr().offsets(), graph.csr().indices());
        self.sum_of_pieces(team, |vertices| {
            let mut edges = 0;
            let starts = &offsets[vertices.start as usize..=vertices.end as usize];
            for (vertex, ends) in vertices.zip(starts.windows(2)) {
                let edge = ends[0] as usize + nth;
                if edge < ends[1] as usize {
                    self.hook(vertex, targets[edge]);
                    edges += 1;
                }
            }
            edges
        })
    }

    /// Hooks along the edges of each row from `first` on, except for the rows of one tree. Returns the number of rows with
    /// such edges, and of the edges.
    fn hook_rows(
        &self,
        team: &Team,
        graph: &Graph,
        first: usize,
        skipped: Option<u32>,
    ) -> (u64, u64) {
        let rows = Rows::new(graph);
        let (vertices, edges) = (AtomicU64::new(0), AtomicU64::new(0));
        team.for_parts(self.0.len(), ROWS_AT_ONCE, |_, part| {
            let (mut part_vertices, mut part_edges) = (0, 0);
            for vertex in part.start as u32..part.end as u32 {
                if Some(self.parent(vertex)) == skipped {
                    continue;
                }
                let row = rows.row(vertex).get(first..).unwrap_or_default();
                row.iter().for_each(|&target| self.hook(vertex, target));
                part_vertices += u64::from(!row.is_empty());
                part_edges += row.len() as u64;
            }
            vertices.fetch_add(part_vertices, Relaxed);
            edges.fetch_add(part_edges, Relaxed);
        });
        (vertices.into_inner(), edges.into_inner())
    }

    /// Joins the trees of two vertices.
    ///
    /// Only roots are written: writes to the vertices on the way would invalidate the caches of other threads. The larger
    /// vertex is found by a branch rather than by a minimum, so that the next load starts speculatively.
    #[inline]
    pub(crate) fn hook(&self, a: u32, b: u32) {
        let (mut a, mut b) = (self.parent(a), self.parent(b));
        while a != b {
            let (low, high) = if a > b { (b, a) } else { (a, b) };
            let above = self.parent(high);
            if above == low || (above == high && self.hook_root(high, low)) {
                return;
            }
            (a, b) = (self.parent(above), self.parent(low));
        }
    }

    /// Hooks a root under a smaller vertex, unless another thread was faster.
    fn hook_root(&self, root: u32, low: u32) -> bool {
        self.0[root as usize].compare_exchange(root, low, Relaxed, Relaxed).is_ok()
    }

    /// The root of the tree that a vertex is in.
    fn root(&self, vertex: u32) -> u32 {
        let mut root = self.parent(vertex);
        while self.parent(root) != root {
            root = self.parent(root);
        }
        root
    }

    /// Points every vertex to its root. Counts the trees, and the vertices in the tree of the root `tree`.
    pub(crate) fn compress(&self, team: &Team, tree: Option<u32>) -> TreeCounts {
        // `u32::MAX` is no vertex.
        let tree = tree.unwrap_or(u32::MAX);
        // Both counts in one sum, 32 bits each.
        let counts = self.sum_of_pieces(team, |vertices| {
            let (mut trees, mut in_tree) = (0, 0);
            for vertex in vertices {
                let (parent, root) = (self.parent(vertex), self.root(vertex));
                if root != parent {
                    self.0[vertex as usize].store(root, Relaxed);
                }
                trees += u64::from(root == vertex);
                in_tree += u64::from(root == tree);
            }
            trees << 32 | in_tree
        });
        TreeCounts { trees: (counts >> 32) as u32, in_tree: counts as u32 }
    }

    /// Processes the vertices in parallel pieces, and sums the values that `process` returns.
    fn sum_of_pieces(&self, team: &Team, process: impl Fn(Range<u32>) -> u64 + Sync) -> u64 {
        let sum = AtomicU64::new(0);
        team.for_parts(self.0.len(), VERTICES_AT_ONCE, |_, part| {
            sum.fetch_add(process(part.start as u32..part.end as u32), Relaxed);
        });
        sum.into_inner()
    }

    fn into_labels(self) -> Vec<u32> {
        self.0.into_iter().map(AtomicU32::into_inner).collect()
    }
}
