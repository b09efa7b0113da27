//! Splits: a line through all tiles and atoms, cut into pieces of equal length.
//!
//! Merge-path and nonzero-split differ in the line. A cube processes a piece, cut again among its workers. Cut tiles
//! are combined in two steps: between the workers of a cube by a segmented scan, between cubes by a second small launch
//! that also ends them. So each tile is ended once, with its total, without atomics.

use cubecl::prelude::*;

use super::{
    Shape,
    group_reduce::group_reduce,
    search::{first_end_after, first_tile_ending_after},
    segmented::segmented_scan,
};
use crate::{ranges::*, tiles::*, work::*};

/// A line through the tiles and atoms of a set.
#[cube]
pub(crate) trait Split: SplitKind {
    /// The length of the line.
    fn length<T: TileSet>(set: &T) -> u32;
    /// The first tile that does not end before a position.
    fn tile_at<T: TileSet>(set: &T, position: u32) -> u32;
    /// The first atom that is not before a position, given the tile at the position.
    fn atom_at(position: u32, tile: u32) -> u32;
    /// `tile_at`, for a position counted from where the piece starts.
    fn tile_in_piece<T: TileSet>(
        set: &T,
        piece: &Piece,
        ends: &SharedMemory<u32>,
        position: u32,
    ) -> u32;
    /// `atom_at`, for a position counted from where the piece starts.
    fn atom_in_piece(piece: &Piece, position: u32, tile: u32) -> u32;
    /// Where a tile that ends in the piece ends.
    fn end_of<T: TileSet>(set: &T, piece: &Piece, ends: &SharedMemory<u32>, tile: u32) -> u32;
}

pub(crate) trait SplitKind: 'static + Send + Sync {
    /// Whether a piece has at most as many tiles as positions: then their ends are staged in shared memory.
    const STAGES_TILES: bool;
}

/// Part of the line: from a tile and atom to a tile and atom.
#[derive(CubeType, Clone, Copy)]
pub(crate) struct Piece {
    /// The first tile, which may have started before.
    pub first_tile: u32,
    /// The tile at the end, which does not end here.
    pub last_tile: u32,
    /// The first atom.
    pub first_atom: u32,
    /// The atom at the end, exclusive.
    pub last_atom: u32,
    /// How long it is.
    pub length: u32,
}

#[cube]
impl Piece {
    fn new<S: Split>(
        set: &AnyTiles,
        starts: &Array<u32>,
        index: u32,
        #[comptime] size: u32,
    ) -> Piece {
        let length = S::length::<AnyTiles>(set);
        let begin = min(index * size, length);
        let end = min(begin + size, length);
        let first_tile = starts[index as usize];
        let last_tile = starts[(index + 1) as usize];
        Piece {
            first_tile,
            last_tile,
            first_atom: S::atom_at(begin, first_tile),
            last_atom: S::atom_at(end, last_tile),
            length: end - begin,
        }
    }
}

/// Positions of the line per cube.
pub(crate) fn piece_size(shape: Shape, lanes: u32) -> u32 {
    shape.units / lanes * shape.items
}

/// Finds the tile at the start of each piece, and after the last.
#[cube(launch_unchecked)]
pub(crate) fn find_cuts<S: Split>(
    set: &AnyTiles,
    starts: &mut Array<u32>,
    pieces: u32,
    #[comptime] size: u32,
) {
    for index in grid_stride_range(0, pieces + 1) {
        let length = S::length::<AnyTiles>(set);
        let position = min(index * size, length);
        let mut tile = S::tile_at::<AnyTiles>(set, position);
        if index > 0 && position == length {
            tile = set.tiles();
        }
        starts[index as usize] = tile;
    }
}

/// Processes all pieces. For each piece, `tails` gets its part of the tile at its end; `heads` gets its part of its first
/// tile if that ends in the piece, except for the first piece.
#[cube(launch, launch_unchecked)]
pub(crate) fn do_pieces<S: Split>(
    set: &AnyTiles,
    work: &mut AnyWork,
    starts: &Array<u32>,
    heads: &mut Array<WorkValue>,
    tails: &mut Array<WorkValue>,
    pieces: u32,
    #[comptime] shape: Shape,
) {
    for index in cube_grid_stride_range(0, pieces) {
        let piece = Piece::new::<S>(set, starts, index, comptime!(piece_size(shape, work.lanes())));
        if comptime!(work.reduces()) {
            reduce_piece::<S>(set, work, &piece, heads, tails, index, shape);
        } else {
            scatter_piece(set, work, &piece);
        }
        sync_cube();
    }
}

