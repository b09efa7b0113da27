//! A wide level from the frontier's side.

use cubecl::prelude::*;

use super::{super::field::*, control::*, walking::*};

#[cube]
impl Visit for Levels {
    fn leave(&mut self, _vertex: u32) {}

    fn visit(
        &mut self,
        _vertex: u32,
        _edge: u32,
        target: u32,
        state: &Array<u32>,
        _found: &mut Array<Atomic<u32>>,
    ) -> bool {
        self.claim(target, state[LEVEL] + 1)
    }
}

/// Does a level, if it is one to push.
#[cube(launch_unchecked)]
pub(super) fn push_level(
    rows: &Rows,
    levels: &mut Levels,
    lists: &mut Lists,
    state: &Array<u32>,
    found: &mut Array<Atomic<u32>>,
    limits: &Limits,
) {
    if state[MODE] == PUSH {
        walk::<Levels>(rows, levels, lists, state, found, limits);
    }
}
