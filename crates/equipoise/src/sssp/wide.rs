//! Labels with distances of 64 bits.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::{
    distance::Distance,
    labels::Labels,
    network::{EdgeWeights, Network},
};
use crate::{NONE, prefetch::prefetch};

/// Distances of 64 bits, which leave no room for a predecessor: the tree is found at the end.
pub(super) struct Wide {
    cells: Vec<AtomicU64>,
}

impl Labels<u64> for Wide {
    fn new(vertices: u32) -> Self {
        let unreached = || AtomicU64::new(u64::UNREACHED);
        Self { cells: std::iter::repeat_with(unreached).take(vertices as usize).collect() }
    }

    fn clear(&mut self) {
        self.cells.par_iter_mut().for_each(|cell| *cell.get_mut() = u64::UNREACHED);
    }

    #[inline]
    fn distance(&self, vertex: u32) -> u64 {
        self.cells[vertex as usize].load(Relaxed)
    }

    #[inline]
    fn prefetch(&self, vertex: u32) {
        prefetch(&self.cells, vertex as usize);
    }

    #[inline]
    fn improve(&self, vertex: u32, distance: u64, _: u32) -> bool {
        let cell = &self.cells[vertex as usize];
        distance < cell.load(Relaxed) && distance < cell.fetch_min(distance, Relaxed)
    }

    #[inline]
    fn improve_alone(&self, vertex: u32, distance: u64, predecessor: u32) -> bool {
        self.improve(vertex, distance, predecessor)
    }

    fn finish<W: EdgeWeights<Weight = u32>>(
        &self,
        network: Network<W>,
        source: u32,
        limit: u64,
    ) -> (Vec<u64>, Vec<u32>) {
        let within = |cell: &AtomicU64| match cell.load(Relaxed) {
            distance if distance <= limit => distance,
            _ => u64::UNREACHED,
        };
        let distances: Vec<u64> = self.cells.par_iter().map(within).collect();
        let predecessors = tree_of_tight_edges(network, source, &distances);
        (distances, predecessors)
    }
}

/// A tree of shortest paths, by a search from the source over the edges that are part of one:
/// those whose weight is the difference of the distances at their ends.
fn tree_of_tight_edges<D: Distance, W: EdgeWeights<Weight = D::Weight>>(
    network: Network<W>,
    source: u32,
    distances: &[D],
) -> Vec<u32> {
    let mut predecessors = vec![NONE; distances.len()];
    predecessors[source as usize] = source;
    let mut stack = vec![source];
    while let Some(vertex) = stack.pop() {
        let distance = distances[vertex as usize];
        for (target, weight) in network.edges(vertex) {
            let tight = distance.plus(weight) == distances[target as usize];
            if tight && predecessors[target as usize] == NONE {
                predecessors[target as usize] = vertex;
                stack.push(target);
            }
        }
    }
    predecessors
}