/// Pieces of a work without totals, where nothing is combined.
#[cube]
fn scatter_piece(set: &AnyTiles, work: &mut AnyWork, piece: &Piece) {
    let lanes = comptime!(work.lanes());
    let (worker, workers) = (UNIT_POS / lanes, CUBE_DIM / lanes);
    for atom in step_range(piece.first_atom + worker, piece.last_atom, workers) {
        let tile =
            first_tile_ending_after::<AnyTiles>(set, piece.first_tile, piece.last_tile, atom);
        work.atom(set.tile(tile), set.atom(tile, atom));
    }
    for tile in step_range(piece.first_tile + worker, piece.last_tile, workers) {
        work.end(set.tile(tile), work.identity());
    }
}

/// The results of a worker on its part of a piece.
#[derive(CubeType, Clone, Copy)]
struct Walk {
    /// The tile it started in.
    first_tile: u32,
    /// The number of tiles that ended.
    ended: u32,
    /// Its part of the first tile, if that ended.
    head: WorkValue,
    /// Its part of the tile at the end.
    tail: WorkValue,
}

#[cube]
fn reduce_piece<S: Split>(
    set: &AnyTiles,
    work: &mut AnyWork,
    piece: &Piece,
    heads: &mut Array<WorkValue>,
    tails: &mut Array<WorkValue>,
    index: u32,
    #[comptime] shape: Shape,
) {
    let lanes = comptime!(work.lanes());
    let ends = stage_ends::<S>(set, piece, comptime!(piece_size(shape, work.lanes())));
    let walk = walk::<S>(set, work, piece, &ends, shape);
    let carry = segmented_scan(work, walk.ended > 0, walk.tail, shape);
    let lane = UNIT_POS % lanes;
    if walk.ended > 0 {
        let total = work.combine(carry.before, walk.head);
        // It may have started in an earlier piece; then only the fix-up has all of it.
        if walk.first_tile == piece.first_tile && index > 0 {
            heads[(index * lanes + lane) as usize] = total;
        } else {
            work.end(set.tile(walk.first_tile), total);
        }
    }
    if UNIT_POS >= CUBE_DIM - lanes {
        tails[(index * lanes + lane) as usize] = carry.after;
    }
}

/// Stages where the tiles of a piece end, relative to its first atom, if the split does so: two per word, since shared
/// memory takes space from the cache of the matrix.
#[cube]
fn stage_ends<S: Split>(set: &AnyTiles, piece: &Piece, #[comptime] size: u32) -> SharedMemory<u32> {
    let positions = comptime!(if S::STAGES_TILES { size.div_ceil(2) as usize } else { 1 });
    let mut ends = SharedMemory::<u32>::new(positions);
    if comptime!(S::STAGES_TILES) {
        let tiles = piece.last_tile - piece.first_tile;
        for pair in cube_stride_range(0, tiles.div_ceil(2)) {
            let tile = piece.first_tile + pair * 2;
            let low = set.start(tile + 1) - piece.first_atom;
            let mut high = low;
            if tile + 1 < piece.last_tile {
                high = set.start(tile + 2) - piece.first_atom;
            }
            ends[pair as usize] = low | (high << 16);
        }
        sync_cube();
    }
    ends
}

/// Computes the values of a piece's atoms with neighbouring units at neighbouring atoms, if a worker is one unit; in
/// wider workers the lanes are neighbours.
#[cube]
fn stage_values<S: Split>(
    set: &AnyTiles,
    work: &mut AnyWork,
    piece: &Piece,
    ends: &SharedMemory<u32>,
    #[comptime] shape: Shape,
) -> SharedMemory<WorkValue> {
    let positions = comptime!(if work.lanes() == 1 { shape.units * shape.items } else { 1 });
    let mut values = SharedMemory::<WorkValue>::new(comptime!(positions as usize));
    if comptime!(work.lanes() == 1) {
        #[unroll]
        for item in 0..shape.items {
            let position = item * shape.units + UNIT_POS;
            let atom = piece.first_atom + position;
            if atom < piece.last_atom {
                let tile = tile_of::<S>(set, work, piece, ends, atom);
                values[position as usize] = work.atom(set.tile(tile), set.atom(tile, atom));
            }
        }
        sync_cube();
    }
    values
}

/// The tile of an atom, if the work or the tile set needs it.
#[cube]
fn tile_of<S: Split>(
    set: &AnyTiles,
    work: &AnyWork,
    piece: &Piece,
    ends: &SharedMemory<u32>,
    atom: u32,
) -> u32 {
    if comptime!(!work.atom_needs_tile()) {
        piece.first_tile
    } else if comptime!(S::STAGES_TILES) {
        piece.first_tile
            + first_end_after(ends, piece.last_tile - piece.first_tile, atom - piece.first_atom)
    } else {
        first_tile_ending_after::<AnyTiles>(set, piece.first_tile, piece.last_tile, atom)
    }
}

