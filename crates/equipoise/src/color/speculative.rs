//! Speculative first fit with conflict repair: the scheme of Gebremedhin and Manne.
//!
//! Vertices are colored by classes of descending degree, the order in which sequential first fit needs few colors, too. In
//! an iteration, each unsettled vertex of the class reads its neighbours that have priority: those that are settled, and
//! those with a larger random number. If none of them has the color that the vertex has picked, the vertex is settled.
//! Otherwise it picks the smallest color that none of them has.
//!
//! All vertices read the state at the start of the iteration, so the result does not depend on the threads. The usual
//! variant, with immediate updates, has fewer iterations but more colors: 17 instead of 15 on a random graph with 32 edges
//! per vertex.

use equipoise_graph::{Csr, Palette, parallel::*};

use super::{
    ColorOptions, Colored,
    order::{Random, class_of},
    passes,
};
use crate::{NONE, Step, times::Clock};

/// The state of a vertex.
#[derive(Clone, Copy, PartialEq)]
struct Pick {
    color: u32,
    settled: bool,
}

/// Colors all vertices. Every two iterations settle at least the vertex with the largest number, so it takes at most two
/// iterations per vertex, and one per class.
pub(super) fn speculative(neighbors: &Csr, options: &ColorOptions) -> Colored {
    let vertices = neighbors.rows();
    let random = Random::new(options.seed, 0);
    let class = |vertex: u32| class_of(neighbors.row_len(vertex));
    let mut picks = vec![Pick { color: NONE, settled: false }; vertices as usize];
    let mut colored = Colored::none(vertices);
    let mut clock = Clock::start();
    for this in (0..u32::BITS).rev() {
        let mut left: Vec<u32> =
            (0..vertices).into_par_iter().filter(|&vertex| class(vertex) == this).collect();
        while !left.is_empty() {
            let iteration = colored.trace.steps.len() as u32;
            let next: Vec<Pick> = left
                .par_iter()
                .map_init(Palette::default, |palette, &vertex| {
                    let row = neighbors.row(vertex).iter();
                    let near = row.filter(|&&other| class(other) >= this);
                    next_pick(palette, &picks, random, vertex, near.copied())
                })
                .collect();
            let edges = left.par_iter().map(|&vertex| neighbors.row_len(vertex) as u64).sum();
            for (&vertex, &pick) in left.iter().zip(&next) {
                picks[vertex as usize] = pick;
                if pick.settled {
                    colored.set(vertex, pick.color, iteration);
                }
            }
            let before = left.len();
            left.retain(|&vertex| !picks[vertex as usize].settled);
            colored.trace.steps.push(Step {
                frontier: before as u64,
                edges,
                found: (before - left.len()) as u64,
                time: clock.lap(),
                ..Step::new(iteration, "first-fit")
            });
        }
    }
    passes::improve(neighbors, options, &mut colored);
    colored
}

/// The next state of a vertex. `near` are its neighbours of the same or a higher class.
fn next_pick(
    palette: &mut Palette,
    picks: &[Pick],
    random: Random,
    vertex: u32,
    near: impl Iterator<Item = u32> + Clone,
) -> Pick {
    let own = picks[vertex as usize];
    palette.reset(near.clone().count());
    let mut conflict = own.color == NONE;
    for other in near {
        let pick = picks[other as usize];
        if pick.color != NONE && (pick.settled || random.number(other) > random.number(vertex)) {
            palette.take(pick.color);
            conflict |= pick.color == own.color;
        }
    }
    let color = if conflict { palette.first_free() } else { own.color };
    Pick { color, settled: !conflict }
}
