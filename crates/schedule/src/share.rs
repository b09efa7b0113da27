//! What a schedule hands a unit.

use cubecl::prelude::*;

use crate::{ranges::*, tiles::*};

/// The tiles and atoms of one unit: loop over [`tiles`](Share::tiles), and in each over
/// [`atoms`](Share::atoms).
///
/// A tile can be in the share of several units, each with some of its atoms: then what they
/// compute has to be put together, by atomics for instance. Whether that happens depends on the
/// schedule.
#[derive(CubeType, Clone, Copy)]
pub struct Share {
    pub(crate) tiles: StepRange,
    pub(crate) first_atom: u32,
    pub(crate) last_atom: u32,
    pub(crate) rank: u32,
    pub(crate) step: u32,
}

#[cube]
impl Share {
    /// The tiles of the unit.
    pub fn tiles(&self) -> StepRange {
        self.tiles
    }

    /// The atoms of the unit in one of its tiles.
    pub fn atoms<T: TileSet>(&self, set: &T, tile: u32) -> StepRange {
        let begin = max(set.start(tile), self.first_atom);
        let end = min(set.start(tile + 1), self.last_atom);
        step_range(begin + self.rank, end, self.step)
    }
}
