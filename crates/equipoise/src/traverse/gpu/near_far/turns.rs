//! The two kernels of a search: turns by one cube, and a turn by all.

use cubecl::prelude::*;

use super::{
    super::{
        field::*,
        frontier::{MOST_TURNS, WIDE_UNITS, counts::*, parts::*, state::*, walk::*},
        metric::*,
    },
    control::*,
    piles::*,
};

/// Does turns as long as they are narrow.
#[cube(launch_unchecked)]
pub(super) fn narrow_turns<M: Metric>(
    rows: &Rows,
    piles: &mut Piles<M>,
    list: &mut Parts,
    words: &mut Array<u32>,
    found: &mut Array<Atomic<u32>>,
    steps: &Array<u32>,
    launch: u32,
    #[comptime] units: u32,
    #[comptime] halvings: u32,
) {
    let counts = Counts::new(true, halvings);
    let mut now = enter::<M>(words, launch, steps);
    let mut done = 0u32;
    while is_for_one(&now) && done < MOST_TURNS {
        let slot = done % SLOTS;
        counts.clear((done + 1) % SLOTS);
        if now[MODE] == SPLIT {
            split::<M>(rows, piles, list, &counts, found, slot, &now);
        } else {
            walk::<Piles<M>>(rows, piles, list, &counts, found, slot, &now, units);
        }
        sync_storage();
        let counted = counts.counted(slot);
        next_turn::<M>(&mut now, &counted, steps);
        now[NARROW_TURNS] += 1u32;
        done += 1;
    }
    if UNIT_POS == 0 {
        write_state(words, &now, launch);
    }
}

/// Does a turn, if there is one.
#[cube(launch_unchecked)]
pub(super) fn wide_turn<M: Metric>(
    rows: &Rows,
    piles: &mut Piles<M>,
    list: &mut Parts,
    words: &mut Array<u32>,
    found: &mut Array<Atomic<u32>>,
    steps: &Array<u32>,
    launch: u32,
    #[comptime] halvings: u32,
) {
    let counts = Counts::new(false, halvings);
    let mut now = enter::<M>(words, launch, steps);
    let slot = (launch + 1) % SLOTS;
    if now[MODE] != DONE {
        if now[MODE] == SPLIT {
            split::<M>(rows, piles, list, &counts, found, slot, &now);
        } else {
            walk::<Piles<M>>(rows, piles, list, &counts, found, slot, &now, WIDE_UNITS);
        }
        counts.share(found, slot);
        now[PENDING] = 1u32;
    }
    if ABSOLUTE_POS == 0 {
        write_state(words, &now, launch);
    }
}
