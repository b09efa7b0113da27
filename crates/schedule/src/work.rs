//! Work: what is done with atoms and tiles.

use cubecl::prelude::*;

use crate::ScheduleName;

/// What a work is, for the schedules. What is not said is as it is for most.
///
/// ```
/// use equipoise_schedule::work::WorkKind;
///
/// /// Marks the neighbours of vertices.
/// struct Mark;
///
/// impl WorkKind for Mark {
///     const REDUCES: bool = false;
/// }
///
/// assert!(Mark::ATOM_NEEDS_TILE);
/// assert_eq!(Mark::LANES, 1);
/// ```
pub trait WorkKind {
    /// Whether tiles have a total. A work that only scatters says no and pays for no reduction;
    /// what its tiles are then ended with is not defined, nor whether their atoms are done by
    /// then.
    const REDUCES: bool = true;
    /// Whether what is done with an atom depends on its tile. A work that says no pays for no
    /// search, and receives any tile.
    const ATOM_NEEDS_TILE: bool = true;
    /// How many neighbouring units do an atom together, each its part of it: a power of two, at
    /// most the plane size. Which part is a unit's own, `UNIT_POS % LANES` says; totals are those
    /// of the same part of all atoms.
    const LANES: u32 = 1;
    /// The schedules that it is done under: its kernels are compiled for these alone, and
    /// [`Plan::new`](crate::plan::Plan::new) refuses others.
    const SCHEDULES: &'static [ScheduleName] = ScheduleName::ALL;
}

/// Whether a work is done under a schedule: known when it is compiled.
pub(crate) const fn is_done_under<W: WorkKind>(schedule: ScheduleName) -> bool {
    let mut place = 0;
    while place < W::SCHEDULES.len() {
        if W::SCHEDULES[place] as u8 == schedule as u8 {
            return true;
        }
        place += 1;
    }
    false
}

/// What is done with each atom, and with the total of each tile.
///
/// It is a struct of the arrays it reads and writes: those it only reads as
/// [`Input`](crate::input::Input), the others as `Array`. A schedule calls [`atom`](Work::atom)
/// exactly once for each atom, and [`end`](Work::end) exactly once for each tile, those without
/// atoms too; with several [lanes](WorkKind::LANES), by each of them.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{input::Input, work::*};
///
/// /// How many of a vertex' edges are heavier than a limit.
/// #[derive(CubeType, CubeLaunch)]
/// struct Heavy {
///     weights: Input<f32>,
///     limit: f32,
///     counts: Array<u32>,
/// }
///
/// impl WorkKind for Heavy {}
///
/// #[cube]
/// impl Work for Heavy {
///     type Value = u32;
///
///     fn identity() -> u32 {
///         0u32.runtime()
///     }
///
///     fn atom(&mut self, _vertex: u32, edge: u32) -> u32 {
///         u32::cast_from(self.weights[edge as usize] > self.limit)
///     }
///
///     fn combine(a: u32, b: u32) -> u32 {
///         a + b
///     }
///
///     fn end(&mut self, vertex: u32, total: u32) {
///         self.counts[vertex as usize] = total;
///     }
/// }
/// ```
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait Work: WorkKind + LaunchArg {
    /// What an atom gives and a tile adds up to.
    type Value: CubePrimitive;

    /// What `combine` leaves unchanged.
    fn identity() -> Self::Value;
    /// Does an atom.
    fn atom(&mut self, tile: u32, atom: u32) -> Self::Value;
    /// Puts two together. The order and the grouping must not matter, but for rounding.
    fn combine(a: Self::Value, b: Self::Value) -> Self::Value;
    /// Ends a tile, with the total of its atoms.
    fn end(&mut self, tile: u32, total: Self::Value);
}
