//! Trees of vertices that several threads join.

use std::{
    ops::Range,
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};

use equipoise_graph::Graph;

use super::{most_frequent, sampled_vertices};
use crate::{
    NONE,
    rows::Rows,
    team::{Team, collect},
};

/// Vertices per task: enough that threads rarely write to the same trees.
const VERTICES_AT_ONCE: usize = 1 << 14;
/// Vertices per task where some rows are visited.
const FEW_ROWS_AT_ONCE: usize = 1 << 12;
/// Rows per task where all edges of each row are visited.
const ROWS_AT_ONCE: usize = 1 << 10;
/// Tasks per thread where a path grows by each task that it passes through.
const LONG_TASKS: usize = 4;
/// The distance of prefetching, in vertices.
const AHEAD: u32 = 16;

/// Counts of a forest in which every vertex points to its root.
pub(crate) struct TreeCounts {
    /// The number of trees.
    pub trees: u32,
    /// The number of vertices in the requested tree.
    pub in_tree: u32,
}

/// The work of hooking.
pub(super) struct Hooked {
    /// The rows with visited edges.
    pub rows: u64,
    /// The visited edges.
    pub edges: u64,
    /// The roots that were hooked; each makes two trees one.
    pub roots: u64,
    /// The vertices of the skipped tree.
    pub skipped: u64,
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

    #[inline]
    fn set_parent(&self, vertex: u32, parent: u32) {
        self.0[vertex as usize].store(parent, Relaxed);
    }

    /// Hooks each vertex along the first edge of its row if that leads to a smaller vertex, in a forest in which every vertex
    /// is a tree. Threads write only their own vertices, without a race for roots.
    pub(super) fn hook_first(&self, team: &Team, graph: &Graph) -> Hooked {
        let (rows, last) = (Rows::new(graph), graph.vertices().saturating_sub(1));
        let size = self.0.len().div_ceil(LONG_TASKS * team.size()).max(VERTICES_AT_ONCE);
        let [visited, roots] = self.sum_of_pieces(team, size, |vertices| {
            let (mut visited, mut roots) = (0, 0);
            for vertex in vertices {
                rows.prefetch_row(vertex.saturating_add(AHEAD).min(last));
                let first = rows.row(vertex).first();
                // The neighbour's parent rather than the neighbour: paths stay short.
                let parent = self.parent(first.map_or(vertex, |&target| vertex.min(target)));
                self.set_parent(vertex, parent);
                visited += u64::from(first.is_some());
                roots += u64::from(parent != vertex);
            }
            [visited, roots]
        });
        Hooked { rows: visited, edges: visited, roots, skipped: 0 }
    }

    /// Hooks along up to `edges` edges of one row in `stride`. Trees may be deep.
    pub(super) fn hook_sample(
        &self,
        team: &Team,
        graph: &Graph,
        stride: usize,
        edges: usize,
    ) -> Hooked {
        let rows = Rows::new(graph);
        let [visited, edges, roots] = self.sum_of_pieces(team, VERTICES_AT_ONCE, |vertices| {
            let (mut visited, mut sampled, mut roots) = (0, 0, 0);
            for vertex in vertices.step_by(stride) {
                let row = rows.row(vertex);
                let row = row.get(..edges).unwrap_or(row);
                let joins = |&&target: &&u32| self.join(vertex, target);
                roots += row.iter().filter(joins).count() as u64;
                visited += u64::from(!row.is_empty());
                sampled += row.len() as u64;
            }
            [visited, sampled, roots]
        });
        Hooked { rows: visited, edges, roots, skipped: 0 }
    }

    /// Points every vertex to its root, and hooks along all edges of each row, except for the rows of the tree `skipped`. A
    /// tree that is joined meanwhile is left with vertices that point to its former root.
    pub(super) fn hook_rows(&self, team: &Team, graph: &Graph, skipped: Option<u32>) -> Hooked {
        let rows = Rows::new(graph);
        // `NONE` is no vertex.
        let giant = skipped.unwrap_or(NONE);
        let size = if skipped.is_some() { FEW_ROWS_AT_ONCE } else { ROWS_AT_ONCE };
        let sums = self.sum_of_pieces(team, size, |vertices| {
            let (mut visited, mut edges, mut roots, mut skipped) = (0, 0, 0, 0);
            for vertex in vertices {
                let is_skipped = self.shorten(vertex, giant) == giant;
                skipped += u64::from(is_skipped);
                // One branch for both: whether a vertex is isolated is hard to predict.
                if is_skipped | (rows.degree(vertex) == 0) {
                    continue;
                }
                let row = rows.row(vertex);
                roots += row.iter().filter(|&&target| self.hook(vertex, target)).count() as u64;
                visited += 1;
                edges += row.len() as u64;
            }
            [visited, edges, roots, skipped]
        });
        let [visited, edges, roots, skipped] = sums;
        Hooked { rows: visited, edges, roots, skipped }
    }

