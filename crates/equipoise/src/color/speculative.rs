//! First fit for all at once, and conflicts mended: the scheme of Gebremedhin and Manne.
//!
//! Vertices are colored class by class, those with many neighbours first: sequential first fit
//! needs few colors in that order, too. In an iteration, each vertex of the class that is not
//! settled yet looks at its neighbours. If none of them is settled with the color that it had
//! picked, nor has picked that color and a larger random number, it is settled. Otherwise it picks
//! the smallest color that no settled neighbour has, nor a neighbour with a larger number has picked.
//!
//! All look at what was there at the start of the iteration, so that the result does not depend on
//! the threads. Where units see at once what others do, as usual, there are fewer iterations, but
//! more colors: 17 instead of 15 on a random graph with 32 edges a vertex.

use equipoise_graph::{Csr, Palette};
use rayon::prelude::*;

use super::{
    ColorOptions, Colored,
    order::{Random, class_of},
    passes,
};
use crate::{NONE, Step, times::Clock};

/// What is known of a vertex.
#[derive(Clone, Copy, PartialEq)]
struct Pick {
    color: u32,
    settled: bool,
}

/// Colors all vertices. Of those that are not settled, the one with the largest number is after two
/// more iterations, so that there are at most twice as many of them as vertices, and one a class.
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
                    look(palette, &picks, random, vertex, near.copied())
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

/// What a vertex does, by what its neighbours have done.
fn look(
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
        if pick.color != NONE && (pick.settled || random.of(other) > random.of(vertex)) {
            palette.take(pick.color);
            conflict |= pick.color == own.color;
        }
    }
    match conflict {
        true => Pick { color: palette.first_free(), settled: false },
        false => Pick { color: own.color, settled: true },
    }
}
