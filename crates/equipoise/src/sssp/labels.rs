//! The best distance to each vertex found so far, and the vertex it came from.

use std::{
    marker::PhantomData,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use super::{
    distance::Distance,
    network::{EdgeWeights, Network},
};
use crate::{
    NONE,
    prefetch::prefetch,
    team::{Team, collect, collect_pair},
};

/// Distances and predecessors that several threads improve.
///
/// A vertex only ever improves, and whoever improves it looks at its edges later. No ordering is
/// needed beyond each word's own: a thread that reads an old distance does work in vain, and the
/// one that wrote the new distance repeats it.
pub(super) trait Labels<D: Distance>: Sync {
    /// Labels of `vertices` vertices, none of them reached.
    fn new(team: &Team, vertices: u32) -> Self;

    /// Makes all vertices not reached again.
    fn clear(&mut self, team: &Team);

    fn distance(&self, vertex: u32) -> D;

    /// Asks for the memory of the label of `vertex`.
    fn prefetch(&self, vertex: u32);

    /// Sets the label if `distance` is better; says whether it was.
    fn improve(&self, vertex: u32, distance: D, predecessor: u32) -> bool;

    /// The same where no other thread is at work.
    fn improve_alone(&self, vertex: u32, distance: D, predecessor: u32) -> bool;

    /// The distances up to `limit`, and a tree of shortest paths from `source`, once all those
    /// distances are final.
    fn finish<W: EdgeWeights<Weight = D::Weight>>(
        &self,
        team: &Team,
        network: Network<W>,
        source: u32,
        limit: D,
    ) -> (Vec<D>, Vec<u32>);
}

/// Vertices that a thread takes at a time.
pub(super) const CHUNK: usize = 1 << 13;

/// Distances of 32 bits: distance and predecessor share a word and change together.
///
/// That makes the predecessors a tree even where weights are zero. Say `u` is the predecessor of
/// `v`. Either the distance of `u` was final before that of `v` was set; or it improved
/// afterwards without improving `v`, which rounding allows, and then it is now smaller than
/// that of `v`. So a cycle, whose distances would all be equal, would have to be older than itself.
pub(super) struct Packed<D> {
    cells: Vec<AtomicU64>,
    distance: PhantomData<D>,
}

/// A distance in the high half of a word, by its key, and a predecessor in the low half.
#[inline]
fn pack(key: u32, predecessor: u32) -> u64 {
    u64::from(key) << 32 | u64::from(predecessor)
}

impl<D: Distance<Key = u32>> Labels<D> for Packed<D> {
    fn new(team: &Team, vertices: u32) -> Self {
        let unreached = pack(D::UNREACHED.key(), NONE);
        let cells = collect(team, vertices as usize, |_| AtomicU64::new(unreached));
        Self { cells, distance: PhantomData }
    }

    fn clear(&mut self, team: &Team) {
        let unreached = pack(D::UNREACHED.key(), NONE);
        team.for_parts(self.cells.len(), CHUNK, |_, part| {
            self.cells[part].iter().for_each(|cell| cell.store(unreached, Relaxed));
        });
    }

    #[inline]
    fn distance(&self, vertex: u32) -> D {
        D::from_key((self.cells[vertex as usize].load(Relaxed) >> 32) as u32)
    }

    #[inline]
    fn prefetch(&self, vertex: u32) {
        prefetch(&self.cells, vertex as usize);
    }

    #[inline]
    fn improve(&self, vertex: u32, distance: D, predecessor: u32) -> bool {
        let cell = &self.cells[vertex as usize];
        let mut old = cell.load(Relaxed);
        while distance.key() < (old >> 32) as u32 {
            let new = pack(distance.key(), predecessor);
            match cell.compare_exchange_weak(old, new, Relaxed, Relaxed) {
                Ok(_) => return true,
                Err(now) => old = now,
            }
        }
        false
    }

    #[inline]
    fn improve_alone(&self, vertex: u32, distance: D, predecessor: u32) -> bool {
        let cell = &self.cells[vertex as usize];
        let better = distance.key() < (cell.load(Relaxed) >> 32) as u32;
        if better {
            cell.store(pack(distance.key(), predecessor), Relaxed);
        }
        better
    }

    fn finish<W: EdgeWeights<Weight = D::Weight>>(
        &self,
        team: &Team,
        _: Network<W>,
        _: u32,
        limit: D,
    ) -> (Vec<D>, Vec<u32>) {
        collect_pair(team, self.cells.len(), |vertex| {
            let word = self.cells[vertex].load(Relaxed);
            match D::from_key((word >> 32) as u32) {
                distance if distance <= limit => (distance, word as u32),
                _ => (D::UNREACHED, NONE),
            }
        })
    }
}
