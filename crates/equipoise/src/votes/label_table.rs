//! Sums of weights by label in the shared memory of a cube, and the label that wins.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, ranges::*};

use super::slots::slot_of;
use crate::NONE;

/// Slots of a hub's table in shared memory that a label is looked for in, before it gets one in global memory.
const HUB_PROBES: u32 = 16;

/// The tables of a cube.
#[derive_cube_comptime]
pub(crate) struct TableShape {
    /// The units of a cube: a power of two.
    pub units: u32,
    /// The units that choose together for a vertex, which divide those of a cube.
    pub group: u32,
    /// The slots of each group's table: a power of two.
    pub slots: u32,
}

/// The tables of hubs in global memory, with two slots per edge. All slots are free before and after a launch.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Overflow {
    pub keys: AtomicArray,
    sums: AtomicArray,
}

#[cube]
impl Overflow {
    /// Adds a weight to the sum of a label, in the table of a vertex with the edges from `begin` to `end`.
    fn add(&mut self, label: u32, weight: u32, begin: u32, end: u32) {
        let slot = slot_of(&mut self.keys, 2 * begin, 2 * end, label);
        self.sums.fetch_add(slot, weight);
    }

    /// The slots of such a table that are the calling unit's.
    pub fn slots(&self, begin: u32, end: u32) -> StepRange {
        step_range(2 * begin + UNIT_POS, 2 * end, CUBE_DIM)
    }

    /// The sum in a slot, which becomes free.
    pub fn take(&mut self, slot: u32) -> u32 {
        let sum = self.sums.get(slot);
        self.keys.set(slot, NONE.runtime());
        self.sums.set(slot, 0u32);
        sum
    }
}

/// The slot that a label is looked for first.
#[cube]
fn first_slot(label: u32, mask: u32) -> u32 {
    ((label * 0x9e37_79b9u32) >> 12) & mask
}

/// The table of the calling unit's group.
#[derive(CubeType)]
pub(crate) struct LabelTable {
    keys: SharedMemory<Atomic<u32>>,
    sums: SharedMemory<Atomic<u32>>,
    /// Where the group's slots start.
    base: u32,
    /// The slots in use, less one.
    mask: u32,
    /// The position of the unit in its group.
    lane: u32,
    #[cube(comptime)]
    shape: TableShape,
}

#[cube]
impl LabelTable {
    pub fn new(#[comptime] shape: TableShape) -> LabelTable {
        let all_slots = comptime!((shape.units / shape.group * shape.slots) as usize);
        LabelTable {
            keys: SharedMemory::<Atomic<u32>>::new(all_slots),
            sums: SharedMemory::<Atomic<u32>>::new(all_slots),
            base: UNIT_POS / shape.group * shape.slots,
            mask: 0u32.runtime(),
            lane: UNIT_POS % shape.group,
            shape,
        }
    }

    /// Frees the slots for some edges: twice as many, unless that exceeds the table.
    pub fn clear(&mut self, edges: u32) {
        let wanted = min(2 * min(edges, self.shape.slots), self.shape.slots);
        let mut slots = 1u32;
        while slots < wanted {
            slots *= 2;
        }
        self.mask = slots - 1;
        for slot in step_range(self.lane, slots, self.shape.group.runtime()) {
            self.keys[(self.base + slot) as usize].store(NONE.runtime());
            self.sums[(self.base + slot) as usize].store(0u32);
        }
    }

    /// Adds a weight to the sum of a label. The table has a free slot if the label has none.
    pub fn add(&mut self, label: u32, weight: u32) {
        let slot = self.look(label, u32::MAX.runtime());
        self.sums[slot as usize].fetch_add(weight);
    }

    /// The same for a hub with the edges from `begin` to `end`, where a label may find no slot: then it gets one in global memory.
    /// Returns whether it did. A label is only in one of both: the slots that a search passes stay filled.
    pub fn add_or_spill(
        &mut self,
        label: u32,
        weight: u32,
        overflow: &mut Overflow,
        begin: u32,
        end: u32,
    ) -> bool {
        let slot = self.look(label, HUB_PROBES.runtime());
        let spills = slot == NONE;
        if spills {
            overflow.add(label, weight, begin, end);
        } else {
            self.sums[slot as usize].fetch_add(weight);
        }
        spills
    }

