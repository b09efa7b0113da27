//! Operations: what an algorithm does along an edge or at a vertex, and their buffers.

use std::{fmt, rc::Rc};

use cubecl::{prelude::*, unexpanded};

use crate::{
    device::GpuRuntime,
    erase::{Erased, ErasedArg, ErasedExpand, erasable, erase},
};

/// The properties of an operation when its kernels are compiled, with the common defaults.
pub trait EdgeOpKind: 'static + Send + Sync {
    /// Whether [`relax`](EdgeOp::relax) returns true at most once per vertex and iteration. If not, the engine records
    /// which vertices have joined the next frontier.
    const JOINS_ONCE: bool = false;
    /// Whether the label of each vertex of a frontier is the number of the iteration, from 0: a level. Then the engine
    /// does not read labels where it knows the iteration.
    const LABELS_ARE_ITERATIONS: bool = false;
    /// Whether a vertex [has](EdgeOp::label) a label that it took, until it takes a better one. If not, as for labels
    /// that stand for something larger than 32 bits, the engine follows no vertex before the next iteration.
    const LABELS_ARE_KEPT: bool = true;
}

/// The properties of an operation, as a value for kernels.
#[derive_cube_comptime]
pub struct EdgeKind {
    /// See [`EdgeOpKind::JOINS_ONCE`].
    pub joins_once: bool,
    /// See [`EdgeOpKind::LABELS_ARE_ITERATIONS`].
    pub labels_are_iterations: bool,
    /// See [`EdgeOpKind::LABELS_ARE_KEPT`].
    pub labels_are_kept: bool,
}

impl EdgeKind {
    pub(crate) fn new<Op: EdgeOpKind>() -> Self {
        Self {
            joins_once: Op::JOINS_ONCE,
            labels_are_iterations: Op::LABELS_ARE_ITERATIONS,
            labels_are_kept: Op::LABELS_ARE_KEPT,
        }
    }
}

/// What happens along an edge: the source's label, changed by the edge, is offered to the target. The [module](super)
/// has an example.
///
/// It has four steps, so that a unit can process several edges at a time.
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait EdgeOp: LaunchArg {
    /// The label of a source. It is read once for several of its edges.
    fn label(&self, source: u32) -> u32;
    /// The label that an edge makes of its source's label.
    fn along(&self, label: u32, edge: u32) -> u32;
    /// Whether the label may improve the target, judged by a possibly outdated read. [`relax`](Self::relax) decides.
    fn improves(&self, target: u32, label: u32) -> bool;
    /// Offers a label to a target, atomically, from the source of the edge. Returns whether the target joins the next
    /// frontier.
    fn relax(&mut self, target: u32, label: u32, source: u32) -> bool;
}

/// An operation that starts from one vertex.
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait SearchOp: EdgeOp {
    /// Sets the initial label of a vertex.
    fn reset(&mut self, vertex: u32, is_source: bool);
    /// Whether the label of a vertex places it in the frontier of this iteration. Called only if vertices [join
    /// once](EdgeOpKind::JOINS_ONCE).
    fn is_at(&self, vertex: u32, iteration: u32) -> bool;
}

/// A search by levels that can also run from unreached vertices: each looks for one neighbour in the frontier among its
/// incoming edges.
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait PullOp: SearchOp {
    /// Whether a vertex is unreached.
    fn is_open(&self, vertex: u32) -> bool;
    /// Sets a vertex to the next level, found from a neighbour in the frontier. No other unit does so at the same time.
    fn pull(&mut self, vertex: u32, level: u32, parent: u32);
}

/// A search whose labels are distances: smaller ones are settled first.
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait DistanceOp: SearchOp {
    /// A label farther than `label` by a length, and at least slightly.
    fn beyond(&self, label: u32, length: u32) -> u32;
}

/// An operation that peels vertices. The label of a vertex is the level at which it was peeled; relaxing an edge
/// decrements the neighbours left of the other end, which is peeled and joins once the label's number is left.
///
/// See [`peel`](super::peel()) for an example.
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait PeelOp: EdgeOp {
    /// Whether a vertex is peeled.
    fn is_peeled(&self, vertex: u32) -> bool;
    /// The neighbours left of a vertex that is not peeled.
    fn left(&self, vertex: u32) -> u32;
    /// Peels a vertex with at most `level` neighbours left; no other unit does so.
    fn peel(&mut self, vertex: u32, level: u32);
}

