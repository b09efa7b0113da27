//! Weakly connected components on the cpu.

use std::{
    ops::Range,
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};

use equipoise_graph::Graph;

use super::{SAMPLED_EDGES, most_frequent, sampled_vertices};
use crate::{
    Step, Times, Trace,
    components::{Components, ComponentsStrategy},
    rows::Rows,
    team::{self, Team, collect},
    times::{Clock, timed},
};

/// Vertices that a thread takes at once: so many that threads seldom write to each other's trees.
const VERTICES_AT_ONCE: usize = 1 << 14;
/// The same where each has all its edges looked at, of which some have many.
const ROWS_AT_ONCE: usize = 1 << 10;

/// Finds components by a strategy that is not `auto`.
pub(in crate::components) fn components(graph: &Graph, strategy: ComponentsStrategy) -> Components {
    let ((labels, trace, compressed), run) = timed(|| {
        team::run(|team| {
            let forest = Forest::new(team, graph.vertices());
            let (trace, compressed) = match strategy {
                ComponentsStrategy::Afforest => afforest(team, graph, &forest),
                _ => hooking(team, graph, &forest),
            };
            (forest.into_labels(), trace, compressed)
        })
    });
    let kernel = trace.steps.iter().map(|step| step.time).sum();
    let overhead = run.saturating_sub(kernel);
    let times = Times { kernel, overhead, ..Times::default() };
    Components::of_counted(labels, compressed, strategy, trace, times)
}

fn hooking(team: &Team, graph: &Graph, forest: &Forest) -> (Trace, Compressed) {
    let mut clock = Clock::start();
    let looked = forest.hook_rows(team, graph, 0, None);
    let compressed = forest.compress(team, None);
    let found = u64::from(graph.vertices() - compressed.trees);
    let step = Step { time: clock.lap(), found, ..looked.step(0, "all") };
    (Trace { steps: vec![step] }, compressed)
}

fn afforest(team: &Team, graph: &Graph, forest: &Forest) -> (Trace, Compressed) {
    let mut clock = Clock::start();
    let mut edges = [0; SAMPLED_EDGES as usize];
    let mut trees = graph.vertices();
    for (place, edges) in edges.iter_mut().enumerate() {
        *edges = forest.hook_at(team, graph, place);
        trees = forest.compress(team, None).trees;
    }
    // Every vertex that has edges has a first one.
    let looked = Looked { vertices: edges[0], edges: edges.iter().sum() };
    let found = u64::from(graph.vertices() - trees);
    let sampled = Step { time: clock.lap(), found, ..looked.step(0, "first") };
    let labels = sampled_vertices(graph.vertices()).into_iter().map(|vertex| forest.parent(vertex));
    let giant = most_frequent(labels.collect());
    let known = giant.filter(|_| graph.is_undirected());
    let looked = forest.hook_rows(team, graph, SAMPLED_EDGES as usize, known);
    // It may have been hooked under another since.
    let compressed = forest.compress(team, giant.map(|giant| forest.root(giant)));
    let found = u64::from(trees - compressed.trees);
    let rest = Step { time: clock.lap(), found, ..looked.step(1, "rest") };
    (Trace { steps: vec![sampled, rest] }, compressed)
}

/// What is left when every vertex points to its root.
pub(crate) struct Compressed {
    /// How many trees there are.
    pub trees: u32,
    /// How many vertices the tree has that was asked for.
    pub of_tree: u32,
}

/// Trees of vertices. A parent is smaller than its children, so the root of a component is its smallest vertex.
pub(crate) struct Forest(Vec<AtomicU32>);

/// What was looked at.
#[derive(Clone, Copy, Default)]
struct Looked {
    vertices: u64,
    edges: u64,
}

impl Looked {
    fn step(self, index: u32, strategy: &'static str) -> Step {
        Step { frontier: self.vertices, edges: self.edges, ..Step::new(index, strategy) }
    }
}

impl Forest {
    /// Every vertex a tree of its own.
    pub(crate) fn new(team: &Team, vertices: u32) -> Self {
        Self(collect(team, vertices as usize, |vertex| AtomicU32::new(vertex as u32)))
    }

    #[inline]
    pub(crate) fn parent(&self, vertex: u32) -> u32 {
        self.0[vertex as usize].load(Relaxed)
    }

    /// Hooks along the edge at one place of each row; how many rows have one there.
    fn hook_at(&self, team: &Team, graph: &Graph, place: usize) -> u64 {
        let (offsets, targets) = (graph.csr().offsets(), graph.csr().indices());
        self.sum_of_pieces(team, |vertices| {
            let mut edges = 0;
            let starts = &offsets[vertices.start as usize..=vertices.end as usize];
            for (vertex, ends) in vertices.zip(starts.windows(2)) {
                let edge = ends[0] as usize + place;
                if edge < ends[1] as usize {
                    self.hook(vertex, targets[edge]);
                    edges += 1;
                }
            }
            edges
        })
    }

    /// Hooks along the edges from a place on, but for those of vertices that are known to be in a component.
    fn hook_rows(&self, team: &Team, graph: &Graph, first: usize, known: Option<u32>) -> Looked {
        let rows = Rows::of(graph);
        let (vertices, edges) = (AtomicU64::new(0), AtomicU64::new(0));
        team.for_parts(self.0.len(), ROWS_AT_ONCE, |_, part| {
            let (mut rows_there, mut edges_there) = (0, 0);
            for vertex in part.start as u32..part.end as u32 {
                if Some(self.parent(vertex)) == known {
                    continue;
                }
                let row = rows.row(vertex).get(first..).unwrap_or_default();
                row.iter().for_each(|&target| self.hook(vertex, target));
                rows_there += u64::from(!row.is_empty());
                edges_there += row.len() as u64;
            }
            vertices.fetch_add(rows_there, Relaxed);
            edges.fetch_add(edges_there, Relaxed);
        });
        Looked { vertices: vertices.into_inner(), edges: edges.into_inner() }
    }

    /// Joins the trees of two vertices.
    ///
    /// Reads lead up to the roots, and only there is something written: where others read, too, writes would be waited
    /// for. What is larger is told by a branch rather than by a minimum: it is guessed, and the next read does not wait.
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

    /// Lets every vertex point to its root, and counts those of the tree with this one.
    pub(crate) fn compress(&self, team: &Team, tree: Option<u32>) -> Compressed {
        // No vertex has the number of no tree: there are fewer vertices than numbers.
        let tree = tree.unwrap_or(u32::MAX);
        // Both counts in one, each in 32 bits.
        let counts = self.sum_of_pieces(team, |vertices| {
            let (mut trees, mut of_tree) = (0, 0);
            for vertex in vertices {
                let (parent, root) = (self.parent(vertex), self.root(vertex));
                if root != parent {
                    self.0[vertex as usize].store(root, Relaxed);
                }
                trees += u64::from(root == vertex);
                of_tree += u64::from(root == tree);
            }
            trees << 32 | of_tree
        });
        Compressed { trees: (counts >> 32) as u32, of_tree: counts as u32 }
    }

    /// The sum of what pieces of the vertices give.
    fn sum_of_pieces(&self, team: &Team, give: impl Fn(Range<u32>) -> u64 + Sync) -> u64 {
        let sum = AtomicU64::new(0);
        team.for_parts(self.0.len(), VERTICES_AT_ONCE, |_, part| {
            sum.fetch_add(give(part.start as u32..part.end as u32), Relaxed);
        });
        sum.into_inner()
    }

    fn into_labels(self) -> Vec<u32> {
        self.0.into_iter().map(AtomicU32::into_inner).collect()
    }
}
