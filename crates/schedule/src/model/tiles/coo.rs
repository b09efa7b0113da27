//! The entries of a matrix, each a tile with one atom.

use cubecl::prelude::*;

use super::{TileSet, TileSetExpand, TileSetKind, Tiles};

/// The entries of a matrix in coordinate form, or the edges of a graph: one tile each.
///
/// All tiles are equal, so that all schedules balance equally. Totals are those of single entries: a work that adds up
/// rows does so itself, for instance by atomics.
///
/// ```no_run
/// use equipoise_schedule::tiles::CooEntries;
///
/// fn example() {
///     let entries = CooEntries::new(5);
///     assert_eq!((entries.tiles(), entries.atoms()), (5, 5));
/// }
/// ```
#[derive(CubeType, CubeLaunch)]
pub struct CooEntries {
    /// The number of entries.
    pub entries: u32,
}

impl CooEntries {
    /// The tiles of this number of entries.
    pub fn new(entries: u32) -> Tiles<'static, Self> {
        Tiles::new(entries, entries, move || CooEntriesLaunch::new(entries))
    }
}

impl TileSetKind for CooEntries {}

#[cube]
impl TileSet for CooEntries {
    fn tiles(&self) -> u32 {
        self.entries
    }

    fn start(&self, tile: u32) -> u32 {
        tile
    }

    fn tile(&self, tile: u32) -> u32 {
        tile
    }

    fn atom(&self, _tile: u32, atom: u32) -> u32 {
        atom
    }
}
