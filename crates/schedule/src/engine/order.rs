//! The order in which a loop processes vertices: those that join are the next frontier, or some of them are deferred.

use cubecl::prelude::*;

use super::{counts::*, operation::*, state::*, worklists::*};
use crate::atomics::*;

/// The properties of an order when kernels are compiled.
pub(crate) trait OrderKind {
    /// Whether vertices may be processed in any order, so that cubes may go [deep](super::deep).
    const IS_LOOSE: bool = false;
}

/// The treatment of vertices whose labels improve.
#[cube]
pub(crate) trait Admission: LaunchArg {
    /// Records that the edges of a vertex are relaxed with this label.
    fn leave(&mut self, vertex: u32, label: u32);
    /// The treatment of a vertex that took a label: [`NEXT`] or [`LATER`].
    fn kind(&self, label: u32, state: &LoopState) -> u32;
    /// Records a vertex that is listed for the next iteration.
    fn listed(&self, vertex: u32, counts: &Counts);
    /// Defers the vertices whose kind is [`LATER`]. All units of a plane call it together.
    fn defer(
        &mut self,
        offers: &Offers,
        words: &mut AtomicArray,
        iteration: &Iteration,
        #[comptime] count: usize,
    );
}

/// The order of a loop: which iteration comes next, and how it is done.
#[cube]
pub(crate) trait Order<Op: EdgeOp>: OrderKind + Admission {
    /// Runs an iteration whose mode is [`OTHER`]. All units of the participating cubes call it together.
    fn other(&mut self, op: &mut Op, lists: &mut Worklists, iteration: &Iteration);
    /// Makes the listed vertices the frontier, and decides how the next iteration runs.
    fn next(&self, op: &Op, words: &AtomicArray, state: &mut LoopState, counted: &Counted);
    /// Corrects the mode for a launch that resumes another order's loop, or runs one mode only.
    fn enter(&self, state: &mut LoopState);
    /// Whether one cube runs the iteration as fast as all.
    fn is_for_one(&self, state: &LoopState) -> bool;
    /// Whether an iteration benefits from more units than can wait for each other.
    fn is_wide(&self, state: &LoopState) -> bool;
}

/// An order in which a loop can start from one vertex.
#[cube]
pub(crate) trait SourceOrder<Op: EdgeOp>: Order<Op> {
    /// Initializes the order's words, which are zero, when a loop starts.
    fn start(&mut self, words: &AtomicArray, state: &mut LoopState);
    /// Resets the order's data of a vertex.
    fn reset(&mut self, vertex: u32);
}

/// Implements [`Admission`] for an order in which every vertex that joins is in the next frontier.
macro_rules! admit_all {
    ($order:ident) => {
        #[cube]
        impl Admission for $order {
            fn leave(&mut self, _vertex: u32, _label: u32) {}

            fn kind(&self, _label: u32, _state: &LoopState) -> u32 {
                NEXT.runtime()
            }

            fn listed(&self, _vertex: u32, _counts: &Counts) {}

            fn defer(
                &mut self,
                _offers: &Offers,
                _words: &mut AtomicArray,
                _iteration: &Iteration,
                #[comptime] _count: usize,
            ) {
            }
        }
    };
}
pub(super) use admit_all;

/// Every vertex that joins is in the next frontier.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct AtOnce {}

impl OrderKind for AtOnce {
    const IS_LOOSE: bool = true;
}

admit_all!(AtOnce);

#[cube]
impl<Op: EdgeOp> Order<Op> for AtOnce {
    fn other(&mut self, _op: &mut Op, _lists: &mut Worklists, _iteration: &Iteration) {}

    fn next(&self, _op: &Op, _words: &AtomicArray, state: &mut LoopState, counted: &Counted) {
        state.advance(counted);
        state.mode = PUSH.runtime();
        if state.vertices == 0 {
            state.mode = DONE.runtime();
        }
    }

    /// Resumes the loop of another order.
    fn enter(&self, state: &mut LoopState) {
        if state.vertices > 0 {
            state.mode = PUSH.runtime();
        }
    }

    fn is_for_one(&self, state: &LoopState) -> bool {
        state.mode == PUSH && state.is_narrow()
    }

    fn is_wide(&self, state: &LoopState) -> bool {
        state.is_wide()
    }
}
