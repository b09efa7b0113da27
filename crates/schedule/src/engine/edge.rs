//! Operations on edges.

use std::rc::Rc;

use cubecl::{prelude::*, unexpanded};

use crate::{
    device::GpuRuntime,
    erase::{Erased, ErasedArg, ErasedExpand, erasable, erase},
};

/// What is known of an operation when its kernels are compiled. The default suits most.
pub trait EdgeOpKind: 'static + Send + Sync {
    /// Whether [`relax`](EdgeOp::relax) says of a vertex at most once in an iteration that it joins
    /// the next frontier. Where it may say so several times, the engine records who has joined.
    const JOINS_ONCE: bool = false;
    /// Whether the label of each vertex of a frontier is the number of the iteration, counted from 0:
    /// a level. The engine does not read it then where it knows the iteration.
    const LABELS_ARE_ITERATIONS: bool = false;
    /// Whether a vertex that took a label [has](EdgeOp::label) it then, until it takes a better one. Where it does not, as
    /// where labels stand for something that 32 bits do not hold, the engine follows no vertex before the next iteration.
    const LABELS_ARE_KEPT: bool = true;
}

/// What is known of an operation, as a value for kernels.
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
    /// Of an operation.
    pub(crate) fn of<Op: EdgeOpKind>() -> Self {
        Self {
            joins_once: Op::JOINS_ONCE,
            labels_are_iterations: Op::LABELS_ARE_ITERATIONS,
            labels_are_kept: Op::LABELS_ARE_KEPT,
        }
    }
}

/// What happens along an edge: the source's label, changed by the edge, is offered to the target.
///
/// It has four steps, so that a unit can have several edges under way at a time.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{atomics::*, engine::*, input::Input};
///
/// /// Shortest paths, by relaxing edges until no distance changes.
/// #[derive(CubeType, CubeLaunch)]
/// struct Relax {
///     distances: AtomicArray,
///     weights: Input<u32>,
/// }
///
/// impl EdgeOpKind for Relax {}
///
/// #[cube]
/// impl EdgeOp for Relax {
///     fn label(&self, source: u32) -> u32 {
///         self.distances.get(source)
///     }
///
///     fn along(&self, label: u32, edge: u32) -> u32 {
///         label + self.weights[edge as usize]
///     }
///
///     fn improves(&self, target: u32, label: u32) -> bool {
///         label < self.distances.get(target)
///     }
///
///     fn relax(&mut self, target: u32, label: u32, _source: u32) -> bool {
///         label < self.distances.fetch_min(target, label)
///     }
/// }
/// ```
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait EdgeOp: LaunchArg {
    /// The label of a source. It is read once for several of its edges.
    fn label(&self, source: u32) -> u32;
    /// The label that an edge makes of that of its source.
    fn along(&self, label: u32, edge: u32) -> u32;
    /// Whether it is worth offering the label to the target, as far as a read that may be out of
    /// date can say. What it lets through, [`relax`](Self::relax) decides about.
    fn improves(&self, target: u32, label: u32) -> bool;
    /// Offers a label to a target, atomically, from the source of the edge. Whether the target joins
    /// the next frontier.
    fn relax(&mut self, target: u32, label: u32, source: u32) -> bool;
}

/// An operation that starts from one vertex.
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait SearchOp: EdgeOp {
    /// Gives a vertex the label with which a search starts.
    fn reset(&mut self, vertex: u32, is_source: bool);
    /// Whether a vertex is in the frontier of this iteration, as its label says. Asked only where
    /// vertices [join once](EdgeOpKind::JOINS_ONCE).
    fn is_at(&self, vertex: u32, iteration: u32) -> bool;
}

/// A search by levels that can be done from the side of the vertices which are not reached: each
/// looks for a neighbour in the frontier among the edges that enter it, up to the first.
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait PullOp: SearchOp {
    /// Whether a vertex is not reached.
    fn is_open(&self, vertex: u32) -> bool;
    /// Gives a vertex the level after this one, from a neighbour in the frontier; no other unit does so
    /// at the same time.
    fn pull(&mut self, vertex: u32, level: u32, parent: u32);
}

/// A search whose labels are distances: the smaller are settled first.
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait DistanceOp: SearchOp {
    /// The label that is farther than another by a length, and at least a little.
    fn beyond(&self, label: u32, length: u32) -> u32;
}

erasable! {
    /// What kernels call of an [`EdgeOp`].
    EdgeOp / EdgeOpExpand as EdgeObject {
        label / __expand_label_method [] (source: u32) -> u32;
        along / __expand_along_method [] (label: u32, edge: u32) -> u32;
        improves / __expand_improves_method [] (target: u32, label: u32) -> bool;
        relax / __expand_relax_method [mut] (target: u32, label: u32, source: u32) -> bool;
    }
}

erasable! {
    /// What kernels call of a [`SearchOp`].
    SearchOp / SearchOpExpand + EdgeOpExpand as SearchObject: EdgeObject {
        reset / __expand_reset_method [mut] (vertex: u32, is_source: bool) -> ();
        is_at / __expand_is_at_method [] (vertex: u32, iteration: u32) -> bool;
    }
}

erasable! {
    /// What kernels call of a [`PullOp`].
    PullOp / PullOpExpand + SearchOpExpand + EdgeOpExpand as PullObject: SearchObject {
        is_open / __expand_is_open_method [] (vertex: u32) -> bool;
        pull / __expand_pull_method [mut] (vertex: u32, level: u32, parent: u32) -> ();
    }
}

erasable! {
    /// What kernels call of a [`DistanceOp`].
    DistanceOp / DistanceOpExpand + SearchOpExpand + EdgeOpExpand as DistanceObject: SearchObject {
        beyond / __expand_beyond_method [] (label: u32, length: u32) -> u32;
    }
}

/// A search operation whose type is forgotten, for kernels that serve every search.
pub type AnySearchOp = Erased<dyn SearchObject>;

/// Forgets the type of a search operation.
pub fn erase_search<Op: SearchOp>(
    op: Op::RuntimeArg<GpuRuntime>,
) -> ErasedArg<dyn SearchObject, GpuRuntime> {
    erase::<Op, dyn SearchObject, _>(op, |op| Rc::new(op))
}
