//! Wide turns: by all cubes.

use cubecl::prelude::*;
use equipoise_schedule::ranges::*;

use super::{
    super::{
        field::*,
        fused::{Limits, Lists, walking::*},
        metric::*,
    },
    control::*,
    piles::*,
};

#[cube]
impl<M: Metric> Visit for Piles<M> {
    fn leave(&mut self, vertex: u32) {
        self.note(vertex);
    }

    fn visit(
        &mut self,
        vertex: u32,
        edge: u32,
        target: u32,
        state: &Array<u32>,
        found: &mut Array<Atomic<u32>>,
    ) -> bool {
        self.reach(vertex, edge, target, state, found)
    }
}

/// Goes along the edges of the near vertices, if all cubes are to.
#[cube(launch_unchecked)]
pub(super) fn wide_turn<M: Metric>(
    rows: &Rows,
    piles: &mut Piles<M>,
    lists: &mut Lists,
    state: &Array<u32>,
    found: &mut Array<Atomic<u32>>,
    limits: &Limits,
) {
    if state[MODE] == WIDE {
        walk::<Piles<M>>(rows, piles, lists, state, found, limits);
    }
}

/// Splits the far pile, if all cubes are to.
#[cube(launch_unchecked)]
pub(super) fn wide_split<M: Metric>(
    rows: &Rows,
    piles: &mut Piles<M>,
    lists: &mut Lists,
    state: &Array<u32>,
    found: &mut Array<Atomic<u32>>,
    limits: &Limits,
) {
    if state[MODE] == WIDE_SPLIT {
        for index in grid_stride_range(0, state[SPLIT]) {
            let near = piles.sort_out(index, state, found);
            if near != u32::MAX {
                list(rows, lists, state, found, limits, near);
            }
        }
    }
}
