//! The columns of a matrix in compressed form: tiles are columns, atoms entries.

use cubecl::prelude::*;

use super::{TileSet, TileSetExpand, TileSetKind, Tiles, tiles_between};
use crate::{Result, device::Buffer, input::Input};

/// The columns of a matrix, or the vertices of a graph with their incoming edges.
///
/// ```no_run
/// use equipoise_schedule::{Result, device::Gpu, tiles::CscColumns};
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     // Three columns, with 2, 0 and 3 entries.
///     let offsets = gpu.upload(&[0, 2, 2, 5])?;
///     let columns = CscColumns::from_offsets(&offsets, 5)?;
///     assert_eq!((columns.tiles(), columns.atoms()), (3, 5));
///     Ok(())
/// }
/// ```
#[derive(CubeType, CubeLaunch)]
pub struct CscColumns {
    /// Where each column starts, and where the last one ends.
    pub offsets: Input<u32>,
    /// The number of columns.
    pub columns: u32,
}

impl CscColumns {
    /// The columns that start at `offsets`, which also contains the end of the last one, the number of `entries`.
    ///
    /// Fails if 32 bits do not count the columns.
    pub fn from_offsets(offsets: &Buffer<u32>, entries: u32) -> Result<Tiles<'_, Self>> {
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
