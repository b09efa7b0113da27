//! Operations as the host has them.

use std::{fmt, rc::Rc};

use cubecl::prelude::LaunchArg;

use super::{
    edge::*,
    peel::{PeelObject, PeelOp},
    vertices::{VertexObject, VertexOp},
};
use crate::{
    device::GpuRuntime,
    erase::{ErasedArg, erase},
    plan::{Plan, Tiles},
    tiles::TileSet,
    work::Work,
};

/// An operation with the buffers that it works on.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{device::Buffer, engine::*};
///
/// #[derive(CubeType, CubeLaunch)]
/// struct Halve {
///     ranks: Array<f32>,
/// }
///
/// #[cube]
/// impl VertexOp for Halve {
///     fn apply(&mut self, vertex: u32) -> bool {
///         self.ranks[vertex as usize] *= 0.5;
///         true.runtime()
///     }
/// }
///
/// fn halve(ranks: &Buffer<f32>) -> Operation<'_, Halve> {
///     Operation::checked(|| HalveLaunch::new(ranks.arg()))
/// }
/// ```
pub struct Operation<'a, Op: LaunchArg> {
    arg: Box<dyn Fn() -> Op::RuntimeArg<GpuRuntime> + 'a>,
    checked: bool,
}

impl<'a, Op: LaunchArg> Operation<'a, Op> {
    /// An operation whose every access is checked: one beyond the end of a buffer does nothing, or
    /// reads something else of the same buffer.
    pub fn checked(arg: impl Fn() -> Op::RuntimeArg<GpuRuntime> + 'a) -> Self {
        Self { arg: Box::new(arg), checked: true }
    }

    /// An operation that is not checked, which is faster.
    ///
    /// # Safety
    ///
    /// For each vertex and each edge of the graph that it is used with, it reads and writes within
    /// its buffers only; and where it says that a vertex [joins once](super::EdgeOpKind::JOINS_ONCE)
    /// an iteration, it does.
    pub unsafe fn unchecked(arg: impl Fn() -> Op::RuntimeArg<GpuRuntime> + 'a) -> Self {
        Self { arg: Box::new(arg), checked: false }
    }

    /// Does a work that is made of this operation.
    ///
    /// # Safety
    ///
    /// The work keeps within its own arrays.
    pub(super) unsafe fn run<T: TileSet, W: Work>(
        &self,
        plan: &Plan<T, W>,
        tiles: &Tiles<T>,
        work: impl Fn() -> W::RuntimeArg<GpuRuntime>,
    ) {
        if self.checked {
            plan.run_checked(tiles, work);
        } else {
            // SAFETY: the caller sees to the work, and who made the operation to that.
            unsafe { plan.run(tiles, work) };
        }
    }

    pub(super) fn is_checked(&self) -> bool {
        self.checked
    }

    pub(super) fn arg(&self) -> Op::RuntimeArg<GpuRuntime> {
        (self.arg)()
    }
}

impl<Op: LaunchArg> fmt::Debug for Operation<'_, Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operation").field("checked", &self.checked).finish_non_exhaustive()
    }
}

/// An operation whose type is forgotten, so that kernels are compiled once for all operations with these methods.
pub(super) struct AnyOperation<'a, O: ?Sized> {
    arg: Box<dyn Fn() -> ErasedArg<O, GpuRuntime> + 'a>,
    pub checked: bool,
    pub kind: EdgeKind,
}

impl<O: ?Sized> AnyOperation<'_, O> {
    pub fn arg(&self) -> ErasedArg<O, GpuRuntime> {
        (self.arg)()
    }
}

/// One conversion for each set of methods that kernels use.
macro_rules! conversion {
    ($name:ident, $($bound:path),+ => $object:ident) => {
        pub(super) fn $name(&self) -> AnyOperation<'_, dyn $object>
        where
            $(Op: $bound,)+
        {
            AnyOperation {
                arg: Box::new(|| erase::<Op, dyn $object, _>(self.arg(), |op| Rc::new(op))),
                checked: self.checked,
                kind: EdgeKind::of::<Op>(),
            }
        }
    };
}

impl<Op: LaunchArg> Operation<'_, Op> {
    conversion!(as_edge_op, EdgeOp, EdgeOpKind => EdgeObject);
    conversion!(as_pull_op, PullOp, EdgeOpKind => PullObject);
    conversion!(as_distance_op, DistanceOp, EdgeOpKind => DistanceObject);
    conversion!(as_peel_op, PeelOp, EdgeOpKind => PeelObject);
}

impl<Op: VertexOp> Operation<'_, Op> {
    pub(super) fn vertex_arg(&self) -> ErasedArg<dyn VertexObject, GpuRuntime> {
        erase::<Op, dyn VertexObject, _>(self.arg(), |op| Rc::new(op))
    }
}
