//! Weakly connected components on the cpu.

use std::{
    ops::Range,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use equipoise_graph::{Graph, cancel::Cancel};
use rayon::prelude::*;

use super::{SAMPLED_EDGES, most_frequent, sampled_vertices};
use crate::{
    Step, Times, Trace,
    components::{Components, ComponentsStrategy},
    rows::Rows,
    times::{Clock, timed},
};

/// Vertices that a thread takes at once: so many that threads seldom write to each other's trees.
const VERTICES_AT_ONCE: u32 = 1 << 14;

/// Finds components by a strategy that is not `auto`.
pub(in crate::components) fn components(graph: &Graph, strategy: ComponentsStrategy) -> Components {
    let ((labels, trace), run) = timed(|| {
        let forest = Forest::new(graph.vertices());
        let trace = match strategy {
            ComponentsStrategy::Afforest => afforest(graph, &forest),
            _ => hooking(graph, &forest),
        };
        (forest.into_labels(), trace)
    });
    let kernel = trace.steps.iter().map(|step| step.time).sum();
    let overhead = run.saturating_sub(kernel);
    Components::of(labels, strategy, trace, Times { kernel, overhead, ..Times::default() })
}

fn hooking(graph: &Graph, forest: &Forest) -> Trace {
    let mut clock = Clock::start();
    let looked = forest.hook_rows(graph, 0, None);
    let trees = forest.compress();
    let found = u64::from(graph.vertices() - trees);
    Trace { steps: vec![Step { time: clock.lap(), found, ..looked.step(0, "all") }] }
}

fn afforest(graph: &Graph, forest: &Forest) -> Trace {
    let mut clock = Clock::start();
    let mut edges = [0; SAMPLED_EDGES as usize];
    let mut trees = graph.vertices();
    for (place, edges) in edges.iter_mut().enumerate() {
        *edges = forest.hook_at(graph, place);
        trees = forest.compress();
    }
    // Every vertex that has edges has a first one.
    let looked = Looked { vertices: edges[0], edges: edges.iter().sum() };
    let found = u64::from(graph.vertices() - trees);
    let sampled = Step { time: clock.lap(), found, ..looked.step(0, "first") };
    let labels = sampled_vertices(graph.vertices()).into_iter().map(|vertex| forest.parent(vertex));
    let giant = most_frequent(labels.collect()).filter(|_| graph.is_undirected());
    let looked = forest.hook_rows(graph, SAMPLED_EDGES as usize, giant);
    let found = u64::from(trees - forest.compress());
    Trace { steps: vec![sampled, Step { time: clock.lap(), found, ..looked.step(1, "rest") }] }
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

    fn and(self, other: Self) -> Self {
        Self { vertices: self.vertices + other.vertices, edges: self.edges + other.edges }
    }
}

impl Forest {
    /// Every vertex a tree of its own.
    pub(crate) fn new(vertices: u32) -> Self {
        Self((0..vertices).into_par_iter().map(AtomicU32::new).collect())
    }

    #[inline]
    pub(crate) fn parent(&self, vertex: u32) -> u32 {
        self.0[vertex as usize].load(Relaxed)
    }

    /// Hooks along the edge at one place of each row; how many rows have one there.
    fn hook_at(&self, graph: &Graph, place: usize) -> u64 {
        let (offsets, targets) = (graph.csr().offsets(), graph.csr().indices());
        self.sum_of_pieces(|vertices| {
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
    fn hook_rows(&self, graph: &Graph, first: usize, known: Option<u32>) -> Looked {
        let rows = Rows::of(graph);
        let looked =
            (0..graph.vertices()).into_par_iter().with_min_len(VERTICES_AT_ONCE as usize / 16);
        let looked = looked.map(|vertex| {
            if Some(self.parent(vertex)) == known {
                return Looked::default();
            }
            let row = rows.row(vertex).get(first..).unwrap_or_default();
            row.iter().for_each(|&target| self.hook(vertex, target));
            Looked { vertices: u64::from(!row.is_empty()), edges: row.len() as u64 }
        });
        looked.reduce(Looked::default, Looked::and)
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

    /// Lets every vertex point to its root; how many roots there are.
    pub(crate) fn compress(&self) -> u32 {
        let roots = self.sum_of_pieces(|vertices| {
            let mut roots = 0;
            for vertex in vertices {
                let parent = self.parent(vertex);
                let mut root = parent;
                while self.parent(root) != root {
                    root = self.parent(root);
                }
                if root != parent {
                    self.0[vertex as usize].store(root, Relaxed);
                }
                roots += u64::from(root == vertex);
            }
            roots
        });
        roots as u32
    }

    /// The sum of what pieces of the vertices give.
    fn sum_of_pieces(&self, give: impl Fn(Range<u32>) -> u64 + Sync) -> u64 {
        let (vertices, cancel) = (self.0.len() as u32, Cancel::current());
        let pieces = (0..vertices.div_ceil(VERTICES_AT_ONCE)).into_par_iter().with_max_len(1);
        pieces
            .map(|piece| {
                cancel.poll();
                let start = piece * VERTICES_AT_ONCE;
                give(start..vertices.min(start.saturating_add(VERTICES_AT_ONCE)))
            })
            .sum()
    }

    fn into_labels(self) -> Vec<u32> {
        self.0.into_iter().map(AtomicU32::into_inner).collect()
    }
}
