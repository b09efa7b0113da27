//! Several independent sets per iteration, after Cohen and Castonguay.
//!
//! Each vertex has several random numbers. In an iteration, the vertices whose first number is larger than those of all
//! uncolored neighbours get one color, the vertices whose first number is smaller get another, and so on for the other
//! numbers: two colors per number.

use equipoise_graph::{Csr, parallel::*};

use super::{ColorOptions, Colored, order::Random};
use crate::{NONE, Step, times::Clock};

/// Colors all vertices with `hashes` numbers per vertex. Each iteration colors at least the vertex with the largest first
/// number, so iterations are at most as many as vertices.
pub(super) fn multi_hash(neighbors: &Csr, options: &ColorOptions, hashes: u32) -> Colored {
    let numbers: Vec<Random> =
        (0..hashes).map(|series| Random::new(options.seed, series)).collect();
    let vertices = neighbors.rows();
    let mut colored = Colored::none(vertices);
    let mut left: Vec<u32> = (0..vertices).collect();
    let mut clock = Clock::start();
    while !left.is_empty() {
        let iteration = colored.trace.steps.len() as u32;
        let sets: Vec<u32> =
            left.par_iter().map(|&vertex| sets_of(neighbors, &colored, &numbers, vertex)).collect();
        let edges = left.par_iter().map(|&vertex| neighbors.row_len(vertex) as u64).sum();
        for (&vertex, &sets) in left.iter().zip(&sets).filter(|(_, sets)| **sets != 0) {
            let color = iteration * 2 * hashes + sets.trailing_zeros();
            colored.set(vertex, color, iteration);
        }
        let before = left.len();
        left.retain(|&vertex| colored.colors[vertex as usize] == NONE);
        colored.trace.steps.push(Step {
            frontier: before as u64,
            edges,
            found: (before - left.len()) as u64,
            time: clock.lap(),
            ..Step::new(iteration, "random")
        });
    }
    colored
}

/// The independent sets that a vertex can join, as two bits per number: local maximum and local minimum.
fn sets_of(neighbors: &Csr, colored: &Colored, numbers: &[Random], vertex: u32) -> u32 {
    let all = u32::MAX >> (32 - 2 * numbers.len());
    let uncolored = |other: &&u32| colored.colors[**other as usize] == NONE;
    neighbors.row(vertex).iter().filter(uncolored).fold(all, |sets, &other| {
        let larger = (0..).zip(numbers).fold(0, |bits, (index, random)| {
            let is_larger = random.number(vertex) > random.number(other);
            bits | if is_larger { 1 } else { 2 } << (2 * index)
        });
        sets & larger
    })
}
