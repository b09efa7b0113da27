//! Works: what is done with atoms and tiles.

use std::{marker::PhantomData, rc::Rc};

use cubecl::{prelude::*, unexpanded};

use crate::{
    device::GpuRuntime,
    erase::{Erased, ErasedArg, ErasedExpand, erase_defining},
    tiles::TileSetKind,
};

/// The properties of a work that schedules use, with the common defaults.
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
    /// Whether tiles have totals. A work that only scatters says no and needs no reduction; then the totals passed to
    /// [`end`](Work::end) are undefined, and atoms may follow it.
    const REDUCES: bool = true;
    /// Whether the work of an atom depends on its tile. If not, no search is needed, and the tile is arbitrary.
    const ATOM_NEEDS_TILE: bool = true;
    /// The number of neighbouring units that do an atom together, each one part: a power of two, at most the plane
    /// size. The part of a unit is `UNIT_POS % LANES`; totals are per part.
    const LANES: u32 = 1;
}

/// What is done with each atom, and with the total of each tile.
///
/// It is a struct of the arrays it reads and writes: [`Input`](crate::input::Input) for read-only ones, `Array` for
/// others. A schedule calls [`atom`](Work::atom) exactly once per atom, and [`end`](Work::end) exactly once per tile,
/// also for empty ones; with several [lanes](WorkKind::LANES), in each lane.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{input::Input, work::*};
///
/// /// Counts the edges of each vertex that are heavier than a limit.
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
    /// The value of an atom, and of the total of a tile.
    type Value: CubePrimitive;

    /// The neutral element of `combine`.
    fn identity() -> Self::Value;
    /// Processes an atom.
    fn atom(&mut self, tile: u32, atom: u32) -> Self::Value;
    /// Combines two values. Order and grouping must not matter, except for rounding.
    fn combine(a: Self::Value, b: Self::Value) -> Self::Value;
    /// Processes a tile, with the total of its atoms.
    fn end(&mut self, tile: u32, total: Self::Value);
}

/// A value of a work in a schedule: a scalar or a vector, whose type is known when a kernel is defined.
pub type WorkValue = Vector<DynamicScalar<ValueType>, DynamicSize<ValueType>>;

/// Stands for the type of a work's values until a kernel is defined.
#[derive(Debug)]
pub enum ValueType {}

/// A work with its type erased, as schedules use it, so that they are compiled once.
///
/// It has the methods of [`Work`], and its constants as values that are known when a kernel is compiled.
pub type AnyWork = Erased<dyn WorkObject>;

/// The methods of a work that a schedule calls while it defines a kernel.
pub trait WorkObject {
    /// See [`WorkKind::LANES`].
    fn lanes(&self) -> u32;
    /// See [`WorkKind::REDUCES`].
    fn reduces(&self) -> bool;
    /// Whether the work or the tile set needs to know the tile of an atom.
    fn atom_needs_tile(&self) -> bool;
    /// Defines [`Work::identity`].
    fn identity(&self, scope: &mut Scope) -> NativeExpand<WorkValue>;
    /// Defines [`Work::atom`].
    fn atom(
        &self,
        scope: &mut Scope,
        tile: NativeExpand<u32>,
        atom: NativeExpand<u32>,
    ) -> NativeExpand<WorkValue>;
    /// Defines [`Work::combine`].
    fn combine(
        &self,
        scope: &mut Scope,
        a: NativeExpand<WorkValue>,
        b: NativeExpand<WorkValue>,
    ) -> NativeExpand<WorkValue>;
    /// Defines [`Work::end`].
    fn end(&self, scope: &mut Scope, tile: NativeExpand<u32>, total: NativeExpand<WorkValue>);
}

/// The expansion of a work on a tile set.
struct OnTiles<T, W: Work>(W::ExpandType, PhantomData<T>);

impl<T: TileSetKind, W: Work> WorkObject for OnTiles<T, W> {
    fn lanes(&self) -> u32 {
        W::LANES
    }

    fn reduces(&self) -> bool {
        W::REDUCES
    }

