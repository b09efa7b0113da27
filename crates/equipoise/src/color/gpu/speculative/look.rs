//! What vertices do in an iteration, by what their neighbours have done.

use cubecl::prelude::*;
use equipoise_schedule::{engine::*, input::Input, ranges::*};

use super::super::numbers::*;
use crate::NONE;

/// The words of colors that a cube looks at together, 32 in each.
const WINDOW: u32 = 16;

/// First fit. What is known of a vertex is twice the color that it has picked, and one more if it is
/// settled; `NONE` if it has not picked yet.
#[derive(CubeType, CubeLaunch)]
pub(super) struct FirstFit {
    /// The neighbours that count.
    pub offsets: Input<u32>,
    pub ends: Input<u32>,
    pub targets: Input<u32>,
    /// What is known at the end of the iteration before.
    pub before: Input<u32>,
    /// At the end of this one.
    pub after: Array<u32>,
    /// The iteration that has settled each vertex.
    pub settled_by: Array<u32>,
    /// Of the random numbers.
    pub multiplier: u32,
}

#[cube]
impl SettleOp for FirstFit {
    fn look(&mut self, vertex: u32, iteration: u32, #[comptime] team: Team) -> bool {
        if comptime!(team == Team::Cube) {
            self.look_by_cube(vertex, iteration)
        } else {
            self.look_by_few(vertex, iteration, team)
        }
    }

    fn keep(&mut self, vertex: u32) {
        self.after[vertex as usize] = self.before[vertex as usize];
    }
}

#[cube]
impl FirstFit {
    /// What a neighbour says: nothing, or the color it has and goes before with.
    fn taken_by(&self, other: u32, own_number: u32) -> u32 {
        let pick = self.before[other as usize];
        let mut color = NONE.runtime();
        let goes_before = pick % 2 == 1 || random_of(self.multiplier, other) > own_number;
        if pick != NONE && goes_before {
            color = pick / 2;
        }
        color
    }

    /// Records what a vertex does: it is settled with the color it has picked, or picks one that is
    /// free.
    fn record(&mut self, vertex: u32, before: u32, free: u32, conflict: bool, iteration: u32) {
        let mut pick = before + 1;
        if conflict {
            pick = 2 * free;
        } else {
            self.settled_by[vertex as usize] = iteration;
        }
        self.after[vertex as usize] = pick;
    }

    /// By a unit or a plane, with 64 colors at a time in two words of each unit.
    fn look_by_few(&mut self, vertex: u32, iteration: u32, #[comptime] team: Team) -> bool {
        let before = self.before[vertex as usize];
        let own = before / 2;
        let number = random_of(self.multiplier, vertex);
        let begin = self.offsets[vertex as usize];
        let end = self.ends[vertex as usize];
        let mut conflict = before == NONE;
        let mut start = 0u32;
        let mut free = start;
        let mut is_full = true;
        while is_full {
            let mut low = 0u32;
            let mut high = 0u32;
            for edge in team_range(begin, end, team) {
                let color = self.taken_by(self.targets[edge as usize], number);
                low |= bit_of(color - start);
                high |= bit_of(color - start - 32);
                conflict = conflict || color == own;
            }
            if comptime!(team == Team::Plane) {
                low = or_of_plane(low);
                high = or_of_plane(high);
            }
            is_full = low == u32::MAX && high == u32::MAX;
            free = start + first_free(low, high);
            start += 64;
        }
        if comptime!(team == Team::Plane) {
            conflict = plane_any(conflict);
        }
        if leads_team(team) {
            self.record(vertex, before, free, conflict, iteration);
        }
        !conflict
    }

    /// By a cube, which shares what colors are taken.
    fn look_by_cube(&mut self, vertex: u32, iteration: u32) -> bool {
        let taken = SharedMemory::<Atomic<u32>>::new(comptime!(WINDOW as usize));
        // The first color that is free, and whether there is a conflict.
        let result = SharedMemory::<Atomic<u32>>::new(2usize);
        let before = self.before[vertex as usize];
        let number = random_of(self.multiplier, vertex);
        if UNIT_POS == 0 {
            result[0].store(NONE.runtime());
            result[1].store(u32::cast_from(before == NONE));
        }
        let mut free = NONE.runtime();
        let mut conflict = false;
        let mut start = 0u32;
        // Nearly always once: there are rarely more colors than a window has.
        while free == NONE {
            if UNIT_POS < WINDOW {
                taken[UNIT_POS as usize].store(0u32);
            }
            sync_cube();
            for edge in cube_stride_range(self.offsets[vertex as usize], self.ends[vertex as usize])
            {
                let color = self.taken_by(self.targets[edge as usize], number);
                // A color below the window is far beyond it, too.
                let place = color - start;
                if place < comptime!(32 * WINDOW) {
                    taken[(place / 32) as usize].fetch_or(1u32 << (place % 32));
                }
                if color == before / 2 {
                    result[1].store(1u32);
                }
            }
            sync_cube();
            if UNIT_POS < WINDOW {
                let word = taken[UNIT_POS as usize].load();
                if word != u32::MAX {
                    result[0].fetch_min(start + 32 * UNIT_POS + (!word).trailing_zeros());
                }
            }
            sync_cube();
            free = result[0].load();
            conflict = result[1].load() == 1;
            start += comptime!(32 * WINDOW);
            sync_cube();
        }
        if UNIT_POS == 0 {
            self.record(vertex, before, free, conflict, iteration);
        }
        !conflict
    }
}

/// The bits that any unit of a plane has.
#[cube]
fn or_of_plane(bits: u32) -> u32 {
    let mut all = bits;
    let mut distance = PLANE_DIM / 2;
    while distance > 0 {
        all |= plane_shuffle_xor(all, distance);
        distance /= 2;
    }
    all
}

/// The bit of a color in a word of 32; none for those beyond, which those below wrap around to.
#[cube]
fn bit_of(color: u32) -> u32 {
    let mut bit = 0u32;
    if color < 32 {
        bit = 1u32 << color;
    }
    bit
}

/// The first of 64 colors that is free; 64 where none is.
#[cube]
fn first_free(low: u32, high: u32) -> u32 {
    let mut free = (!low).trailing_zeros();
    if low == u32::MAX {
        free = 32 + (!high).trailing_zeros();
    }
    free
}