/// What happens to a vertex. [`filter`](super::filter) has an example.
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait VertexOp: LaunchArg {
    /// Processes a vertex. Returns whether [`filter`](super::filter) keeps it.
    fn apply(&mut self, vertex: u32) -> bool;
}

/// An operation with its buffers. [`for_each`](super::for_each) has an example.
pub struct Operation<'a, Op: LaunchArg> {
    arg: Box<dyn Fn() -> Op::RuntimeArg<GpuRuntime> + 'a>,
    checked: bool,
}

impl<'a, Op: LaunchArg> Operation<'a, Op> {
    /// An operation with bounds checks: an access beyond the end of a buffer does nothing, or reads another element of
    /// it.
    pub fn checked(arg: impl Fn() -> Op::RuntimeArg<GpuRuntime> + 'a) -> Self {
        Self { arg: Box::new(arg), checked: true }
    }

    /// An operation without bounds checks, which is faster.
    ///
    /// # Safety
    ///
    /// For each vertex and edge of its graphs, it must access only its buffers; and if it declares that vertices [join
    /// once](super::EdgeOpKind::JOINS_ONCE) per iteration, they must.
    pub unsafe fn unchecked(arg: impl Fn() -> Op::RuntimeArg<GpuRuntime> + 'a) -> Self {
        Self { arg: Box::new(arg), checked: false }
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

/// An operation with its type erased, so that kernels are compiled once for all operations with these methods.
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
                kind: EdgeKind::new::<Op>(),
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

erasable! {
    /// The methods that kernels call of an [`EdgeOp`].
    EdgeOp / EdgeOpExpand as EdgeObject {
        label / __expand_label_method [] (source: u32) -> u32;
        along / __expand_along_method [] (label: u32, edge: u32) -> u32;
        improves / __expand_improves_method [] (target: u32, label: u32) -> bool;
        relax / __expand_relax_method [mut] (target: u32, label: u32, source: u32) -> bool;
    }
}

erasable! {
    /// The methods that kernels call of a [`SearchOp`].
    SearchOp / SearchOpExpand + EdgeOpExpand as SearchObject: EdgeObject {
        reset / __expand_reset_method [mut] (vertex: u32, is_source: bool) -> ();
        is_at / __expand_is_at_method [] (vertex: u32, iteration: u32) -> bool;
    }
}

erasable! {
    /// The methods that kernels call of a [`PullOp`].
    PullOp / PullOpExpand + SearchOpExpand + EdgeOpExpand as PullObject: SearchObject {
        is_open / __expand_is_open_method [] (vertex: u32) -> bool;
        pull / __expand_pull_method [mut] (vertex: u32, level: u32, parent: u32) -> ();
    }
}

erasable! {
    /// The methods that kernels call of a [`DistanceOp`].
    DistanceOp / DistanceOpExpand + SearchOpExpand + EdgeOpExpand as DistanceObject: SearchObject {
        beyond / __expand_beyond_method [] (label: u32, length: u32) -> u32;
    }
}

erasable! {
    /// The methods that kernels call of a [`PeelOp`].
    PeelOp / PeelOpExpand + EdgeOpExpand as PeelObject: EdgeObject {
        is_peeled / __expand_is_peeled_method [] (vertex: u32) -> bool;
        left / __expand_left_method [] (vertex: u32) -> u32;
        peel / __expand_peel_method [mut] (vertex: u32, level: u32) -> ();
    }
}

erasable! {
    /// The methods that kernels call of a [`VertexOp`].
    VertexOp / VertexOpExpand as VertexObject {
        apply / __expand_apply_method [mut] (vertex: u32) -> bool;
    }
}

/// A search operation with its type erased.
pub type AnySearchOp = Erased<dyn SearchObject>;

/// Erases the type of a search operation.
pub fn erase_search<Op: SearchOp>(
    op: Op::RuntimeArg<GpuRuntime>,
) -> ErasedArg<dyn SearchObject, GpuRuntime> {
    erase::<Op, dyn SearchObject, _>(op, |op| Rc::new(op))
}
