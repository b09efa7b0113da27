//! Weakly connected components, by a concurrent union-find.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::{Graph, parallel::*};

/// The maximum length of [`Components::largest`].
const LISTED: usize = 10;

/// The weakly connected components of a graph: maximal sets of vertices that are connected if edge
/// directions are ignored.
///
/// ```
/// use equipoise_graph::{io::ReadOptions, load, stats::Statistics};
///
/// let graph = load("isolated:n=12", &ReadOptions::default())?;
/// let components = Statistics::new(&graph)?.components;
/// assert_eq!((components.count, components.largest), (12, vec![1; 10]));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Components {
    /// The number of components.
    pub count: u32,
    /// The numbers of vertices of the ten largest components, in descending order.
    pub largest: Vec<u32>,
}

/// The components, and the label of the largest (the lowest such label).
pub(super) struct LabelCounts {
    pub sizes: Components,
    pub largest_label: Option<u32>,
}

impl Components {
    /// Counts the vertices of each label.
    pub(super) fn from_labels(labels: &[u32]) -> LabelCounts {
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
        LabelCounts { sizes: Components { count, largest: sizes }, largest_label }
    }
}

/// The lowest vertex of each vertex's component.
pub(super) fn labels(graph: &Graph) -> Vec<u32> {
    let sets = Sets::new(graph.vertices());
    (0..graph.vertices()).into_par_iter().for_each(|vertex| {
        for &other in graph.neighbors(vertex) {
            // One of the two directions of an undirected edge suffices.
            if other < vertex || !graph.is_undirected() {
                sets.join(vertex, other);
            }
        }
    });
    (0..graph.vertices()).into_par_iter().map(|vertex| sets.root(vertex)).collect()
}

/// Disjoint sets of vertices. Each vertex points to a vertex of its set that is not higher; the
/// lowest, the root, points to itself. Pointers only ever decrease, so the roots do not depend on
/// the order of the unions.
struct Sets(Vec<AtomicU32>);

impl Sets {
    fn new(vertices: u32) -> Self {
        Self((0..vertices).into_par_iter().map(AtomicU32::new).collect())
    }

    /// Follows pointers to the root, with path halving.
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

    /// Unites the sets of `a` and `b`: the higher root is pointed to the lower one, unless another
    /// thread has changed it.
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
