//! Coloring once more, color by color in another order: Culberson's iterated greedy.
//!
//! Vertices of one color are no neighbours, so that all of them can take the first color that fits
//! at the same time. Those of the first color in the order all take color 0, those of the second
//! one of 0 and 1, and so on: there are never more colors than before, and sometimes fewer.

use equipoise_graph::{Csr, Palette};
use rayon::prelude::*;

use super::{ColorOptions, Colored, count, order::Random};
use crate::{NONE, Step, times::Clock};

/// Up to so many colors it is done without being asked: two that can be saved are a tenth of them.
const FEW: u32 = 20;
/// How often.
const OFTEN: u32 = 4;
/// How often to color once more, where there are so many colors.
pub(super) fn wanted(options: &ColorOptions, colors: u32) -> u32 {
    match options.passes {
        Some(passes) => passes,
        None if colors <= FEW => OFTEN,
        None => 0,
    }
}

/// The order of so many colors in a pass: backwards and at random in turns, as neither alone brings
/// all kinds of graphs as far in as few passes.
pub(super) fn order(options: &ColorOptions, pass: u32, colors: u32) -> Vec<u32> {
    let mut order: Vec<u32> = (0..colors).rev().collect();
    if pass % 2 == 1 {
        let random = Random::new(options.seed, pass);
        order.sort_by_key(|&color| random.of(color));
    }
    order
}

/// Colors once more, as often as wanted.
pub(super) fn improve(neighbors: &Csr, options: &ColorOptions, colored: &mut Colored) {
    let mut clock = Clock::start();
    for pass in 0..wanted(options, colored.count()) {
        let before = std::mem::take(&mut colored.colors);
        let mut after = vec![NONE; before.len()];
        for (place, color) in order(options, pass, count(&before)).into_iter().enumerate() {
            let class: Vec<u32> = (0..neighbors.rows())
                .into_par_iter()
                .filter(|&vertex| before[vertex as usize] == color)
                .collect();
            let fitting: Vec<u32> = class
                .par_iter()
                .map_init(Palette::default, |palette, &vertex| {
                    palette.reset(place);
                    let near = neighbors.row(vertex).iter().map(|&other| after[other as usize]);
                    near.filter(|&near| near != NONE).for_each(|near| palette.take(near));
                    palette.first_free()
                })
                .collect();
            for (&vertex, &color) in class.iter().zip(&fitting) {
                after[vertex as usize] = color;
            }
        }
        colored.colors = after;
        colored.trace.steps.push(Step {
            frontier: neighbors.rows().into(),
            edges: neighbors.entries(),
            found: 0,
            time: clock.lap(),
            ..Step::new(colored.trace.steps.len() as u32, "again")
        });
    }
}
