//! Tiles of which only the number of atoms is known, not the running sum.

use cubecl::prelude::*;

use super::{TileSet, TileSetExpand, TileSetKind};
use crate::{
    Error, Result,
    device::{Buffer, Gpu, GpuRuntime},
    input::Input,
    plan::Tiles,
    primitives,
    ranges::grid_stride_range,
};

/// Units a cube of the launch that looks up counts.
const UNITS: u32 = 256;

/// Tiles that say how many atoms each has: from an array, or computed.
///
/// A [`TileSet`] has the running sum of these numbers. Here it need not exist: group-mapped scans
/// the numbers of a group's tiles in shared memory (Osama et al., 5.2.3), and for the other
/// schedules a [`CountedPlan`](crate::plan::CountedPlan) makes the sums. So atoms are not counted
/// through: `atom` is asked for the first, second, … of a tile.
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
    /// How many tiles there are.
    fn tiles(&self) -> u32;
    /// How many atoms a tile has.
    fn count(&self, tile: u32) -> u32;
    /// What the work calls a tile.
    fn tile(&self, tile: u32) -> u32;
    /// What the work calls the `index`-th atom of a tile, counted from 0.
    fn atom(&self, tile: u32, index: u32) -> u32;
}

/// Counted tiles as the host has them: how many there are at most, and how they are handed to a
/// kernel.
///
/// [`LooseRows::of`](super::LooseRows::of) makes one. For one's own:
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

    /// How many tiles there are at most.
    pub fn tiles(&self) -> u32 {
        self.tiles
    }

    /// How many atoms there are at most.
    pub fn atoms(&self) -> u32 {
        self.atoms
    }

    /// How many atoms come before each tile, as they are now, and after the last, how many there
    /// are in all.
    ///
    /// ```no_run
    /// use equipoise_schedule::{Result, device::Gpu, tiles::LooseRows};
    ///
    /// fn example(gpu: &Gpu) -> Result<()> {
    ///     let (begins, counts) = (gpu.upload(&[7, 0, 2])?, gpu.upload(&[2, 1, 3])?);
    ///     let rows = LooseRows::of(&begins, &counts, 6)?;
    ///     assert_eq!(gpu.download(&rows.sums(gpu)?)?, [0, 2, 3, 6]);
    ///     Ok(())
    /// }
    /// ```
    pub fn sums(&self, gpu: &Gpu) -> Result<Buffer<u32>> {
        let counts = gpu.empty(self.tiles as usize)?;
        if self.tiles > 0 {
            // SAFETY: the kernel writes below the length of `counts` only, and asks for tiles that
            // the set has.
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

    /// The same tiles as a tile set, given their [`sums`](Self::sums): for kernels of one's own
    /// that loop over shares.
    ///
    /// Fails where there is not a sum for each tile and one more.
    ///
    /// ```no_run
    /// use equipoise_schedule::{
    ///     Result,
    ///     device::{Buffer, Gpu},
    ///     plan::Tiles,
    ///     tiles::{Counted, CountedSet, Summed},
    /// };
    ///
    /// fn atoms<C: CountedSet>(gpu: &Gpu, counted: &Counted<C>) -> Result<u32> {
    ///     let sums = counted.sums(gpu)?;
    ///     let tiles: Tiles<Summed<C>> = counted.summed(&sums)?;
    ///     Ok(tiles.atoms())
    /// }
    /// ```
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

/// The number of atoms of each tile; none beyond the last.
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

/// Counted tiles with the running sum of their atoms: a tile set for any schedule. Made by
/// [`Counted::summed`].
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
