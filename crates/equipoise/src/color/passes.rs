//! Recoloring, color by color in another order: Culberson's iterated greedy.
//!
//! The vertices of a color are independent, so all of them can take their first free color at the same time. Those of the
//! first color in the order take color 0, those of the second one 0 or 1, and so on: the number of colors never rises, and
//! sometimes falls.

use equipoise_graph::{Csr, Palette, parallel::*};

use super::{ColorOptions, Colored, end_of_colors, order::Random};
use crate::{NONE, Step, times::Clock};

/// The most colors for which passes are the default: saving two colors saves a tenth.
const FEW: u32 = 20;
/// The default number of passes for few colors.
const DEFAULT_PASSES: u32 = 4;

/// The number of passes.
pub(super) fn count(options: &ColorOptions, colors: u32) -> u32 {
    options.passes.unwrap_or(if colors <= FEW { DEFAULT_PASSES } else { 0 })
}

/// The order of colors in a pass: alternately reversed and random, because neither alone works for all kinds of graphs.
pub(super) fn order(options: &ColorOptions, pass: u32, colors: u32) -> Vec<u32> {
    let mut order: Vec<u32> = (0..colors).rev().collect();
    if pass % 2 == 1 {
        let random = Random::new(options.seed, pass);
        order.sort_by_key(|&color| random.number(color));
    }
    order
}

/// Runs all passes.
pub(super) fn improve(neighbors: &Csr, options: &ColorOptions, colored: &mut Colored) {
    let mut clock = Clock::start();
    for pass in 0..count(options, end_of_colors(&colored.colors)) {
        let before = std::mem::take(&mut colored.colors);
        let mut after = vec![NONE; before.len()];
        let order = order(options, pass, end_of_colors(&before));
        for (index, color) in order.into_iter().enumerate() {
            let class: Vec<u32> = (0..neighbors.rows())
                .into_par_iter()
                .filter(|&vertex| before[vertex as usize] == color)
                .collect();
            let new_colors: Vec<u32> = class
                .par_iter()
                .map_init(Palette::default, |palette, &vertex| {
                    palette.reset(index);
                    let near = neighbors.row(vertex).iter().map(|&other| after[other as usize]);
                    near.filter(|&near| near != NONE).for_each(|near| palette.take(near));
                    palette.first_free()
                })
                .collect();
            for (&vertex, &color) in class.iter().zip(&new_colors) {
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
