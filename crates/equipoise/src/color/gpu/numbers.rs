//! Random numbers and counts in kernels.

use cubecl::prelude::*;

pub(super) use crate::random::{multiplier_of, random_of};

/// Adds what the units of a cube have to a count. All of them call it together.
#[cube]
pub(super) fn add_up(own: u32, counts: &mut Array<Atomic<u32>>, place: u32) {
    let of_cube = SharedMemory::<Atomic<u32>>::new(1usize);
    if UNIT_POS == 0 {
        of_cube[0].store(0u32);
    }
    sync_cube();
    if own > 0 {
        of_cube[0].fetch_add(own);
    }
    sync_cube();
    if UNIT_POS == 0 {
        let all = of_cube[0].load();
        if all > 0 {
            counts[place as usize].fetch_add(all);
        }
    }
}
