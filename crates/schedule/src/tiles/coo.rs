//! The entries of a matrix, each a tile of its own with one atom.

use cubecl::prelude::*;

use super::{TileSet, TileSetExpand, TileSetKind};
use crate::plan::Tiles;

/// The entries of a matrix in coordinate form, or the edges of a graph: a tile each.
///
/// All tiles are alike, so that no schedule is better than another by its balance. Totals are
/// those of single entries: a work that adds up rows does so itself, by atomics for instance.
///
/// ```no_run
/// use equipoise_schedule::tiles::CooEntries;
///
/// fn example() {
///     let entries = CooEntries::of(5);
///     assert_eq!((entries.tiles(), entries.atoms()), (5, 5));
/// }
/// ```
#[derive(CubeType, CubeLaunch)]
pub struct CooEntries {
    /// How many entries there are.
    pub entries: u32,
}

impl CooEntries {
    /// So many entries.
    pub fn of(entries: u32) -> Tiles<'static, Self> {
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
