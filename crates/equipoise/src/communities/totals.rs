//! Sums over the members of communities, while vertices move.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use equipoise_graph::parallel::*;

use super::{
    masses::{CommunityMasses, Mass},
    objective::Gains,
    tally::Tally,
    undirected::UndirectedGraph,
};

/// Labels that a thread adds up at once.
const LABELS_AT_ONCE: usize = 1 << 12;

/// Sums by label, to which threads add in any order: each value is a multiple of a unit, so that sums are exact.
pub(super) struct ExactSums {
    unit: f64,
    /// In units, modulo 2^64.
    sums: Vec<AtomicU64>,
}

impl ExactSums {
    /// The sums of values by labels, which are smaller than their count. The unit is a power of two.
    pub fn new(labels: &[u32], values: &[f64], unit: f64) -> Self {
        let new = Self { unit, sums: labels.par_iter().map(|_| AtomicU64::new(0)).collect() };
        let labels = labels.par_chunks(LABELS_AT_ONCE);
        labels.zip(values.par_chunks(LABELS_AT_ONCE)).for_each(|(labels, values)| {
            // One addition per label and part: few labels would be contended.
            let mut tally = Tally::default();
            tally.clear(labels.len());
            tally.add_all(labels.iter().copied().zip(values.iter().copied()));
            tally.sums().for_each(|(label, sum)| new.add(label, sum));
        });
        new
    }

    #[inline]
    pub fn get(&self, label: u32) -> f64 {
        self.sums[label as usize].load(Relaxed) as i64 as f64 * self.unit
    }

    /// Adds a value, rounded to units.
    #[inline]
    pub fn add(&self, label: u32, value: f64) {
        let units = (value / self.unit).round() as i64;
        self.sums[label as usize].fetch_add(units as u64, Relaxed);
    }

    /// All sums.
    pub fn to_vec(&self) -> Vec<f64> {
        (0..self.sums.len() as u32).into_par_iter().map(|label| self.get(label)).collect()
    }
}

/// The masses of the communities of a level, and their sizes if these are limited.
pub(super) struct Totals {
    pub masses: CommunityMasses,
    limit: Option<Limit>,
}

/// The numbers of vertices of the input in communities.
struct Limit {
    sizes: Vec<AtomicU32>,
    most: u32,
}

impl Totals {
    /// The sums of communities that are labelled with vertices. Of the size `most`, 0 stands for any.
    pub fn new(graph: &UndirectedGraph, gains: &Gains, communities: &[u32], most: u32) -> Self {
        let limit = || {
            let sizes = graph.sizes_of(communities).into_par_iter().map(AtomicU32::new).collect();
            Limit { sizes, most }
        };
        Self { masses: gains.masses.sums(communities), limit: (most != 0).then(limit) }
    }

    /// Whether a move can take the room of another one, so that their order matters.
    pub fn are_limited(&self) -> bool {
        self.limit.is_some()
    }

    /// Whether a community has room for a vertex of this size.
    #[inline]
    pub fn has_room(&self, community: u32, size: u32) -> bool {
        self.limit.as_ref().is_none_or(|limit| {
            size <= limit.most.saturating_sub(limit.sizes[community as usize].load(Relaxed))
        })
    }

    /// Moves a vertex to another community.
    #[inline]
    pub fn move_vertex(&self, mass: Mass, size: u32, from: u32, to: u32) {
        self.masses.add(to, mass);
        self.masses.add(from, -mass);
        if let Some(limit) = &self.limit {
            limit.sizes[to as usize].fetch_add(size, Relaxed);
            limit.sizes[from as usize].fetch_sub(size, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact_in_any_order() {
        let values: Vec<f64> = (0..10_000).map(|n| f64::from(n % 97) / 64.0).collect();
        let labels: Vec<u32> = (0..10_000).map(|n| n % 3).collect();
        let sums = ExactSums::new(&labels, &values, 1.0 / 64.0);
        let of = |label: usize| values.iter().skip(label).step_by(3).sum::<f64>();
        assert_eq!(sums.to_vec()[..4], [of(0), of(1), of(2), 0.0]);
        sums.add(3, 0.5);
        sums.add(3, -1.25);
        assert_eq!(sums.get(3), -0.75);
    }
}