    /// Joins the trees of two vertices, which should be shallow. Returns whether this hooked a root.
    ///
    /// Only roots are written: writes to the vertices on the way would invalidate the caches of other threads. The larger
    /// vertex is found by a branch rather than by a minimum, so that the next load starts speculatively.
    #[inline]
    pub(crate) fn hook(&self, a: u32, b: u32) -> bool {
        let (mut a, mut b) = (self.parent(a), self.parent(b));
        while a != b {
            let (low, high) = if a > b { (b, a) } else { (a, b) };
            let above = self.parent(high);
            if above == low {
                return false;
            }
            if above == high && self.hook_root(high, low) {
                return true;
            }
            (a, b) = (self.parent(above), self.parent(low));
        }
        false
    }

    /// [`Self::hook`] for trees that may be deep: shortens the paths to their roots.
    fn join(&self, a: u32, b: u32) -> bool {
        let (mut a, mut b) = (self.find(a), self.find(b));
        while a != b {
            let (low, high) = if a > b { (b, a) } else { (a, b) };
            if self.hook_root(high, low) {
                return true;
            }
            (a, b) = (self.find(high), self.find(low));
        }
        false
    }

    /// Hooks a root under a smaller vertex, unless another thread was faster.
    fn hook_root(&self, root: u32, low: u32) -> bool {
        self.0[root as usize].compare_exchange(root, low, Relaxed, Relaxed).is_ok()
    }

    /// The root of the tree that a vertex is in. Points every other vertex on the path to the one after the next.
    pub(super) fn find(&self, mut vertex: u32) -> u32 {
        loop {
            let parent = self.parent(vertex);
            let above = self.parent(parent);
            if above == parent {
                return parent;
            }
            self.set_parent(vertex, above);
            vertex = above;
        }
    }

    /// The root of the most frequent tree in a sample of the vertices.
    pub(super) fn sampled_giant(&self) -> Option<u32> {
        let sampled = sampled_vertices(self.0.len() as u32).into_iter();
        most_frequent(sampled.map(|vertex| self.find(vertex)).collect())
    }

    /// Points every vertex to its root. Counts the trees, and the vertices in the tree of the root `tree`.
    pub(crate) fn compress(&self, team: &Team, tree: Option<u32>) -> TreeCounts {
        // `NONE` is no vertex.
        let tree = tree.unwrap_or(NONE);
        let [trees, in_tree] = self.sum_of_pieces(team, VERTICES_AT_ONCE, |vertices| {
            let (mut trees, mut in_tree) = (0, 0);
            for vertex in vertices {
                let root = self.shorten(vertex, tree);
                trees += u64::from(root == vertex);
                in_tree += u64::from(root == tree);
            }
            [trees, in_tree]
        });
        TreeCounts { trees: trees as u32, in_tree: in_tree as u32 }
    }

    /// Points a vertex to its root, or to `tree` if that is on the way. Returns it.
    #[inline]
    fn shorten(&self, vertex: u32, tree: u32) -> u32 {
        let parent = self.parent(vertex);
        let (mut root, mut above) = (parent, self.parent(parent));
        // One branch for both: a vertex of the giant tree is as frequent as one that is not.
        while (above != root) & (root != tree) {
            root = above;
            above = self.parent(root);
        }
        if root != parent {
            self.set_parent(vertex, root);
        }
        root
    }

    /// Processes the vertices in parallel pieces of `size`, and sums the values that `process` returns.
    fn sum_of_pieces<const N: usize>(
        &self,
        team: &Team,
        size: usize,
        process: impl Fn(Range<u32>) -> [u64; N] + Sync,
    ) -> [u64; N] {
        let sums = [const { AtomicU64::new(0) }; N];
        team.for_parts(self.0.len(), size, |_, part| {
            let values = process(part.start as u32..part.end as u32);
            for (sum, value) in sums.iter().zip(values) {
                sum.fetch_add(value, Relaxed);
            }
        });
        sums.map(AtomicU64::into_inner)
    }

    pub(super) fn into_labels(self) -> Vec<u32> {
        self.0.into_iter().map(AtomicU32::into_inner).collect()
    }
}
