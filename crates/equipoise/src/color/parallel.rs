//! The parallel strategies in which no vertex is colored twice: which of two neighbours goes first.

use equipoise_graph::Csr;

use super::{
    ColorDegrees, ColorOptions, Colored,
    order::Random,
    rounds::{Rounds, Take},
};

/// The vertices that a thread is given at a time, for the rule that compares with them.
const VERTICES_A_THREAD: u64 = 256;

/// Jones and Plassmann: the neighbour with the larger random number goes first.
pub(super) fn jones_plassmann(neighbors: &Csr, seed: u64) -> Colored {
    let mut rounds = Rounds::new(neighbors, Take::OfRound);
    by_random_numbers(&mut rounds, seed);
    rounds.finish()
}

/// The neighbour with more neighbours goes first, and among equals the one with the larger random
/// number.
pub(super) fn largest_degree_first(neighbors: &Csr, seed: u64) -> Colored {
    let random = Random::new(seed, 0);
    let key = |vertex| (neighbors.row_len(vertex), random.of(vertex));
    let mut rounds = Rounds::new(neighbors, Take::FirstFit);
    rounds.order(|other, vertex| key(other) > key(vertex));
    rounds.run("degree");
    rounds.finish()
}

/// Che et al.: first only vertices with more neighbours than each uncolored neighbour has, which
/// rids later rounds of the giants; then, from the switch on, by random numbers.
pub(super) fn hybrid(neighbors: &Csr, options: &ColorOptions) -> Colored {
    let units = rayon::current_num_threads() as u64 * VERTICES_A_THREAD;
    let degrees = ColorDegrees::of(neighbors);
    let mut rounds = Rounds::new(neighbors, Take::OfRound);
    if !options.switch.at_once(&rounds.progress(units, degrees)) {
        rounds.order(|other, vertex| neighbors.row_len(other) >= neighbors.row_len(vertex));
        while rounds.ready() > 0 {
            rounds.round("degree");
            if options.switch.switches(&rounds.progress(units, degrees)) {
                break;
            }
        }
    }
    by_random_numbers(&mut rounds, options.seed);
    rounds.finish()
}

fn by_random_numbers(rounds: &mut Rounds, seed: u64) {
    let random = Random::new(seed, 0);
    rounds.order(|other, vertex| random.of(other) > random.of(vertex));
    rounds.run("random");
}
