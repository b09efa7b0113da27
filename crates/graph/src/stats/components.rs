//! Weakly connected components, by a union-find that all threads share.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use crate::Graph;

/// How many sizes [`Components::largest`] holds at most.
const LISTED: usize = 10;

/// The weakly connected components of a graph: sets of vertices joined by edges walked either
/// way.
///
/// ```
/// use equipoise_graph::{io::ReadOptions, load, stats::Statistics};
///
/// let graph = load("isolated:n=12", &ReadOptions::default())?;
/// let components = Statistics::of(&graph)?.components;
/// assert_eq!((components.count, components.largest), (12, vec![1; 10]));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Components {
    /// How many there are.
    pub count: u32,
    /// The numbers of vertices of the ten largest, the largest first.
    pub largest: Vec<u32>,
}

/// The components, and the label of the largest (the lowest of several).
pub(super) struct Found {
    pub sizes: Components,
    pub largest_label: Option<u32>,
}

impl Components {
    /// Counts vertices by their labels.
    pub(super) fn of(labels: &[u32]) -> Found {
        let sizes: Vec<AtomicU32> = labels.par_iter().map(|_| AtomicU32::new(0)).collect();
        labels.par_iter().for_each(|&label| {
            sizes[label as usize].fetch_add(1, Relaxed);
        });
        let sizes: Vec<u32> = sizes.into_par_iter().map(AtomicU32::into_inner).collect();
        let largest_label = (0..sizes.len())
            .into_par_iter()
            .max_by_key(|&label| (sizes[label], std::cmp::Reverse(label)))
            .map(|label| label as u32);
        let mut sizes: Vec<u32> = sizes.into_par_iter().filter(|&size| size > 0).collect();
        let count = sizes.len() as u32;
        sizes.par_sort_unstable_by(|a, b| b.cmp(a));
        sizes.truncate(LISTED);
        Found { sizes: Components { count, largest: sizes }, largest_label }
    }
}

/// The lowest vertex of each vertex's component.
pub(super) fn labels(graph: &Graph) -> Vec<u32> {
    let sets = Sets::new(graph.vertices());
    (0..graph.vertices()).into_par_iter().for_each(|vertex| {
        for &other in graph.neighbors(vertex) {
            // Of the two directions of an undirected edge, one is enough.
            if other < vertex || !graph.is_undirected() {
                sets.join(vertex, other);
            }
        }
    });
    (0..graph.vertices()).into_par_iter().map(|vertex| sets.root(vertex)).collect()
}

/// Disjoint sets of vertices. Each vertex points to one of its set that is not higher, and the
/// lowest, the root, to itself. Pointers only ever move down, so that any order of the joins
/// ends with the same roots.
struct Sets(Vec<AtomicU32>);

impl Sets {
    fn new(vertices: u32) -> Self {
        Self((0..vertices).into_par_iter().map(AtomicU32::new).collect())
    }

    /// Walks to the root, halving the way for those who come later.
    fn root(&self, mut vertex: u32) -> u32 {
        loop {
            let parent = self.0[vertex as usize].load(Relaxed);
            if parent == vertex {
                return vertex;
            }
            let grandparent = self.0[parent as usize].load(Relaxed);
            self.0[vertex as usize].fetch_min(grandparent, Relaxed);
            vertex = grandparent;
        }
    }

    /// Makes one set of those of `a` and `b`: the higher root is pointed to the lower, unless
    /// another thread was faster.
    fn join(&self, mut a: u32, mut b: u32) {
        loop {
            (a, b) = (self.root(a), self.root(b));
            if a == b {
                return;
            }
            let (low, high) = (a.min(b), a.max(b));
            if self.0[high as usize].compare_exchange(high, low, Relaxed, Relaxed).is_ok() {
                return;
            }
        }
    }
}
