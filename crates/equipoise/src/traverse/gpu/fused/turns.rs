//! The two kernels of a search: levels by one cube, and a level by all.

use cubecl::prelude::*;

use super::{
    super::{
        field::*,
        frontier::{MOST_TURNS, WIDE_UNITS, counts::*, parts::*, state::*, walk::*},
    },
    control::*,
    levels::*,
    pull::*,
};

/// Does levels as long as they are narrow.
#[cube(launch_unchecked)]
pub(super) fn narrow_levels(
    rows: &Rows,
    levels: &mut Levels,
    list: &mut Parts,
    words: &mut Array<u32>,
    found: &mut Array<Atomic<u32>>,
    limits: &Limits,
    launch: u32,
    #[comptime] units: u32,
    #[comptime] halvings: u32,
    #[comptime] learned: bool,
) {
    let counts = Counts::new(true, halvings);
    let mut now = enter(words, limits, launch, learned);
    let mut done = 0u32;
    while now[MODE] == WORK && is_narrow(&now) && done < MOST_TURNS {
        let slot = done % SLOTS;
        counts.clear((done + 1) % SLOTS);
        walk::<Levels>(rows, levels, list, &counts, found, slot, &now, units);
        sync_storage();
        let counted = counts.counted(slot);
        next_level(words, &mut now, &counted, limits, 0u32, learned);
        now[NARROW_TURNS] += 1u32;
        done += 1;
    }
    if UNIT_POS == 0 {
        write_state(words, &now, launch);
    }
}

/// Does a level, if there is one.
#[cube(launch_unchecked)]
pub(super) fn wide_level(
    rows: &Rows,
    entering: &Rows,
    levels: &mut Levels,
    bitmaps: &mut Array<u32>,
    list: &mut Parts,
    words: &mut Array<u32>,
    found: &mut Array<Atomic<u32>>,
    limits: &Limits,
    launch: u32,
    #[comptime] halvings: u32,
    #[comptime] learned: bool,
) {
    let counts = Counts::new(false, halvings);
    let mut now = enter(words, limits, launch, learned);
    let slot = (launch + 1) % SLOTS;
    if now[MODE] != DONE {
        if now[MODE] == PULL {
            let vertices = limits.vertices;
            pull(rows, entering, levels, bitmaps, list, &counts, found, slot, &now, vertices);
        } else {
            walk::<Levels>(rows, levels, list, &counts, found, slot, &now, WIDE_UNITS);
        }
        counts.share(found, slot);
        now[PENDING] = 1u32;
    }
    if ABSOLUTE_POS == 0 {
        write_state(words, &now, launch);
    }
}
