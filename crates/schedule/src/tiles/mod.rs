//! Tile sets: what there is to do.
//!
//! | tile set | a tile | an atom |
//! | --- | --- | --- |
//! | [`CsrRows`] | a row, or a vertex | an entry of it, or an edge |
//! | [`CscColumns`] | a column | an entry of it |
//! | [`CooEntries`] | an entry, or an edge | the same |
//! | [`ListedRows`] | a vertex of a list | an edge of it |
//! | [`LooseRows`] | a row that lies anywhere | an entry of it |
//!
//! Others implement [`TileSet`], by the running sum of the atoms, or [`CountedSet`], by the number
//! of atoms of each tile, as the last one here. [`Tiles`](crate::plan::Tiles) and [`Counted`] are
//! such sets as the host has them.

// CubeCL's macros add types and functions without documentation.
#![allow(missing_docs)]

mod coo;
mod counted;
mod csc;
mod csr;
mod listed;
mod loose;

pub use coo::{CooEntries, CooEntriesLaunch};
pub use counted::{Counted, CountedSet, CountedSetExpand, Summed, SummedLaunch};
pub use csc::{CscColumns, CscColumnsLaunch};
pub use csr::{CsrRows, CsrRowsLaunch};
pub use listed::{ListedRows, ListedRowsLaunch, VertexList};
pub use loose::{LooseRows, LooseRowsLaunch};

use std::rc::Rc;

use cubecl::{prelude::*, unexpanded};

use crate::{
    Error, Result,
    device::{Buffer, GpuRuntime},
    erase::{Erased, ErasedArg, ErasedExpand, erasable, erase},
};

/// What a tile set is, for the schedules.
///
/// ```
/// use equipoise_schedule::tiles::{CsrRows, ListedRows, TileSetKind};
///
/// assert!(!CsrRows::ATOM_NEEDS_TILE);
/// assert!(ListedRows::ATOM_NEEDS_TILE);
/// ```
pub trait TileSetKind {
    /// Whether the name of an atom depends on the tile it is in. Where it does, schedules have to
    /// find out the tile of each atom.
    const ATOM_NEEDS_TILE: bool = false;
}

/// Tiles in a row, each with atoms in a row.
///
/// Atoms are counted through all tiles: tile `t` has the atoms from `start(t)` to `start(t + 1)`,
/// tile 0 starts at atom 0. What the work calls them, `tile` and `atom` say.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::tiles::*;
///
/// /// A graph whose vertices all have the same number of neighbours, one list after the other.
/// #[derive(CubeType, CubeLaunch)]
/// struct Regular {
///     vertices: u32,
///     degree: u32,
/// }
///
/// impl TileSetKind for Regular {}
///
/// #[cube]
/// impl TileSet for Regular {
///     fn tiles(&self) -> u32 {
///         self.vertices
///     }
///
///     fn start(&self, tile: u32) -> u32 {
///         tile * self.degree
///     }
///
///     fn tile(&self, tile: u32) -> u32 {
///         tile
///     }
///
///     fn atom(&self, _tile: u32, atom: u32) -> u32 {
///         atom
///     }
/// }
/// ```
#[cube]
pub trait TileSet: TileSetKind + LaunchArg {
    /// How many tiles there are.
    fn tiles(&self) -> u32;
    /// How many atoms come before a tile. `start(tiles())` is the number of all.
    fn start(&self, tile: u32) -> u32;
    /// What the work calls a tile.
    fn tile(&self, tile: u32) -> u32;
    /// What the work calls an atom.
    fn atom(&self, tile: u32, atom: u32) -> u32;
}

/// A tile set as schedules see it, whatever its type: schedules are compiled once for all of them.
pub type AnyTiles = Erased<dyn TileObject>;

erasable! {
    /// What a schedule calls of a [`TileSet`] while it defines a kernel.
    TileSet / TileSetExpand as TileObject {
        tiles / __expand_tiles_method [] () -> u32;
        start / __expand_start_method [] (tile: u32) -> u32;
        tile / __expand_tile_method [] (tile: u32) -> u32;
        atom / __expand_atom_method [] (tile: u32, atom: u32) -> u32;
    }
}

/// A tile set as an argument of a schedule's kernel.
pub(crate) fn erase_tiles<T: TileSet>(
    set: T::RuntimeArg<GpuRuntime>,
) -> ErasedArg<dyn TileObject, GpuRuntime> {
    erase::<T, _, _>(set, |set| Rc::new(set))
}

/// As for a set of which nothing is known. Works on such a set [know](crate::work::AnyWork) what it is.
impl<O: ?Sized> TileSetKind for Erased<O> {
    const ATOM_NEEDS_TILE: bool = true;
}

/// How many tiles there are where an array says where each starts and the last one ends.
fn tiles_between(offsets: &Buffer<u32>) -> Result<u32> {
    let Some(tiles) = offsets.len().checked_sub(1) else {
        return Err(Error::Schedule(
            "no offsets: one a tile and one more are needed, `[0]` where there are no tiles".into(),
        ));
    };
    count_of_tiles(tiles)
}

/// So many tiles, if 32 bits count them.
fn count_of_tiles(tiles: usize) -> Result<u32> {
    u32::try_from(tiles).map_err(|_| Error::TooMany {
        what: "the tile set".into(),
        count: tiles as u64,
        limit: u64::from(u32::MAX),
    })
}