    fn atom_needs_tile(&self) -> bool {
        W::ATOM_NEEDS_TILE || T::ATOM_NEEDS_TILE
    }

    fn identity(&self, scope: &mut Scope) -> NativeExpand<WorkValue> {
        retyped(W::__expand_identity(scope))
    }

    fn atom(
        &self,
        scope: &mut Scope,
        tile: NativeExpand<u32>,
        atom: NativeExpand<u32>,
    ) -> NativeExpand<WorkValue> {
        retyped(self.0.clone().__expand_atom_method(scope, tile, atom))
    }

    fn combine(
        &self,
        scope: &mut Scope,
        a: NativeExpand<WorkValue>,
        b: NativeExpand<WorkValue>,
    ) -> NativeExpand<WorkValue> {
        retyped(W::__expand_combine(scope, retyped(a), retyped(b)))
    }

    fn end(&self, scope: &mut Scope, tile: NativeExpand<u32>, total: NativeExpand<WorkValue>) {
        self.0.clone().__expand_end_method(scope, tile, retyped(total));
    }
}

/// The same variable with another Rust type: [`WorkValue`] for the type of a work, or back. The variable knows its type
/// on the device.
fn retyped<A: CubePrimitive, B: CubePrimitive>(value: NativeExpand<A>) -> NativeExpand<B> {
    NativeExpand::new(value.expand)
}

/// Defines [`WorkValue`] as the values of a work.
fn define_value<W: Work>(scope: &mut Scope) {
    let value = W::Value::as_type(scope);
    scope.register_type::<DynamicScalar<ValueType>>(value.storage_type());
    scope.register_size::<DynamicSize<ValueType>>(value.vector_size());
}

/// A work on the tiles of `T`, as an argument of a schedule's kernel.
pub(crate) fn erase_work<T: TileSetKind + 'static, W: Work>(
    work: W::RuntimeArg<GpuRuntime>,
) -> ErasedArg<dyn WorkObject, GpuRuntime> {
    erase_defining::<W, _, _>(work, define_value::<W>, |work| {
        Rc::new(OnTiles::<T, W>(work, PhantomData))
    })
}

/// The methods in a kernel.
impl AnyWork {
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
    pub fn identity(&self) -> WorkValue {
        unexpanded!()
    }

    /// See [`Work::atom`].
    pub fn atom(&self, _tile: u32, _atom: u32) -> WorkValue {
        unexpanded!()
    }

    /// See [`Work::combine`].
    pub fn combine(&self, _a: WorkValue, _b: WorkValue) -> WorkValue {
        unexpanded!()
    }

    /// See [`Work::end`].
    pub fn end(&self, _tile: u32, _total: WorkValue) {
        unexpanded!()
    }
}

/// The methods while a kernel is defined.
impl ErasedExpand<dyn WorkObject> {
    pub fn lanes(&self) -> u32 {
        self.0.lanes()
    }

    pub fn reduces(&self) -> bool {
        self.0.reduces()
    }

    pub fn atom_needs_tile(&self) -> bool {
        self.0.atom_needs_tile()
    }

    pub fn __expand_identity_method(&self, scope: &mut Scope) -> NativeExpand<WorkValue> {
        self.0.identity(scope)
    }

    pub fn __expand_atom_method(
        &self,
        scope: &mut Scope,
        tile: NativeExpand<u32>,
        atom: NativeExpand<u32>,
    ) -> NativeExpand<WorkValue> {
        self.0.atom(scope, tile, atom)
    }

    pub fn __expand_combine_method(
        &self,
        scope: &mut Scope,
        a: NativeExpand<WorkValue>,
        b: NativeExpand<WorkValue>,
    ) -> NativeExpand<WorkValue> {
        self.0.combine(scope, a, b)
    }

    pub fn __expand_end_method(
        &self,
        scope: &mut Scope,
        tile: NativeExpand<u32>,
        total: NativeExpand<WorkValue>,
    ) {
        self.0.end(scope, tile, total);
    }
}
