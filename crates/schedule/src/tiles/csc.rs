//! The columns of a matrix in compressed form: a tile is a column, an atom an entry.

use cubecl::prelude::*;

use super::{TileSet, TileSetExpand, TileSetKind, tiles_between};
use crate::{Result, device::Buffer, input::Input, plan::Tiles};

/// The columns of a matrix, or the vertices of a graph with the edges that lead to them.
///
/// ```no_run
/// use equipoise_schedule::{Result, device::Gpu, tiles::CscColumns};
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     // Three columns, with 2, 0 and 3 entries.
///     let offsets = gpu.upload(&[0, 2, 2, 5])?;
///     let columns = CscColumns::of(&offsets, 5)?;
///     assert_eq!((columns.tiles(), columns.atoms()), (3, 5));
///     Ok(())
/// }
/// ```
#[derive(CubeType, CubeLaunch)]
pub struct CscColumns {
    /// Where each column starts, and where the last one ends.
    pub offsets: Input<u32>,
    /// How many columns there are.
    pub columns: u32,
}

impl CscColumns {
    /// The columns that start at `offsets`, and where the last one ends; with `entries` entries in
    /// all, which is where that is.
    ///
    /// Fails where there are more columns than 32 bits count.
    pub fn of(offsets: &Buffer<u32>, entries: u32) -> Result<Tiles<'_, Self>> {
        let columns = tiles_between(offsets)?;
        Ok(Tiles::new(columns, entries, move || CscColumnsLaunch::new(offsets.arg(), columns)))
    }
}

impl TileSetKind for CscColumns {}

#[cube]
impl TileSet for CscColumns {
    fn tiles(&self) -> u32 {
        self.columns
    }

    fn start(&self, tile: u32) -> u32 {
        self.offsets[tile as usize]
    }

    fn tile(&self, tile: u32) -> u32 {
        tile
    }

    fn atom(&self, _tile: u32, atom: u32) -> u32 {
        atom
    }
}
