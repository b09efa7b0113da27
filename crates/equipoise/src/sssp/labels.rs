//! Labels with the distance of each vertex, and its predecessor where words have room.

use std::{
    marker::PhantomData,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use super::{
    distance::Distance,
    network::{CHUNK, EdgeWeights, Network},
    tight_edges::tree_of_tight_edges,
};
use crate::{
    NONE,
    prefetch::prefetch,
    team::{Team, collect, collect_pair},
};

/// Distances and predecessors that several threads improve.
///
/// A label only ever improves, and the thread that improves it examines the vertex' edges later. Relaxed ordering
/// suffices: a thread that reads an old distance does useless work, which the thread that wrote the new one repeats.
///
/// A distance of 32 bits shares a word with the predecessor, and both change together. That makes the predecessors a tree
/// even where weights are zero. Let `u` be the predecessor of `v`. Either the distance of `u` was final before that of `v`
/// was set; or it improved afterwards without improving `v`, which rounding allows, and then it is now smaller than that of
/// `v`. So in a cycle, whose distances would all be equal, each distance would be final before the next one. Distances of
/// 64 bits leave no room for a predecessor: the tree is built at the end.
pub(super) struct Labels<D> {
    words: Vec<AtomicU64>,
    distance: PhantomData<D>,
}

impl<D: Distance> Labels<D> {
    /// Labels of `vertices` unreached vertices.
    pub fn new(team: &Team, vertices: u32) -> Self {
        let unreached = D::UNREACHED.to_word(NONE);
        let words = collect(team, vertices as usize, |_| AtomicU64::new(unreached));
        Self { words, distance: PhantomData }
    }

    /// Makes all vertices unreached.
    pub fn clear(&mut self, team: &Team) {
        let unreached = D::UNREACHED.to_word(NONE);
        team.for_parts(self.words.len(), CHUNK, |_, part| {
            self.words[part].iter().for_each(|word| word.store(unreached, Relaxed));
        });
    }

    #[inline]
    pub fn distance(&self, vertex: u32) -> D {
        D::from_word(self.words[vertex as usize].load(Relaxed))
    }

    /// Prefetches the label of `vertex`.
    #[inline]
    pub fn prefetch(&self, vertex: u32) {
        prefetch(&self.words, vertex as usize);
    }

    /// Sets the label if `distance` is smaller. Returns whether it was.
    #[inline]
    pub fn improve(&self, vertex: u32, distance: D, predecessor: u32) -> bool {
        let (word, new) = (&self.words[vertex as usize], distance.to_word(predecessor));
        let mut old = word.load(Relaxed);
        while distance.key() < D::from_word(old).key() {
            match word.compare_exchange_weak(old, new, Relaxed, Relaxed) {
                Ok(_) => return true,
                Err(current) => old = current,
            }
        }
        false
    }

    /// [`Self::improve`] where no other thread is at work.
    #[inline]
    pub fn improve_alone(&self, vertex: u32, distance: D, predecessor: u32) -> bool {
        let better = distance.key() < self.distance(vertex).key();
        if better {
            self.words[vertex as usize].store(distance.to_word(predecessor), Relaxed);
        }
        better
    }

    /// The distances up to `limit`, and a tree of shortest paths from `source`, once those distances are final.
    pub fn finish<W: EdgeWeights<Weight = D::Weight>>(
        &self,
        team: &Team,
        network: Network<W>,
        source: u32,
        limit: D,
    ) -> (Vec<D>, Vec<u32>) {
        let label = |vertex: usize| {
            let word = self.words[vertex].load(Relaxed);
            match D::from_word(word) {
                distance if distance <= limit => (distance, word as u32),
                _ => (D::UNREACHED, NONE),
            }
        };
        if D::IS_PACKED {
            return collect_pair(team, self.words.len(), label);
        }
        let distances = collect(team, self.words.len(), |vertex| label(vertex).0);
        let predecessors = tree_of_tight_edges(team, network, source, &distances);
        (distances, predecessors)
    }
}
