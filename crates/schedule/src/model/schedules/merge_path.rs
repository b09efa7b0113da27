//! Merge-path: tiles and atoms together divided evenly (Osama et al., 5.2.1).
//!
//! The line passes through each tile's atoms and then its end, so that a tile counts as much as an atom, and neither
//! many atoms nor many empty tiles accumulate on one unit. A two-dimensional binary search finds a position on the
//! line.

use cubecl::prelude::*;

use super::{
    Shape, Sharing,
    search::staged_end,
    split::{Piece, Split, SplitKind},
};
use crate::{
    ranges::*,
    share::{Share, share_of_range},
    tiles::*,
};

/// Tiles and atoms divided evenly.
pub struct MergePath;

impl SplitKind for MergePath {
    const STAGES_TILES: bool = true;
}

#[cube]
impl Split for MergePath {
    fn length<T: TileSet>(set: &T) -> u32 {
        set.tiles() + set.start(set.tiles())
    }

    fn tile_at<T: TileSet>(set: &T, position: u32) -> u32 {
        let atoms = set.start(set.tiles());
        let mut low = position.saturating_sub(atoms);
        let mut high = min(position, set.tiles());
        while low < high {
            let middle = low + (high - low) / 2;
            if set.start(middle + 1) < position - middle {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    fn atom_at(position: u32, tile: u32) -> u32 {
        position - tile
    }

    fn tile_in_piece<T: TileSet>(
        _set: &T,
        piece: &Piece,
        ends: &SharedMemory<u32>,
        position: u32,
    ) -> u32 {
        let mut low = position.saturating_sub(piece.last_atom - piece.first_atom);
        let mut high = min(position, piece.last_tile - piece.first_tile);
        while low < high {
            let middle = (low + high) / 2;
            if staged_end(ends, middle) < position - middle {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        piece.first_tile + low
    }

    fn atom_in_piece(piece: &Piece, position: u32, tile: u32) -> u32 {
        piece.first_atom + position - (tile - piece.first_tile)
    }

    fn end_of<T: TileSet>(_set: &T, piece: &Piece, ends: &SharedMemory<u32>, tile: u32) -> u32 {
        piece.first_atom + staged_end(ends, tile - piece.first_tile)
    }
}

#[cube]
impl Sharing for MergePath {
    fn share<T: TileSet>(
        set: &T,
        _prepared: &mut (),
        turn: u32,
        #[comptime] _shape: Shape,
    ) -> Share {
        split_share::<MergePath, T>(set, turn)
    }
}

/// The share of the calling unit of a split among all units of the launch: all of it in the first turn.
#[cube]
pub(super) fn split_share<S: Split, T: TileSet>(set: &T, turn: u32) -> Share {
    let mut first_tile = 0u32;
    let mut last_tile = 0u32;
    let mut first_atom = 0u32;
    let mut last_atom = 0u32;
    if turn == 0 {
        let length = S::length::<T>(set);
        let size = length.div_ceil(CUBE_COUNT as u32 * CUBE_DIM);
        let begin = min(ABSOLUTE_POS as u32 * size, length);
        let end = min(begin + size, length);
        first_tile = S::tile_at::<T>(set, begin);
        last_tile = S::tile_at::<T>(set, end);
        first_atom = S::atom_at(begin, first_tile);
        last_atom = S::atom_at(end, last_tile);
    }
    let tiles = step_range(first_tile, min(last_tile + 1, set.tiles()), 1);
    let (rank, step) = (0u32.runtime(), 1u32.runtime());
    share_of_range(tiles, first_atom, last_atom, rank, step, turn > 0)
}
