//! The rows of a matrix in compressed form: tiles are rows, atoms entries.

use cubecl::prelude::*;

use super::{TileSet, TileSetExpand, TileSetKind, Tiles, tiles_between};
use crate::{Result, device::Buffer, input::Input};

/// The rows of a matrix, or the vertices of a graph with their edges.
///
/// ```no_run
/// use equipoise_schedule::{Result, device::Gpu, tiles::CsrRows};
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     // Three rows, with 2, 0 and 3 entries.
///     let offsets = gpu.upload(&[0, 2, 2, 5])?;
///     let rows = CsrRows::from_offsets(&offsets, 5)?;
///     assert_eq!((rows.tiles(), rows.atoms()), (3, 5));
///     Ok(())
/// }
/// ```
#[derive(CubeType, CubeLaunch)]
pub struct CsrRows {
    /// Where each row starts, and where the last one ends.
    pub offsets: Input<u32>,
    /// The number of rows.
    pub rows: u32,
}

/// The columns of a matrix: the rows of its transpose. A work must know that tiles are columns.
pub type CscColumns = CsrRows;

impl CsrRows {
    /// The rows that start at `offsets`, which also contains the end of the last one, the number of `entries`.
    ///
    /// Fails if 32 bits do not count the rows.
    pub fn from_offsets(offsets: &Buffer<u32>, entries: u32) -> Result<Tiles<'_, Self>> {
        let rows = tiles_between(offsets)?;
        Ok(Tiles::new(rows, entries, move || CsrRowsLaunch::new(offsets.arg(), rows)))
    }
}

impl TileSetKind for CsrRows {}

#[cube]
impl TileSet for CsrRows {
    fn tiles(&self) -> u32 {
        self.rows
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
