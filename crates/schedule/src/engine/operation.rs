//! Operations as the host has them.

use std::fmt;

use cubecl::prelude::LaunchArg;

use crate::{
    device::GpuRuntime,
    plan::{Plan, Tiles},
    tiles::TileSet,
    work::Work,
};

/// An operation with the buffers that it works on. Whether its accesses are checked is a part of its type, so that kernels
/// are compiled for what is used.
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
pub struct Operation<'a, Op: LaunchArg, const CHECKED: bool = true> {
    arg: Box<dyn Fn() -> Op::RuntimeArg<GpuRuntime> + 'a>,
}

impl<'a, Op: LaunchArg> Operation<'a, Op, true> {
    /// An operation whose every access is checked: one beyond the end of a buffer does nothing, or
    /// reads something else of the same buffer.
    pub fn checked(arg: impl Fn() -> Op::RuntimeArg<GpuRuntime> + 'a) -> Self {
        Self { arg: Box::new(arg) }
    }

    /// An operation that is not checked, which is faster.
    ///
    /// # Safety
    ///
    /// For each vertex and each edge of the graph that it is used with, it reads and writes within
    /// its buffers only; and where it says that a vertex [joins once](super::EdgeOpKind::JOINS_ONCE)
    /// an iteration, it does.
    pub unsafe fn unchecked(
        arg: impl Fn() -> Op::RuntimeArg<GpuRuntime> + 'a,
    ) -> Operation<'a, Op, false> {
        Operation { arg: Box::new(arg) }
    }
}

impl<Op: LaunchArg, const CHECKED: bool> Operation<'_, Op, CHECKED> {
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
        match CHECKED {
            true => plan.run_checked(tiles, work),
            // SAFETY: the caller sees to the work, and who made the operation to that.
            false => unsafe { plan.run(tiles, work) },
        }
    }

    pub(super) fn arg(&self) -> Op::RuntimeArg<GpuRuntime> {
        (self.arg)()
    }
}

impl<Op: LaunchArg, const CHECKED: bool> fmt::Debug for Operation<'_, Op, CHECKED> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operation").field("checked", &CHECKED).finish_non_exhaustive()
    }
}
