//! Labels with distances of 64 bits.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{
    distance::Distance,
    labels::{CHUNK, Labels},
    network::{EdgeWeights, Network},
};
use crate::{
    NONE,
    prefetch::prefetch,
    team::{Team, collect},
};

/// Distances of 64 bits, which leave no room for a predecessor: the tree is found at the end.
pub(super) struct Wide {
    cells: Vec<AtomicU64>,
}

impl Labels<u64> for Wide {
    fn new(team: &Team, vertices: u32) -> Self {
        Self { cells: collect(team, vertices as usize, |_| AtomicU64::new(u64::UNREACHED)) }
    }

    fn clear(&mut self, team: &Team) {
        team.for_parts(self.cells.len(), CHUNK, |_, part| {
            self.cells[part].iter().for_each(|cell| cell.store(u64::UNREACHED, Relaxed));
        });
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
        team: &Team,
        network: Network<W>,
        source: u32,
        limit: u64,
    ) -> (Vec<u64>, Vec<u32>) {
        let distances =
            collect(team, self.cells.len(), |vertex| match self.cells[vertex].load(Relaxed) {
                distance if distance <= limit => distance,
                _ => u64::UNREACHED,
            });
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
