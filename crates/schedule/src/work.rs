//! Work: what is done with atoms and tiles.

use std::{marker::PhantomData, rc::Rc};

use cubecl::{prelude::*, unexpanded};

use crate::{
    device::GpuRuntime,
    erase::{Erased, ErasedArg, ErasedExpand, erase},
    tiles::TileSetKind,
};

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

/// A value of a work: a scalar or a vector.
///
/// A bound of its own, since CubeCL takes a kernel's type parameter that is bound by [`CubePrimitive`] itself for a scalar: of
/// vectors, all but the first element would be lost.
pub trait WorkValue: CubePrimitive {}

impl<V: CubePrimitive> WorkValue for V {}

/// A work as schedules see it, whatever its type: schedules are compiled once per type of value.
///
/// It has the methods of [`Work`], and its constants as values that are known when a kernel is compiled.
pub type AnyWork<V> = Erased<dyn WorkObject<V>>;

/// What a schedule calls of a work while it defines a kernel.
pub trait WorkObject<V: WorkValue> {
    /// See [`WorkKind::LANES`].
    fn lanes(&self) -> u32;
    /// See [`WorkKind::REDUCES`].
    fn reduces(&self) -> bool;
    /// Whether the work or the tile set needs to know the tile of an atom.
    fn atom_needs_tile(&self) -> bool;
    /// Defines [`Work::identity`].
    fn identity(&self, scope: &mut Scope) -> NativeExpand<V>;
    /// Defines [`Work::atom`].
    fn atom(
        &self,
        scope: &mut Scope,
        tile: NativeExpand<u32>,
        atom: NativeExpand<u32>,
    ) -> NativeExpand<V>;
    /// Defines [`Work::combine`].
    fn combine(&self, scope: &mut Scope, a: NativeExpand<V>, b: NativeExpand<V>)
    -> NativeExpand<V>;
    /// Defines [`Work::end`].
    fn end(&self, scope: &mut Scope, tile: NativeExpand<u32>, total: NativeExpand<V>);
}

/// The expansion of a work on a tile set.
struct OnTiles<T, W: Work>(W::ExpandType, PhantomData<T>);

impl<T: TileSetKind, W: Work> WorkObject<W::Value> for OnTiles<T, W> {
    fn lanes(&self) -> u32 {
        W::LANES
    }

    fn reduces(&self) -> bool {
        W::REDUCES
    }

    fn atom_needs_tile(&self) -> bool {
        W::ATOM_NEEDS_TILE || T::ATOM_NEEDS_TILE
    }

    fn identity(&self, scope: &mut Scope) -> NativeExpand<W::Value> {
        W::__expand_identity(scope)
    }

    fn atom(
        &self,
        scope: &mut Scope,
        tile: NativeExpand<u32>,
        atom: NativeExpand<u32>,
    ) -> NativeExpand<W::Value> {
        self.0.clone().__expand_atom_method(scope, tile, atom)
    }

    fn combine(
        &self,
        scope: &mut Scope,
        a: NativeExpand<W::Value>,
        b: NativeExpand<W::Value>,
    ) -> NativeExpand<W::Value> {
        W::__expand_combine(scope, a, b)
    }

    fn end(&self, scope: &mut Scope, tile: NativeExpand<u32>, total: NativeExpand<W::Value>) {
        self.0.clone().__expand_end_method(scope, tile, total);
    }
}

/// A work for the tiles of `T`, as an argument of a schedule's kernel.
pub(crate) fn erase_work<T: TileSetKind + 'static, W: Work>(
    work: W::RuntimeArg<GpuRuntime>,
) -> ErasedArg<dyn WorkObject<W::Value>, GpuRuntime> {
    erase::<W, _, _>(work, |work| Rc::new(OnTiles::<T, W>(work, PhantomData)))
}

/// In a kernel.
impl<V: WorkValue> AnyWork<V> {
    /// See [`WorkKind::LANES`].
    pub fn lanes(&self) -> u32 {
        unexpanded!()
    }

    /// See [`WorkKind::REDUCES`].
    pub fn reduces(&self) -> bool {
        unexpanded!()
    }

    /// Whether the work or the tile set needs to know the tile of an atom.
    pub fn atom_needs_tile(&self) -> bool {
        unexpanded!()
    }

    /// See [`Work::identity`].
    pub fn identity(&self) -> V {
        unexpanded!()
    }

    /// See [`Work::atom`].
    pub fn atom(&self, _tile: u32, _atom: u32) -> V {
        unexpanded!()
    }

    /// See [`Work::combine`].
    pub fn combine(&self, _a: V, _b: V) -> V {
        unexpanded!()
    }

    /// See [`Work::end`].
    pub fn end(&self, _tile: u32, _total: V) {
        unexpanded!()
    }
}

/// While a kernel is defined.
impl<V: WorkValue> ErasedExpand<dyn WorkObject<V>> {
    pub fn lanes(&self) -> u32 {
        self.0.lanes()
    }

    pub fn reduces(&self) -> bool {
        self.0.reduces()
    }

    pub fn atom_needs_tile(&self) -> bool {
        self.0.atom_needs_tile()
    }

    pub fn __expand_identity_method(&self, scope: &mut Scope) -> NativeExpand<V> {
        self.0.identity(scope)
    }

    pub fn __expand_atom_method(
        &self,
        scope: &mut Scope,
        tile: NativeExpand<u32>,
        atom: NativeExpand<u32>,
    ) -> NativeExpand<V> {
        self.0.atom(scope, tile, atom)
    }

    pub fn __expand_combine_method(
        &self,
        scope: &mut Scope,
        a: NativeExpand<V>,
        b: NativeExpand<V>,
    ) -> NativeExpand<V> {
        self.0.combine(scope, a, b)
    }

    pub fn __expand_end_method(
        &self,
        scope: &mut Scope,
        tile: NativeExpand<u32>,
        total: NativeExpand<V>,
    ) {
        self.0.end(scope, tile, total);
    }
}
