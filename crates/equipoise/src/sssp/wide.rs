//! Labels with distances of 64 bits.

use std::{
    marker::PhantomData,
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};

use super::{
    distance::{Distance, Labels},
    network::{CHUNK, EdgeWeights, Network},
};
use crate::{
    Distances, NONE,
    prefetch::prefetch,
    team::{Team, collect},
};

/// Vertices per task of a thread that examines their edges, which may be many.
const ROWS_AT_ONCE: usize = 1 << 10;

/// Distances of 64 bits, which leave no room for a predecessor: the tree is built at the end.
pub(super) struct Wide<D> {
    /// The keys of distances.
    cells: Vec<AtomicU64>,
    distance: PhantomData<D>,
}

impl<D: Distance<Key = u64>> Labels<D> for Wide<D> {
    fn new(team: &Team, vertices: u32) -> Self {
        let unreached = D::UNREACHED.key();
        let cells = collect(team, vertices as usize, |_| AtomicU64::new(unreached));
        Self { cells, distance: PhantomData }
    }

    fn clear(&mut self, team: &Team) {
        let unreached = D::UNREACHED.key();
        team.for_parts(self.cells.len(), CHUNK, |_, part| {
            self.cells[part].iter().for_each(|cell| cell.store(unreached, Relaxed));
        });
    }

    #[inline]
    fn distance(&self, vertex: u32) -> D {
        D::from_key(self.cells[vertex as usize].load(Relaxed))
    }

    #[inline]
    fn prefetch(&self, vertex: u32) {
        prefetch(&self.cells, vertex as usize);
    }

    #[inline]
    fn improve(&self, vertex: u32, distance: D, _: u32) -> bool {
        let (cell, key) = (&self.cells[vertex as usize], distance.key());
        key < cell.load(Relaxed) && key < cell.fetch_min(key, Relaxed)
    }

    #[inline]
    fn improve_alone(&self, vertex: u32, distance: D, predecessor: u32) -> bool {
        self.improve(vertex, distance, predecessor)
    }

    fn finish<W: EdgeWeights<Weight = D::Weight>>(
        &self,
        team: &Team,
        network: Network<W>,
        source: u32,
        limit: D,
    ) -> (Vec<D>, Vec<u32>) {
        let distances =
            collect(team, self.cells.len(), |vertex| match self.distance(vertex as u32) {
                distance if distance <= limit => distance,
                _ => D::UNREACHED,
            });
        let predecessors = tree_of_tight_edges(team, network, source, &distances);
        (distances, predecessors)
    }
}

impl Distance for u64 {
    type Weight = u32;
    type Key = u64;
    type Labels = Wide<u64>;

    const ZERO: u64 = 0;
    const UNREACHED: u64 = u64::MAX;

    #[inline]
    fn plus(self, weight: u32) -> u64 {
        self.saturating_add(weight.into())
    }

    fn key(self) -> u64 {
        self
    }

    #[inline]
    fn from_key(key: u64) -> u64 {
        key
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self as f64
    }

    fn wrap(distances: Vec<u64>) -> Distances {
        Distances::U64(distances)
    }
}

impl Distance for f64 {
    type Weight = f64;
    type Key = u64;
    type Labels = Wide<f64>;

    const ZERO: f64 = 0.0;
    const UNREACHED: f64 = f64::INFINITY;

    #[inline]
    fn plus(self, weight: f64) -> f64 {
        self + weight
    }

    /// The bits of non-negative numbers have the order of the numbers.
    fn key(self) -> u64 {
        self.to_bits()
    }

    #[inline]
    fn from_key(key: u64) -> f64 {
        f64::from_bits(key)
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self
    }

    fn wrap(distances: Vec<f64>) -> Distances {
        Distances::F64(distances)
    }
}

/// A tree of shortest paths, built of tight edges: those whose weight is the difference of the distances at their ends.
///
/// Tight edges along which the distance grows form no cycle, so that any of them is right: the one from the smallest vertex
/// is taken. Vertices that only edges of weight 0 reach get their predecessors in a search along such edges.
pub(super) fn tree_of_tight_edges<D: Distance, W: EdgeWeights<Weight = D::Weight>>(
    team: &Team,
    network: Network<W>,
    source: u32,
    distances: &[D],
) -> Vec<u32> {
    let predecessors = collect(team, distances.len(), |_| AtomicU32::new(NONE));
    predecessors[source as usize].store(source, Relaxed);
    team.for_parts(distances.len(), ROWS_AT_ONCE, |_, part| {
        for vertex in part.start as u32..part.end as u32 {
            let distance = distances[vertex as usize];
            if !distance.is_reached() {
                continue;
            }
            for (target, weight) in network.edges(vertex) {
                let target_distance = distances[target as usize];
                if distance.plus(weight) == target_distance && distance < target_distance {
                    predecessors[target as usize].fetch_min(vertex, Relaxed);
                }
            }
        }
    });
    let mut predecessors: Vec<u32> = predecessors.into_iter().map(AtomicU32::into_inner).collect();
    let is_missing = |(known, distance): (&u32, &D)| *known == NONE && distance.is_reached();
    if predecessors.iter().zip(distances).any(is_missing) {
        add_equal_predecessors(network, distances, &mut predecessors);
    }
    predecessors
}

/// Sets predecessors along tight edges between vertices of equal distance.
fn add_equal_predecessors<D: Distance, W: EdgeWeights<Weight = D::Weight>>(
    network: Network<W>,
    distances: &[D],
    predecessors: &mut [u32],
) {
    let known = (0..distances.len() as u32).filter(|&vertex| predecessors[vertex as usize] != NONE);
    let mut stack: Vec<u32> = known.collect();
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
}
