//! Tile sets on the host.

use super::{AnyTiles, TileSet, erase_tiles};
use crate::device::GpuRuntime;

/// A tile set on the host: upper bounds of its size, and the argument for a kernel.
///
/// The tile sets of this crate create it, such as [`CsrRows::from_offsets`](crate::tiles::CsrRows::from_offsets). For a custom set:
///
/// ```no_run
/// use equipoise_schedule::{
///     device::Buffer,
///     tiles::{CsrRows, CsrRowsLaunch, Tiles},
/// };
///
/// fn rows(offsets: &Buffer<u32>, rows: u32, entries: u32) -> Tiles<'_, CsrRows> {
///     Tiles::new(rows, entries, move || CsrRowsLaunch::new(offsets.arg(), rows))
/// }
/// ```
pub struct Tiles<'a, T: TileSet> {
    tiles: u32,
    atoms: u32,
    arg: Box<dyn Fn() -> T::RuntimeArg<GpuRuntime> + 'a>,
}

impl<'a, T: TileSet> Tiles<'a, T> {
    /// A set of at most `tiles` tiles and `atoms` atoms; a kernel reads the actual numbers from the set. Not all
    /// schedules process atoms beyond the bound.
    pub fn new(tiles: u32, atoms: u32, arg: impl Fn() -> T::RuntimeArg<GpuRuntime> + 'a) -> Self {
        Self { tiles, atoms, arg: Box::new(arg) }
    }

    /// The argument for a kernel.
    pub fn arg(&self) -> T::RuntimeArg<GpuRuntime> {
        (self.arg)()
    }

    /// The same set with its type erased.
    pub(crate) fn erased(&self) -> Tiles<'_, AnyTiles> {
        Tiles::new(self.tiles, self.atoms, || erase_tiles::<T>(self.arg()))
    }

    /// The upper bound of tiles.
    pub fn tiles(&self) -> u32 {
        self.tiles
    }

    /// The upper bound of atoms.
    pub fn atoms(&self) -> u32 {
        self.atoms
    }
}
