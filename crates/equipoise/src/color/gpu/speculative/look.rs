//! The next state of a vertex, from the states of its neighbours.

use cubecl::prelude::*;
use equipoise_schedule::{engine::*, input::Input, ranges::*};

use crate::{NONE, random::random_of};

/// The window of colors of a cube, in words of 32 colors.
const WINDOW: u32 = 16;

/// First fit. The state of a vertex is twice the color that it has picked, plus 1 if it is settled; `NONE` before it picks.
#[derive(CubeType, CubeLaunch)]
pub(super) struct FirstFit {
    /// The neighbours of the same or a higher class.
    pub offsets: Input<u32>,
    pub ends: Input<u32>,
    pub targets: Input<u32>,
    /// The states after the previous iteration.
    pub before: Input<u32>,
    /// The states after this iteration.
    pub after: Array<u32>,
    /// The iteration that has settled each vertex.
    pub settled_by: Array<u32>,
    /// The multiplier of the random numbers.
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
    /// The color of a neighbour with priority, or `NONE`.
    fn taken_by(&self, other: u32, own_number: u32) -> u32 {
        let pick = self.before[other as usize];
        let mut color = NONE.runtime();
        let goes_before = pick % 2 == 1 || random_of(self.multiplier, other) > own_number;
        if pick != NONE && goes_before {
            color = pick / 2;
        }
        color
    }

    /// Stores the next state: settled with the picked color or, after a conflict, with a new pick.
    fn record(&mut self, vertex: u32, before: u32, free: u32, conflict: bool, iteration: u32) {
        let mut pick = before + 1;
        if conflict {
            pick = 2 * free;
        } else {
            self.settled_by[vertex as usize] = iteration;
        }
        self.after[vertex as usize] = pick;
    }

    /// Runs with a unit or a plane, with windows of 64 colors in two words per unit.
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

    /// Runs with a cube, with the window in shared memory.
    fn look_by_cube(&mut self, vertex: u32, iteration: u32) -> bool {
        let taken = SharedMemory::<Atomic<u32>>::new(comptime!(WINDOW as usize));
        // The first free color, and whether the vertex conflicts.
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
        // Usually a single iteration, because the window rarely has too few colors.
        while free == NONE {
            if UNIT_POS < WINDOW {
                taken[UNIT_POS as usize].store(0u32);
            }
            sync_cube();
            for edge in cube_stride_range(self.offsets[vertex as usize], self.ends[vertex as usize])
            {
                let color = self.taken_by(self.targets[edge as usize], number);
                // The difference of a color before the window wraps around to a large number.
                let bit = color - start;
                if bit < comptime!(32 * WINDOW) {
                    taken[(bit / 32) as usize].fetch_or(1u32 << (bit % 32));
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

/// The bitwise or over the units of a plane.
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

/// The bit of a color in a word of 32, or 0 if the color is outside.
#[cube]
fn bit_of(color: u32) -> u32 {
    let mut bit = 0u32;
    if color < 32 {
        bit = 1u32 << color;
    }
    bit
}

/// The first free color of 64, or 64.
#[cube]
fn first_free(low: u32, high: u32) -> u32 {
    let mut free = (!low).trailing_zeros();
    if low == u32::MAX {
        free = 32 + (!high).trailing_zeros();
    }
    free
}
