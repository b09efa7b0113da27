//! Labels with distances of 32 bits.

use std::{
    marker::PhantomData,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use super::{
    distance::{Distance, Labels},
    network::{CHUNK, EdgeWeights, Network},
};
use crate::{
    Distances, NONE,
    prefetch::prefetch,
    team::{Team, collect, collect_pair},
};

/// Distances of 32 bits: distance and predecessor share a word and change together.
///
/// That makes the predecessors a tree even where weights are zero. Let `u` be the predecessor of `v`. Either the distance
/// of `u` was final before that of `v` was set; or it improved afterwards without improving `v`, which rounding allows, and
/// then it is now smaller than that of `v`. So in a cycle, whose distances would all be equal, each distance would be final
/// before the next one.
pub(super) struct Packed<D> {
    cells: Vec<AtomicU64>,
    distance: PhantomData<D>,
}

/// A word with the key of a distance in its high half, and a predecessor in its low half.
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
                Err(current) => old = current,
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

impl Distance for u32 {
    type Weight = u32;
    type Key = u32;
    type Labels = Packed<u32>;

    const ZERO: u32 = 0;
    const UNREACHED: u32 = u32::MAX;

    #[inline]
    fn plus(self, weight: u32) -> u32 {
        self.saturating_add(weight)
    }

    fn key(self) -> u32 {
        self
    }

    #[inline]
    fn from_key(key: u32) -> u32 {
        key
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self.into()
    }

    fn wrap(distances: Vec<u32>) -> Distances {
        Distances::U32(distances)
    }
}

impl Distance for f32 {
    type Weight = f32;
    type Key = u32;
    type Labels = Packed<f32>;

    const ZERO: f32 = 0.0;
    const UNREACHED: f32 = f32::INFINITY;

    #[inline]
    fn plus(self, weight: f32) -> f32 {
        self + weight
    }

    /// The bits of non-negative numbers have the order of the numbers.
    fn key(self) -> u32 {
        self.to_bits()
    }

    #[inline]
    fn from_key(key: u32) -> f32 {
        f32::from_bits(key)
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self.into()
    }

    fn wrap(distances: Vec<f32>) -> Distances {
        Distances::F32(distances)
    }
}
