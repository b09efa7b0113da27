//! Tile sets: the work to be distributed.
//!
//! | tile set | a tile | an atom |
//! | --- | --- | --- |
//! | [`CsrRows`] | a row, or a vertex | an entry of it, or an edge |
//! | [`CscColumns`] | a column | an entry of it |
//! | [`CooEntries`] | an entry, or an edge | the same |
//! | [`ListedRows`] | a vertex of a list | an edge of it |
//! | [`LooseRows`] | a row at any place | an entry of it |
//!
//! Custom sets implement [`TileSet`], by the running sum of the atoms, or [`CountedSet`], by the number of atoms of
//! each tile. [`Tiles`] and [`Counted`] are such sets on the host.

// CubeCL's macros add types and functions without documentation.
#![allow(missing_docs)]

mod coo;
mod counted;
mod csr;
mod host;
mod listed;
mod loose;

pub use coo::{CooEntries, CooEntriesLaunch};
pub use counted::{Counted, CountedSet, CountedSetExpand, Summed, SummedLaunch};
pub use csr::{CscColumns, CsrRows, CsrRowsLaunch};
pub use host::Tiles;
pub use listed::{ListedRows, ListedRowsLaunch, VertexList};
pub use loose::{LooseRows, LooseRowsLaunch};

use std::rc::Rc;

use cubecl::{prelude::*, unexpanded};

use crate::{
    Error, Result,
    device::{Buffer, GpuRuntime},
    erase::{Erased, ErasedArg, ErasedExpand, erasable, erase},
};

/// The properties of a tile set that schedules use.
///
/// ```
/// use equipoise_schedule::tiles::{CsrRows, ListedRows, TileSetKind};
///
/// assert!(!CsrRows::ATOM_NEEDS_TILE);
/// assert!(ListedRows::ATOM_NEEDS_TILE);
/// ```
pub trait TileSetKind {
    /// Whether the name of an atom depends on its tile. If so, schedules find the tile of each atom.
    const ATOM_NEEDS_TILE: bool = false;
}

/// A sequence of tiles, each with a sequence of atoms.
///
/// Atoms are numbered through all tiles: tile `t` has the atoms from `start(t)` to `start(t + 1)`, and tile 0 starts at
/// atom
/// 0. `tile` and `atom` are the work's names of them.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::tiles::*;
///
/// /// A graph with the same number of neighbours per vertex.
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
    /// The number of tiles.
    fn tiles(&self) -> u32;
    /// The number of atoms before a tile. `start(tiles())` is the total.
    fn start(&self, tile: u32) -> u32;
    /// The work's name of a tile.
    fn tile(&self, tile: u32) -> u32;
    /// The work's name of an atom.
    fn atom(&self, tile: u32, atom: u32) -> u32;
}

/// A tile set with its type erased, as schedules use it, so that they are compiled once.
pub type AnyTiles = Erased<dyn TileObject>;

erasable! {
    /// The methods of a [`TileSet`] that a schedule calls while it defines a kernel.
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

/// The conservative answer. A work on the set [knows](crate::work::AnyWork) the actual one.
impl<O: ?Sized> TileSetKind for Erased<O> {
    const ATOM_NEEDS_TILE: bool = true;
}

/// The number of tiles between offsets, which are their starts and the end of the last one.
fn tiles_between(offsets: &Buffer<u32>) -> Result<u32> {
    let Some(tiles) = offsets.len().checked_sub(1) else {
        return Err(Error::Schedule(
            "no offsets: one a tile and one more are needed, so `[0]` without tiles".into(),
        ));
    };
    count_of_tiles(tiles)
}

/// The number of tiles, if 32 bits count them.
fn count_of_tiles(tiles: usize) -> Result<u32> {
    u32::try_from(tiles).map_err(|_| Error::TooMany {
        what: "the tile set".into(),
        count: tiles as u64,
        limit: u64::from(u32::MAX),
    })
}
