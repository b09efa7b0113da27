//! Random numbers and counts in kernels.

use cubecl::prelude::*;

/// The random number of a vertex, as [`Random`](super::super::order::Random) has it.
#[cube]
pub(super) fn random_of(multiplier: u32, vertex: u32) -> u32 {
    mix(mix(vertex + 1) * multiplier)
}

/// The multiplier of a series of random numbers.
#[cube]
pub(super) fn multiplier_of(seed: u32, series: u32) -> u32 {
    mix(seed + series) | 1
}

#[cube]
fn mix(number: u32) -> u32 {
    let mut x = number;
    x = (x ^ (x >> 16)) * 0x85eb_ca6bu32;
    x = (x ^ (x >> 13)) * 0xc2b2_ae35u32;
    x ^ (x >> 16)
}

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
