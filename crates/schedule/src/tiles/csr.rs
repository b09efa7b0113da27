//! The rows of a matrix in compressed form: a tile is a row, an atom an entry.

use cubecl::prelude::*;

use super::{TileSet, TileSetExpand, TileSetKind};
use crate::input::Input;

/// The rows of a matrix, or the vertices of a graph with their edges.
#[derive(CubeType, CubeLaunch)]
pub struct CsrRows {
    /// Where each row starts, and where the last one ends.
    pub offsets: Input<u32>,
    /// How many rows there are.
    pub rows: u32,
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
