//! The works of the suite: probes that note what a schedule has them do.

use cubecl::prelude::*;

use super::values::Values;
use crate::{input::Input, work::*};

equipoise_base::named_enum! {
    /// A work of the suite, by its name.
    ///
    /// ```
    /// use equipoise_schedule::conformance::ProbeName;
    ///
    /// assert_eq!("sum-u32".parse(), Ok(ProbeName::SumU32));
    /// ```
    pub enum ProbeName("work") {
        /// Totals of whole numbers.
        SumU32 = "sum-u32",
        /// Totals of floating-point numbers, small and whole so that their order does not matter.
        SumF32 = "sum-f32",
        /// No totals.
        Scatter = "scatter",
        /// Totals, with atoms that need not know their tile.
        Tileless = "tileless",
        /// Totals of 4 numbers, loaded and stored at once.
        Wide1 = "wide-1",
        /// Totals of 8 numbers, an atom done by 2 units together.
        Wide2 = "wide-2",
        /// Totals of 16 numbers, an atom done by 4 units together.
        Wide4 = "wide-4",
        /// Totals of 32 numbers, an atom done by 8 units together.
        Wide8 = "wide-8",
        /// No totals, in a kernel of its own that loops over the tiles of units, and in each over
        /// its atoms.
        Shares = "shares",
        /// No totals, in a kernel of its own that loops over the atoms of units and asks for the
        /// tile of each.
        Atoms = "atoms",
    }
}

/// A work that counts how often each atom is done and each tile ended, by every lane, and notes
/// the tile each atom was said to be in and the total each tile had.
///
/// Each array has a place more than there are names, where all names go that are too large; it
/// must stay as it was.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Probe<V: Values, const LANES: u32, const REDUCES: bool, const NEEDS_TILE: bool> {
    numbers: Input<u32>,
    visits: Array<Atomic<u32>>,
    tiles: Array<u32>,
    ends: Array<Atomic<u32>>,
    totals: Array<V>,
}

impl<V: Values, const LANES: u32, const REDUCES: bool, const NEEDS_TILE: bool> WorkKind
    for Probe<V, LANES, REDUCES, NEEDS_TILE>
{
    const REDUCES: bool = REDUCES;
    const ATOM_NEEDS_TILE: bool = NEEDS_TILE;
    const LANES: u32 = LANES;
}

#[cube]
impl<V: Values, const LANES: u32, const REDUCES: bool, const NEEDS_TILE: bool> Work
    for Probe<V, LANES, REDUCES, NEEDS_TILE>
{
    type Value = V;

    fn identity() -> V {
        V::zero()
    }

    fn atom(&mut self, tile: u32, atom: u32) -> V {
        let lane = UNIT_POS % LANES;
        let atom = min(atom, self.numbers.len() as u32 - 1);
        let place = (atom * LANES + lane) as usize;
        self.visits[place].fetch_add(1);
        self.tiles[place] = tile;
        let mut number = self.numbers[atom as usize];
        if comptime!(NEEDS_TILE) {
            number += tile;
        }
        V::from_number(number, lane)
    }

    fn combine(a: V, b: V) -> V {
        V::add(a, b)
    }

    fn end(&mut self, tile: u32, total: V) {
        let tile = min(tile, self.ends.len() as u32 / LANES - 1);
        let place = (tile * LANES + UNIT_POS % LANES) as usize;
        self.ends[place].fetch_add(1);
        self.totals[place] = total;
    }
}
