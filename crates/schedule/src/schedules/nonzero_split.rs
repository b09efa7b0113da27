//! Nonzero-split: atoms alone divided evenly; where a part starts in the tiles is searched.
//!
//! A tile is ended where its last atom is done. Empty tiles are ended with the tile before them,
//! so that many in a row pile up on one unit: merge-path is for those.

use cubecl::prelude::*;

use super::{
    PreparedShares, Shape, Sharing, SharingKind,
    merge_path::split_share,
    search::first_tile_ending_after,
    split::{Piece, Split, SplitKind},
};
use crate::{Result, device::Gpu, plan::Tiles, share::Share, tiles::*};

/// Atoms divided evenly.
///
/// By name it is a [`Plan`](crate::plan::Plan); in a kernel of one's own its shares are looped
/// over:
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     schedules::{NonzeroSplit, Shape, Sharing},
///     tiles::*,
/// };
///
/// /// The first tile of each unit: it has one share, in the first turn.
/// #[cube(launch)]
/// fn first_tiles(
///     rows: &CsrRows,
///     prepared: &mut (),
///     first: &mut Array<u32>,
///     #[comptime] shape: Shape,
/// ) {
///     let share = NonzeroSplit::share::<CsrRows>(rows, prepared, 0, shape);
///     first[ABSOLUTE_POS] = share.tiles().begin;
/// }
/// # fn main() {}
/// ```
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
        // The first unit also ends the empty tiles in front.
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

impl SharingKind for NonzeroSplit {
    type Prepared = ();

    fn prepare<T: TileSet>(_: &Gpu, _: &Tiles<T>, _: Shape, _: u32) -> Result<PreparedShares<()>> {
        Ok(PreparedShares::nothing())
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
