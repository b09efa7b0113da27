//! Tile sets: what there is to do.

mod csr;

pub use csr::{CsrRows, CsrRowsLaunch};

use cubecl::prelude::*;

/// What a tile set is, for the schedules.
pub trait TileSetKind {
    /// Whether the name of an atom depends on the tile it is in.
    const ATOM_NEEDS_TILE: bool = false;
}

/// Tiles in a row, each with atoms in a row.
///
/// Atoms are counted through all tiles: tile `t` has the atoms from `start(t)` to `start(t + 1)`,
/// tile 0 starts at atom 0.
#[cube]
pub trait TileSet: TileSetKind + LaunchArg {
    /// How many tiles there are.
    fn tiles(&self) -> u32;
    /// How many atoms come before a tile. `start(tiles())` is the number of all.
    fn start(&self, tile: u32) -> u32;
    /// What the work calls a tile.
    fn tile(&self, tile: u32) -> u32;
    /// What the work calls an atom.
    fn atom(&self, tile: u32, atom: u32) -> u32;
}
