//! Schedules: who does what.
//!
//! | name | a tile is done by | good where |
//! | --- | --- | --- |
//! | thread-mapped | a unit | tiles are small and alike |
//! | plane-mapped | a plane | tiles are about as large as a plane |
//! | cube-mapped | a cube | tiles are few and large |
//! | group-mapped | a group, which shares the atoms of many | sizes differ among neighbours |
//! | merge-path | whom tiles and atoms, divided evenly, fall to | sizes differ much |
//! | nonzero-split | whom atoms, divided evenly, fall to | sizes differ much, few are 0 |
//! | binned | a group that fits its size | the same tiles are used often |
//! | persistent | a plane of the cube that takes it next | sizes cannot be known beforehand |
//! | work-stealing | a plane of the cube whose queue has it, or that steals it | the same |
//!
//! By [name](crate::ScheduleName) they are made ready by a [`Plan`](crate::plan::Plan). Those that
//! are no more than a kernel implement [`Schedule`], as one's own does. In a kernel of one's own,
//! [`Sharing`] says what is whose.

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

pub(crate) use binned::{BIN_NUMBERS, do_bins, find_bins, group_workers};
pub(crate) use dynamic::{Taking, block_size, do_blocks, refill_queues};
pub(crate) use group_mapped::run_counted;
pub(crate) use search::{first_above, first_tile_ending_after};
pub(crate) use split::{Split, do_pieces, find_cuts, fix_up, piece_size};

use cubecl::prelude::*;

use crate::{tiles::*, work::*};

/// What is known of a launch when its kernel is compiled.
///
/// ```
/// use equipoise_schedule::schedules::Shape;
///
/// // Cubes of four planes, a plane a group.
/// let shape = Shape { units: 128, plane: 32, group: 32, items: 4 };
/// assert_eq!(shape.units / shape.group, 4);
/// ```
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
///
/// Of each tile, the set is asked where it starts and what the work calls it and its atoms. A work
/// of several [lanes](WorkKind::LANES) is called by so many neighbouring units for each atom and
/// each end. [`check_schedule`](crate::conformance::check_schedule) says whether all is right.
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
///     fn run<V: WorkValue>(set: &AnyTiles, work: &mut AnyWork<V>, #[comptime] _shape: Shape) {
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
    /// Does all of a work: every atom exactly once, then the end of each tile exactly once.
    fn run<V: WorkValue>(set: &AnyTiles, work: &mut AnyWork<V>, #[comptime] shape: Shape);
}

#[cube(launch, launch_unchecked)]
pub(crate) fn run<S: Schedule, V: WorkValue>(
    set: &AnyTiles,
    work: &mut AnyWork<V>,
    #[comptime] shape: Shape,
) {
    S::run::<V>(set, work, shape);
}
