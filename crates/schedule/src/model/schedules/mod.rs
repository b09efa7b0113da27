//! Schedules: which units process which tiles and atoms.
//!
//! | name | a tile is processed by | suited to |
//! | --- | --- | --- |
//! | thread-mapped | a unit | small tiles of similar size |
//! | plane-mapped | a plane | tiles about as large as a plane |
//! | cube-mapped | a cube | few, large tiles |
//! | group-mapped | a group, which shares the atoms of many tiles | sizes that differ among neighbours |
//! | merge-path | the units of an equal part of tiles and atoms | very different sizes |
//! | nonzero-split | the units of an equal part of the atoms | very different sizes, few of them 0 |
//! | binned | a group that fits its size | tiles that are used repeatedly |
//! | persistent | a plane of the next free cube | sizes unknown in advance |
//! | work-stealing | a plane of the cube whose queue has it, or that steals it | the same |
//!
//! A [`Plan`](crate::plan::Plan) prepares them by [name](crate::ScheduleName). Those that consist of a kernel implement
//! [`Schedule`], as a custom one does. A custom kernel loops over shares, see [`Sharing`].

mod accumulate;
mod binned;
mod dynamic;
mod group_mapped;
mod group_reduce;
mod group_tiles;
mod merge_path;
mod nonzero_split;
mod search;
mod segmented;
mod sharing;
mod split;
mod thread_mapped;
mod tile_by_tile;

pub use binned::{Binned, BinnedTiles, BinnedTilesLaunch};
pub use dynamic::{Persistent, TileQueues, TileQueuesLaunch, WorkStealing};
pub use group_mapped::GroupMapped;
pub use merge_path::MergePath;
pub use nonzero_split::NonzeroSplit;
pub use sharing::*;
pub use thread_mapped::ThreadMapped;
pub use tile_by_tile::TileByTile;

pub(crate) use binned::{Bins, do_bins};
pub(crate) use dynamic::{Queues, Taking, block_size, do_blocks};
pub(crate) use group_mapped::run_counted;
pub(crate) use search::{first_above, first_tile_ending_after};
pub(crate) use split::{Split, do_pieces, find_cuts, fix_up, piece_size};

use cubecl::prelude::*;

use crate::{tiles::*, work::*};

sharing::prepare_nothing!(ThreadMapped, TileByTile, GroupMapped, MergePath, NonzeroSplit);

/// The constants of a launch when its kernel is compiled.
///
/// ```
/// use equipoise_schedule::schedules::Shape;
///
/// // Cubes of four planes, each of which is a group.
/// let shape = Shape { units: 128, plane: 32, group: 32, items: 4 };
/// assert_eq!(shape.units / shape.group, 4);
/// ```
#[derive_cube_comptime]
pub struct Shape {
    /// Units per cube.
    pub units: u32,
    /// Units per plane; 1 to avoid plane operations.
    pub plane: u32,
    /// Units per group, for schedules with groups: a divisor of `units`.
    pub group: u32,
    /// Tiles and atoms, or atoms alone, that a unit takes at a time, for schedules that use it.
    pub items: u32,
}

/// How the atoms and tiles of a tile set are spread over the units of a launch.
///
/// A work of several [lanes](WorkKind::LANES) is called by that number of neighbouring units for each atom and each
/// end. `equipoise_conformance::check_schedule` checks a schedule on every shape of tile set.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     ranges::step_range,
///     schedules::{Schedule, Shape},
///     tiles::*,
///     work::*,
/// };
///
/// /// One tile per unit, in strides.
/// struct InTurns;
///
/// #[cube]
/// impl Schedule for InTurns {
///     fn run(set: &AnyTiles, work: &mut AnyWork, #[comptime] _shape: Shape) {
///         let lanes = comptime!(work.lanes());
///         let worker = ABSOLUTE_POS as u32 / lanes;
///         for tile in step_range(worker, set.tiles(), CUBE_COUNT as u32 * (CUBE_DIM / lanes)) {
///             let mut total = work.identity();
///             for atom in set.start(tile)..set.start(tile + 1) {
///                 total = work.combine(total, work.atom(set.tile(tile), set.atom(tile, atom)));
///             }
///             work.end(set.tile(tile), total);
///         }
///     }
/// }
/// ```
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait Schedule: 'static + Send + Sync {
    /// Runs a work: every atom exactly once, then the end of each tile exactly once.
    fn run(set: &AnyTiles, work: &mut AnyWork, #[comptime] shape: Shape);
}

#[cube(launch, launch_unchecked)]
pub(crate) fn run<S: Schedule>(set: &AnyTiles, work: &mut AnyWork, #[comptime] shape: Shape) {
    S::run(set, work, shape);
}