    /// The index of the slot of a label, which is taken if it is free; `NONE` if that is not among the first `probes`.
    fn look(&mut self, label: u32, probes: u32) -> u32 {
        let mut slot = first_slot(label, self.mask);
        let mut left = probes;
        let mut found = NONE.runtime();
        while found == NONE && left > 0 {
            let index = self.base + slot;
            let mut key = self.keys[index as usize].load();
            if key == NONE {
                key = self.keys[index as usize].compare_exchange_weak(NONE.runtime(), label);
            }
            if key == label {
                found = index;
            } else if key != NONE {
                slot = (slot + 1) & self.mask;
                left -= 1;
            }
            // After an exchange, a free slot is read again: the exchange may have failed spuriously.
        }
        found
    }

    /// The slots of the calling unit.
    pub fn own_slots(&self) -> StepRange {
        let begin = self.base + self.lane;
        step_range(begin, self.base + self.mask + 1, self.shape.group.runtime())
    }

    /// The label in a slot, or `NONE`.
    pub fn label(&self, slot: u32) -> u32 {
        self.keys[slot as usize].load()
    }

    pub fn sum(&self, slot: u32) -> u32 {
        self.sums[slot as usize].load()
    }
}

/// The label with the largest gain so far, the smallest of several; `NONE` with gain 0 at first.
#[derive(CubeType)]
pub(crate) struct Best {
    pub label: u32,
    pub gain: u32,
}

#[cube]
impl Best {
    pub fn new() -> Best {
        Best { label: NONE.runtime(), gain: 0u32.runtime() }
    }

    /// Takes a label if its gain is larger; a gain of 0 never is.
    pub fn offer(&mut self, label: u32, gain: u32) {
        if gain > self.gain || (gain > 0 && gain == self.gain && label < self.label) {
            self.label = label;
            self.gain = gain;
        }
    }
}

/// What the units of each group agree on, in shared memory.
#[derive(CubeType)]
pub(crate) struct Election {
    totals: SharedMemory<Atomic<u32>>,
    gains: SharedMemory<Atomic<u32>>,
    labels: SharedMemory<Atomic<u32>>,
    group: u32,
    leads: bool,
}

#[cube]
impl Election {
    pub fn new(#[comptime] shape: TableShape) -> Election {
        let groups = comptime!((shape.units / shape.group) as usize);
        let lane = UNIT_POS % shape.group;
        Election {
            totals: SharedMemory::<Atomic<u32>>::new(groups),
            gains: SharedMemory::<Atomic<u32>>::new(groups),
            labels: SharedMemory::<Atomic<u32>>::new(groups),
            group: UNIT_POS / shape.group,
            leads: lane == 0,
        }
    }

    /// Starts anew. A barrier has to follow.
    pub fn clear(&mut self) {
        if self.leads {
            self.totals[self.group as usize].store(0u32);
            self.gains[self.group as usize].store(0u32);
            self.labels[self.group as usize].store(NONE.runtime());
        }
    }

    /// Adds to the total of the group. [`total`](Self::total) returns it after a barrier.
    pub fn add(&mut self, value: u32) {
        if value > 0 {
            self.totals[self.group as usize].fetch_add(value);
        }
    }

    pub fn total(&self) -> u32 {
        self.totals[self.group as usize].load()
    }

    /// The best of what the units of a group have found, for its first unit. All units of the cube call it together.
    pub fn elect(&mut self, own: Best) -> Best {
        if own.gain > 0 {
            self.gains[self.group as usize].fetch_max(own.gain);
        }
        sync_cube();
        let gain = self.gains[self.group as usize].load();
        if gain > 0 && own.gain == gain {
            self.labels[self.group as usize].fetch_min(own.label);
        }
        sync_cube();
        Best { label: self.labels[self.group as usize].load(), gain }
    }
}
