//! The types of distances, and labels that hold them.

use super::network::{EdgeWeights, Network};
use crate::{Distances, Trace, team::Team};

/// The length of a path, or the absence of a path.
pub(super) trait Distance: Copy + PartialOrd + Send + Sync + 'static {
    /// The weights that it sums.
    type Weight: Copy + Sync;
    /// A type with the same order, which is total.
    type Key: Ord + Copy;
    /// The labels of delta-stepping.
    type Labels: Labels<Self>;

    const ZERO: Self;
    /// No path; larger than any other distance.
    const UNREACHED: Self;

    /// The distance one edge further on, or [`Self::UNREACHED`] where this type overflows.
    fn plus(self, weight: Self::Weight) -> Self;
    fn key(self) -> Self::Key;
    fn from_key(key: Self::Key) -> Self;
    /// The nearest `f64`, which preserves order; different distances may become equal.
    fn to_f64(self) -> f64;
    fn wrap(distances: Vec<Self>) -> Distances;

    #[inline]
    fn is_reached(self) -> bool {
        self < Self::UNREACHED
    }
}

/// Distances and predecessors that several threads improve.
///
/// A label only ever improves, and the thread that improves it examines the vertex' edges later. Relaxed ordering
/// suffices: a thread that reads an old distance does useless work, which the thread that wrote the new one repeats.
pub(super) trait Labels<D: Distance>: Sync {
    /// Labels of `vertices` unreached vertices.
    fn new(team: &Team, vertices: u32) -> Self;

    /// Makes all vertices unreached.
    fn clear(&mut self, team: &Team);

    fn distance(&self, vertex: u32) -> D;

    /// Prefetches the label of `vertex`.
    fn prefetch(&self, vertex: u32);

    /// Sets the label if `distance` is smaller. Returns whether it was.
    fn improve(&self, vertex: u32, distance: D, predecessor: u32) -> bool;

    /// [`Self::improve`] where no other thread is at work.
    fn improve_alone(&self, vertex: u32, distance: D, predecessor: u32) -> bool;

    /// The distances up to `limit`, and a tree of shortest paths from `source`, once those distances are final.
    fn finish<W: EdgeWeights<Weight = D::Weight>>(
        &self,
        team: &Team,
        network: Network<W>,
        source: u32,
        limit: D,
    ) -> (Vec<D>, Vec<u32>);
}

/// The distances and predecessors that a search found.
pub(super) struct PathTree<D> {
    pub distances: Vec<D>,
    pub predecessors: Vec<u32>,
    pub trace: Trace,
    /// Whether the sum of some path, shortest or not, overflowed.
    pub overflowed: bool,
}