/// Walks the calling worker's part of a piece; ends all tiles but the first that end in it.
#[cube]
fn walk<S: Split>(
    set: &AnyTiles,
    work: &mut AnyWork,
    piece: &Piece,
    ends: &SharedMemory<u32>,
    #[comptime] shape: Shape,
) -> Walk {
    let lanes = comptime!(work.lanes());
    let values = stage_values::<S>(set, work, piece, ends, shape);
    let worker = UNIT_POS / lanes;
    let position = min(worker * shape.items, piece.length);
    let next_position = min(position + shape.items, piece.length);
    let mut tile = S::tile_in_piece::<AnyTiles>(set, piece, ends, position);
    let last_tile = next_worker_tile(tile, piece.last_tile, lanes, shape);
    let mut atom = S::atom_in_piece(piece, position, tile);
    let last_atom = S::atom_in_piece(piece, next_position, last_tile);

    let first_tile = tile;
    let mut ended = 0u32;
    let mut head = work.identity();
    let mut total = work.identity();
    let mut end = end_or::<S>(set, piece, ends, tile, last_tile, last_atom);
    while tile < last_tile || atom < last_atom {
        if atom < end {
            if comptime!(lanes == 1) {
                total = work.combine(total, values[(atom - piece.first_atom) as usize]);
            } else {
                total = work.combine(total, work.atom(set.tile(tile), set.atom(tile, atom)));
            }
            atom += 1;
        } else {
            if ended == 0 {
                head = total;
            } else {
                work.end(set.tile(tile), total);
            }
            ended += 1;
            total = work.identity();
            tile += 1;
            end = end_or::<S>(set, piece, ends, tile, last_tile, last_atom);
        }
    }
    Walk { first_tile, ended, head, tail: total }
}

/// The end of a tile, or of the walk for the last one.
#[cube]
fn end_or<S: Split>(
    set: &AnyTiles,
    piece: &Piece,
    ends: &SharedMemory<u32>,
    tile: u32,
    last_tile: u32,
    last_atom: u32,
) -> u32 {
    let mut end = last_atom;
    if tile < last_tile {
        end = S::end_of::<AnyTiles>(set, piece, ends, tile);
    }
    end
}

/// The tile where the next worker starts and the calling one stops.
#[cube]
fn next_worker_tile(
    tile: u32,
    last_tile: u32,
    #[comptime] lanes: u32,
    #[comptime] shape: Shape,
) -> u32 {
    let workers = comptime!(shape.units / lanes);
    let mut tiles = SharedMemory::<u32>::new(comptime!((workers + 1) as usize));
    let worker = UNIT_POS / lanes;
    tiles[worker as usize] = tile;
    if UNIT_POS == 0 {
        tiles[workers as usize] = last_tile;
    }
    sync_cube();
    tiles[(worker + 1) as usize]
}

/// Combines and ends the tiles that pieces may have cut, one group per piece.
#[cube(launch, launch_unchecked)]
pub(crate) fn fix_up(
    set: &AnyTiles,
    work: &mut AnyWork,
    starts: &Array<u32>,
    heads: &Array<WorkValue>,
    tails: &Array<WorkValue>,
    pieces: u32,
    #[comptime] shape: Shape,
) {
    let lanes = comptime!(work.lanes());
    let groups = comptime!(shape.units / shape.group);
    let (lane, rank) = (UNIT_POS % lanes, UNIT_POS % shape.group / lanes);
    let stride = CUBE_COUNT as u32 * groups;
    for turn in 0..pieces.div_ceil(stride) {
        let index = turn * stride + CUBE_POS as u32 * groups + UNIT_POS / shape.group;
        let mut total = work.identity();
        let mut tile = 0u32;
        let mut ends_here = false;
        if index > 0 && index < pieces {
            tile = starts[index as usize];
            ends_here = tile < starts[(index + 1) as usize];
            if ends_here {
                total = tails_of(work, starts, tails, index, tile, shape);
            }
        }
        total = group_reduce(work, total, shape);
        if ends_here && rank == 0 {
            work.end(set.tile(tile), work.combine(total, heads[(index * lanes + lane) as usize]));
        }
    }
}

/// The calling worker's share of the parts of `tile` in pieces before `index` that end in it.
#[cube]
fn tails_of(
    work: &AnyWork,
    starts: &Array<u32>,
    tails: &Array<WorkValue>,
    index: u32,
    tile: u32,
    #[comptime] shape: Shape,
) -> WorkValue {
    let lanes = comptime!(work.lanes());
    let workers = comptime!(shape.group / lanes);
    let (lane, rank) = (UNIT_POS % lanes, UNIT_POS % shape.group / lanes);
    let mut total = work.identity();
    // One more than the piece to read, to avoid going below zero.
    let mut after = index.saturating_sub(rank);
    let mut ends_there = after > 0 && starts[after as usize] == tile;
    while ends_there {
        total = work.combine(total, tails[((after - 1) * lanes + lane) as usize]);
        after = after.saturating_sub(workers);
        ends_there = after > 0 && starts[after as usize] == tile;
    }
    total
}
