//! The slots of hash tables in global memory, whose keys are labels.

use cubecl::prelude::*;
use equipoise_schedule::atomics::*;

use crate::NONE;

/// The most edges, because slots have indices of 32 bits.
pub(crate) const MOST_EDGES: u64 = u32::MAX as u64 / 2;

/// The first slot that a label may have.
#[cube]
pub(crate) fn first_slot(label: u32, slots: u32) -> u32 {
    (label * 0x9e37_79b9u32) % slots
}

/// The slot of a label in the table from `start` to `end`, which has a free slot if the label has none.
#[cube]
pub(crate) fn slot_of(keys: &mut AtomicArray, start: u32, end: u32, label: u32) -> u32 {
    let slots = end - start;
    let mut slot = first_slot(label, slots);
    let mut is_found = false;
    while !is_found {
        let mut key = keys.get(start + slot);
        if key == NONE {
            key = keys.compare_exchange_weak(start + slot, NONE.runtime(), label);
        }
        is_found = key == label;
        // After an exchange, a free slot is read again: the exchange may have failed spuriously.
        if key != label && key != NONE {
            slot = (slot + 1) % slots;
        }
    }
    start + slot
}
