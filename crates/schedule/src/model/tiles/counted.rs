//! Tiles with a number of atoms each, without the running sum.

use cubecl::prelude::*;

use super::{TileSet, TileSetExpand, TileSetKind, Tiles};
use crate::{
    Error, Result,
    device::{Buffer, Gpu, GpuRuntime},
    input::Input,
    primitives,
    ranges::grid_stride_range,
};

/// Units per cube of the launch that looks up counts.
const UNITS: u32 = 256;

/// Tiles with a number of atoms each, from an array or computed.
///
/// A [`TileSet`] has the running sum of these numbers. Here it need not exist: group-mapped scans the numbers of a
/// group's tiles in shared memory (Osama et al., 5.2.3), and for the other schedules a
/// [`CountedPlan`](crate::plan::CountedPlan) computes the sums. So atoms are numbered from 0 in each tile.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::tiles::*;
///
/// /// The lower triangle of a dense matrix: row `r` has `r + 1` numbers.
/// #[derive(CubeType, CubeLaunch)]
/// struct Triangle {
///     rows: u32,
/// }
///
/// #[cube]
/// impl CountedSet for Triangle {
///     fn tiles(&self) -> u32 {
///         self.rows
///     }
///
///     fn count(&self, tile: u32) -> u32 {
///         tile + 1
///     }
///
///     fn tile(&self, tile: u32) -> u32 {
///         tile
///     }
///
///     fn atom(&self, tile: u32, index: u32) -> u32 {
///         tile * self.rows + index
///     }
/// }
/// ```
#[cube]
pub trait CountedSet: LaunchArg {
    /// The number of tiles.
    fn tiles(&self) -> u32;
    /// The number of atoms of a tile.
    fn count(&self, tile: u32) -> u32;
    /// The work's name of a tile.
    fn tile(&self, tile: u32) -> u32;
    /// The work's name of the `index`-th atom of a tile, from 0.
    fn atom(&self, tile: u32, index: u32) -> u32;
}

/// Counted tiles on the host: upper bounds of their numbers, and the argument for a kernel.
///
/// [`LooseRows::from_counts`](super::LooseRows::from_counts) creates one. For a custom set:
///
/// ```no_run
/// use equipoise_schedule::{
///     device::Buffer,
///     tiles::{Counted, LooseRows, LooseRowsLaunch},
/// };
///
/// fn rows<'a>(
///     begins: &'a Buffer<u32>,
///     counts: &'a Buffer<u32>,
///     rows: u32,
///     entries: u32,
/// ) -> Counted<'a, LooseRows> {
///     Counted::new(rows, entries, move || {
///         LooseRowsLaunch::new(begins.arg(), counts.arg(), rows)
///     })
/// }
/// ```
pub struct Counted<'a, C: CountedSet> {
    tiles: u32,
    atoms: u32,
    arg: Box<dyn Fn() -> C::RuntimeArg<GpuRuntime> + 'a>,
}

impl<'a, C: CountedSet> Counted<'a, C> {
    /// At most `tiles` tiles with at most `atoms` atoms in all.
    pub fn new(tiles: u32, atoms: u32, arg: impl Fn() -> C::RuntimeArg<GpuRuntime> + 'a) -> Self {
        Self { tiles, atoms, arg: Box::new(arg) }
    }

    /// The argument for a kernel.
    pub fn arg(&self) -> C::RuntimeArg<GpuRuntime> {
        (self.arg)()
    }

    /// The upper bound of tiles.
    pub fn tiles(&self) -> u32 {
        self.tiles
    }

    /// The upper bound of atoms.
    pub fn atoms(&self) -> u32 {
        self.atoms
    }

    /// The current number of atoms before each tile, and after the last one the total.
    pub fn sums(&self, gpu: &Gpu) -> Result<Buffer<u32>> {
        let counts = gpu.empty(self.tiles as usize)?;
        if self.tiles > 0 {
            // SAFETY: the kernel writes below the length of `counts`, and reads tiles of the set.
            unsafe {
                look_up_counts::launch_unchecked::<C, GpuRuntime>(
                    gpu.client(),
                    gpu.cubes(u64::from(self.tiles).div_ceil(u64::from(UNITS))),
                    CubeDim::new_1d(UNITS),
                    self.arg(),
                    counts.arg(),
                );
            }
        }
        primitives::offsets(gpu, &counts)
    }

    /// The same tiles as a tile set, given their [`sums`](Self::sums), for custom kernels that loop over shares.
    ///
    /// Fails unless `sums` has one element per tile and one more.
    pub fn summed<'s>(&'s self, sums: &'s Buffer<u32>) -> Result<Tiles<'s, Summed<C>>> {
        if sums.len() != self.tiles as usize + 1 {
            return Err(Error::Schedule(format!(
                "{} sums for {} tiles: one a tile and one more are needed",
                sums.len(),
                self.tiles
            )));
        }
        Ok(Tiles::new(self.tiles, self.atoms, || SummedLaunch::new(self.arg(), sums.arg())))
    }
}

/// The number of atoms of each tile; zero beyond the last.
#[cube(launch_unchecked)]
fn look_up_counts<C: CountedSet>(set: &C, counts: &mut Array<u32>) {
    let tiles = set.tiles();
    for tile in grid_stride_range(0, counts.len() as u32) {
        let mut count = 0u32;
        if tile < tiles {
            count = set.count(tile);
        }
        counts[tile as usize] = count;
    }
}

/// Counted tiles with the running sum of their atoms: a tile set for any schedule, created by [`Counted::summed`].
///
/// ```
/// use equipoise_schedule::tiles::{LooseRows, Summed, TileSetKind};
///
/// assert!(Summed::<LooseRows>::ATOM_NEEDS_TILE);
/// ```
#[derive(CubeType, CubeLaunch)]
pub struct Summed<C: CountedSet> {
    counted: C,
    sums: Input<u32>,
}

impl<C: CountedSet> TileSetKind for Summed<C> {
    const ATOM_NEEDS_TILE: bool = true;
}

#[cube]
impl<C: CountedSet> TileSet for Summed<C> {
    fn tiles(&self) -> u32 {
        self.counted.tiles()
    }

    fn start(&self, tile: u32) -> u32 {
        self.sums[tile as usize]
    }

    fn tile(&self, tile: u32) -> u32 {
        self.counted.tile(tile)
    }

    fn atom(&self, tile: u32, atom: u32) -> u32 {
        self.counted.atom(tile, atom - self.sums[tile as usize])
    }
}
