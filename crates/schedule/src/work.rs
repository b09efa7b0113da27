//! Work: what is done with atoms and tiles.

use cubecl::prelude::*;

/// What a work is, for the schedules.
pub trait WorkKind {
    /// Whether tiles have a total. A work that only scatters says no and pays for no reduction.
    const REDUCES: bool = true;
    /// Whether what is done with an atom depends on its tile.
    const ATOM_NEEDS_TILE: bool = true;
    /// How many neighbouring units do an atom together, each its part of it: a power of two, at
    /// most the plane size.
    const LANES: u32 = 1;
}

/// What is done with each atom, and with the total of each tile.
#[cube]
pub trait Work: WorkKind + LaunchArg {
    /// What an atom gives and a tile adds up to.
    type Value: CubePrimitive;

    /// What `combine` leaves unchanged.
    fn identity() -> Self::Value;
    /// Does an atom.
    fn atom(&mut self, tile: u32, atom: u32) -> Self::Value;
    /// Puts two together. The order and the grouping must not matter.
    fn combine(a: Self::Value, b: Self::Value) -> Self::Value;
    /// Ends a tile, with the total of its atoms.
    fn end(&mut self, tile: u32, total: Self::Value);
}
