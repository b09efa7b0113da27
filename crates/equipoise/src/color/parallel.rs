//! The parallel strategies: which of two neighbours is colored first.

use equipoise_graph::Csr;

use super::{ColorOptions, rounds::Rounds};
use crate::Trace;

/// Jones and Plassmann: the neighbour with the larger random number goes first.
pub(super) fn jones_plassmann(neighbors: &Csr, seed: u64) -> (Vec<u32>, Trace) {
    let mut rounds = Rounds::new(neighbors);
    rounds.order(|other, vertex| random(seed, other) > random(seed, vertex));
    rounds.run("random");
    rounds.finish()
}

/// The neighbour with more neighbours goes first, and among equals the one with the larger random
/// number.
pub(super) fn largest_degree_first(neighbors: &Csr, seed: u64) -> (Vec<u32>, Trace) {
    let key = |vertex| (neighbors.row_len(vertex), random(seed, vertex));
    let mut rounds = Rounds::new(neighbors);
    rounds.order(|other, vertex| key(other) > key(vertex));
    rounds.run("degree");
    rounds.finish()
}

/// Che et al.: first only vertices with more neighbours than each uncolored neighbour has, which
/// rids later rounds of the giants; then, from the switch on, by random numbers.
pub(super) fn hybrid(neighbors: &Csr, options: &ColorOptions) -> (Vec<u32>, Trace) {
    let mut rounds = Rounds::new(neighbors);
    rounds.order(|other, vertex| neighbors.row_len(other) >= neighbors.row_len(vertex));
    while rounds.ready() > 0 && !switches(options, rounds.ready() as u64, rounds.count()) {
        rounds.round("degree");
    }
    rounds.order(|other, vertex| random(options.seed, other) > random(options.seed, vertex));
    rounds.run("random");
    rounds.finish()
}

fn switches(options: &ColorOptions, ready: u64, rounds: usize) -> bool {
    let enough = options.switch_after.is_some_and(|limit| rounds >= limit as usize);
    enough || ready < options.switch_below
}

/// A number that looks random and that no other vertex has for the same seed: the output function
/// of SplitMix64, which maps different states to different numbers.
fn random(seed: u64, vertex: u32) -> u64 {
    let mut x = seed.wrapping_add((u64::from(vertex) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
