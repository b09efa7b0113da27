//! What searches share that decide on the device how each turn is done.
//!
//! A turn is one launch: all cubes read the same state and the same counts of the turn before, so
//! that each decides alike, and none waits for another. Narrow turns are done by one cube, many in
//! a launch. The host enqueues several launches, and looks whether the search is over
//! ([`pace`]).

pub(super) mod counts;
pub(super) mod pace;
pub(super) mod parts;
pub(super) mod source;
pub(super) mod state;
pub(super) mod walk;

use cubecl::prelude::*;
use equipoise_schedule::device::Gpu;

/// Units of a cube of wide turns.
pub(super) const WIDE_UNITS: u32 = 256;
/// Units of the cube of narrow turns, if the device allows as many.
const NARROW_UNITS: u32 = 1024;
/// Narrow turns of one launch: software devices end loops that go on for long.
pub(super) const MOST_TURNS: u32 = 128;

/// The cubes of a wide turn, and their units.
pub(super) fn wide_cubes(gpu: &Gpu) -> (CubeCount, CubeDim) {
    (gpu.cubes(gpu.properties().cubes_at_work().into()), CubeDim::new_1d(WIDE_UNITS))
}

/// Steps in which the units of the largest planes of a device come down to one by halves.
pub(super) fn halvings(gpu: &Gpu) -> u32 {
    gpu.properties().plane_size.max.max(1).ilog2()
}

/// The units of the cube of narrow turns: a power of two.
pub(super) fn narrow_units(gpu: &Gpu) -> u32 {
    let most = gpu.properties().max_units.max(1);
    NARROW_UNITS.min(1 << most.ilog2())
}
