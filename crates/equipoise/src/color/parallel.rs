//! The parallel strategies that color each vertex once, with different orders of neighbours.

use equipoise_graph::Csr;

use super::{
    ColorDegrees, ColorOptions, Colored,
    order::Random,
    rounds::{ColorRule, Rounds},
};

/// The vertices per thread that `ColorSwitch::BelowDevice` compares with.
const VERTICES_PER_THREAD: u64 = 256;

/// Jones and Plassmann: of two neighbours, the one with the larger random number is first.
pub(super) fn jones_plassmann(neighbors: &Csr, seed: u64) -> Colored {
    let mut rounds = Rounds::new(neighbors, ColorRule::OfRound);
    by_random_numbers(&mut rounds, seed);
    rounds.finish()
}

/// Of two neighbours, the one with the larger degree is first; of equal degrees, the one with the larger random number.
pub(super) fn largest_degree_first(neighbors: &Csr, seed: u64) -> Colored {
    let random = Random::new(seed, 0);
    let key = |vertex| (neighbors.row_len(vertex), random.number(vertex));
    let mut rounds = Rounds::new(neighbors, ColorRule::FirstFit);
    rounds.order(|other, vertex| key(other) > key(vertex));
    rounds.run("degree");
    rounds.finish()
}

/// Che et al.: first the vertices of larger degree than all uncolored neighbours, which removes vertices of high degree
/// early; after the switch, by random numbers.
pub(super) fn hybrid(neighbors: &Csr, options: &ColorOptions) -> Colored {
    let units = rayon::current_num_threads() as u64 * VERTICES_PER_THREAD;
    let degrees = ColorDegrees::new(neighbors);
    let mut rounds = Rounds::new(neighbors, ColorRule::OfRound);
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
    rounds.order(|other, vertex| random.number(other) > random.number(vertex));
    rounds.run("random");
}
