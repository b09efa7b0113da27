//! Schedules: who does what.

mod accumulate;
mod binned;
mod group_mapped;
mod group_reduce;
mod merge_path;
mod nonzero_split;
mod search;
mod segmented;
mod split;
mod thread_mapped;
mod tile_by_tile;

pub use group_mapped::GroupMapped;
pub use merge_path::MergePath;
pub use nonzero_split::NonzeroSplit;
pub use thread_mapped::ThreadMapped;
pub use tile_by_tile::TileByTile;

pub(crate) use binned::{BIN_NUMBERS, do_bins, find_bins, group_workers};
pub(crate) use split::{Split, do_pieces, find_cuts, fix_up, piece_size};

use cubecl::prelude::*;

use crate::{share::Share, tiles::*, work::*};

/// What is known of a launch when its kernel is compiled.
#[derive_cube_comptime]
pub struct Shape {
    /// Units a cube.
    pub units: u32,
    /// Units a plane; 1 where plane operations are not to be used.
    pub plane: u32,
    /// Units a group, for schedules with groups: a divisor of `units`.
    pub group: u32,
    /// Tiles and atoms, or atoms alone, a unit takes at a time, for schedules that have it.
    pub items: u32,
}

/// How the atoms and tiles of a tile set are spread over the units of a launch.
#[cube]
pub trait Schedule: 'static + Send + Sync {
    /// Does all of a work: every atom exactly once, then the end of each tile exactly once.
    fn run<T: TileSet, W: Work>(set: &T, work: &mut W, #[comptime] shape: Shape);
}

/// A schedule whose shares can be looped over in a kernel of one's own.
#[cube]
pub trait Sharing: 'static + Send + Sync {
    /// The share of the calling unit.
    fn share<T: TileSet>(set: &T, #[comptime] shape: Shape) -> Share;
}

#[cube(launch_unchecked)]
pub(crate) fn run<S: Schedule, T: TileSet, W: Work>(
    set: &T,
    work: &mut W,
    #[comptime] shape: Shape,
) {
    S::run::<T, W>(set, work, shape);
}
