//! Nonzero-split: atoms alone divided evenly; the first tile of a part is found by search.
//!
//! A tile ends with its last atom. Empty tiles end with the tile before them, so that many in a row accumulate on one
//! unit; merge-path avoids that.

use cubecl::prelude::*;

use super::{
    Shape, Sharing,
    merge_path::split_share,
    search::first_tile_ending_after,
    split::{Piece, Split, SplitKind},
};
use crate::{share::Share, tiles::*};

/// Atoms divided evenly.
pub struct NonzeroSplit;

impl SplitKind for NonzeroSplit {
    const STAGES_TILES: bool = false;
}

#[cube]
impl Split for NonzeroSplit {
    fn length<T: TileSet>(set: &T) -> u32 {
        set.start(set.tiles())
    }

    fn tile_at<T: TileSet>(set: &T, position: u32) -> u32 {
        // The first unit also ends leading empty tiles.
        let mut tile = 0u32;
        if position > 0 {
            tile = first_tile_ending_after::<T>(set, 0, set.tiles(), position);
        }
        tile
    }

    fn atom_at(position: u32, _tile: u32) -> u32 {
        position
    }

    fn tile_in_piece<T: TileSet>(
        set: &T,
        piece: &Piece,
        _ends: &SharedMemory<u32>,
        position: u32,
    ) -> u32 {
        let mut tile = piece.first_tile;
        if position > 0 {
            let atom = piece.first_atom + position;
            tile = first_tile_ending_after::<T>(set, piece.first_tile, piece.last_tile, atom);
        }
        tile
    }

    fn atom_in_piece(piece: &Piece, position: u32, _tile: u32) -> u32 {
        piece.first_atom + position
    }

    fn end_of<T: TileSet>(set: &T, _piece: &Piece, _ends: &SharedMemory<u32>, tile: u32) -> u32 {
        set.start(tile + 1)
    }
}

#[cube]
impl Sharing for NonzeroSplit {
    fn share<T: TileSet>(
        set: &T,
        _prepared: &mut (),
        turn: u32,
        #[comptime] _shape: Shape,
    ) -> Share {
        split_share::<NonzeroSplit, T>(set, turn)
    }
}
