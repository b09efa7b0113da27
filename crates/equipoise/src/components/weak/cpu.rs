//! Weakly connected components on the cpu.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use equipoise_graph::Graph;
use rayon::prelude::*;

use super::{SAMPLED_EDGES, most_frequent, sampled_vertices};
use crate::{
    Step, Times, Trace,
    components::{Components, ComponentsStrategy},
    times::{Clock, timed},
};

/// Vertices that a thread takes at once.
const VERTICES_AT_ONCE: usize = 1 << 10;

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
    let done = forest.hook_edges(graph.vertices(), |vertex| graph.neighbors(vertex));
    forest.compress();
    Trace { steps: vec![Step { time: clock.lap(), ..done.step(0, "all") }] }
}

fn afforest(graph: &Graph, forest: &Forest) -> Trace {
    let (vertices, first) = (graph.vertices(), SAMPLED_EDGES as usize);
    let mut clock = Clock::start();
    let sampled = forest.hook_edges(vertices, |vertex| {
        let row = graph.neighbors(vertex);
        &row[..first.min(row.len())]
    });
    forest.compress();
    let sampled = Step { time: clock.lap(), ..sampled.step(0, "first") };
    let labels = sampled_vertices(vertices).into_iter().map(|vertex| forest.parent(vertex));
    let giant = most_frequent(labels.collect()).filter(|_| graph.is_undirected());
    let rest = forest.hook_edges(vertices, |vertex| {
        let row = graph.neighbors(vertex);
        match Some(forest.parent(vertex)) == giant {
            true => &[],
            false => &row[first.min(row.len())..],
        }
    });
    forest.compress();
    Trace { steps: vec![sampled, Step { time: clock.lap(), ..rest.step(1, "rest") }] }
}

/// Trees of vertices. A parent is smaller than its children, so the root of a component is its smallest vertex.
pub(crate) struct Forest(Vec<AtomicU32>);

/// What was done with edges.
#[derive(Clone, Copy, Default)]
struct Hooked {
    vertices: u64,
    edges: u64,
    hooks: u64,
}

impl Hooked {
    fn step(self, index: u32, strategy: &'static str) -> Step {
        let (frontier, edges, found) = (self.vertices, self.edges, self.hooks);
        Step { frontier, edges, found, ..Step::new(index, strategy) }
    }

    fn and(self, other: Self) -> Self {
        Self {
            vertices: self.vertices + other.vertices,
            edges: self.edges + other.edges,
            hooks: self.hooks + other.hooks,
        }
    }
}

impl Forest {
    /// Every vertex a tree of its own.
    pub(crate) fn new(vertices: u32) -> Self {
        Self((0..vertices).into_par_iter().map(AtomicU32::new).collect())
    }

    pub(crate) fn parent(&self, vertex: u32) -> u32 {
        self.0[vertex as usize].load(Relaxed)
    }

    /// Hooks along some edges of each vertex.
    fn hook_edges<'a>(&self, vertices: u32, some: impl Fn(u32) -> &'a [u32] + Sync) -> Hooked {
        let hooked = (0..vertices).into_par_iter().with_min_len(VERTICES_AT_ONCE).map(|vertex| {
            let row = some(vertex);
            let hooks = row.iter().filter(|&&target| self.hook(vertex, target)).count();
            let (vertices, edges) = (u64::from(!row.is_empty()), row.len() as u64);
            Hooked { vertices, edges, hooks: hooks as u64 }
        });
        hooked.reduce(Hooked::default, Hooked::and)
    }

    /// Joins the trees of two vertices. Whether they were two, which only one of several threads is told.
    ///
    /// Whoever lowers the parent of what is not a root takes it away from its old one, and then joins these two.
    pub(crate) fn hook(&self, a: u32, b: u32) -> bool {
        let (mut a, mut b) = (self.parent(a), self.parent(b));
        while a != b {
            let (low, high) = (a.min(b), a.max(b));
            let old = self.0[high as usize].fetch_min(low, Relaxed);
            if old == high {
                return true;
            }
            (a, b) = (old, low);
        }
        false
    }

    /// Lets every vertex point to its root.
    pub(crate) fn compress(&self) {
        (0..self.0.len() as u32).into_par_iter().with_min_len(VERTICES_AT_ONCE).for_each(
            |vertex| {
                let mut root = self.parent(vertex);
                while self.parent(root) != root {
                    root = self.parent(root);
                }
                self.0[vertex as usize].store(root, Relaxed);
            },
        );
    }

    fn into_labels(self) -> Vec<u32> {
        self.0.into_iter().map(AtomicU32::into_inner).collect()
    }
}
