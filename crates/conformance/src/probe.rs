//! The works of the suite, which record what a schedule runs.

use cubecl::prelude::*;
use equipoise_schedule::{input::Input, work::*};

use crate::values::Values;

equipoise_graph::named_enum! {
    /// A work of the suite, by its name.
    ///
    /// ```
    /// use equipoise_conformance::ProbeName;
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
        /// Totals of 8 numbers, 2 units per atom.
        Wide2 = "wide-2",
        /// Totals of 16 numbers, 4 units per atom.
        Wide4 = "wide-4",
        /// Totals of 32 numbers, 8 units per atom.
        Wide8 = "wide-8",
        /// No totals, in a custom kernel that loops over the tiles of a unit and their atoms.
        Shares = "shares",
        /// No totals, in a custom kernel that loops over the atoms of a unit and looks up their tiles.
        Atoms = "atoms",
    }
}

/// A work that counts how often each lane does each atom and ends each tile, and records the tile of each atom and the
/// total of each tile.
///
/// Each array has one more element than names. Names that are too large change it.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Probe<V: Values, const LANES: u32, const REDUCES: bool, const NEEDS_TILE: bool> {
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
        let index = (atom * LANES + lane) as usize;
        self.visits[index].fetch_add(1);
        self.tiles[index] = tile;
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
        let index = (tile * LANES + UNIT_POS % LANES) as usize;
        self.ends[index].fetch_add(1);
        self.totals[index] = total;
    }
}
