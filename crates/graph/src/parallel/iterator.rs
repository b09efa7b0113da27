//! The trait of parallel iterators.

use std::ops::Range;

use super::split::Lengths;

/// Items at positions, which threads visit in ranges. [`ParallelMethods`](super::ParallelMethods)
/// has the methods.
pub trait ParallelIterator: Sync + Sized {
    /// The type of the items.
    type Item;

    /// Whether each position has exactly one item.
    const EXACT: bool;

    /// The number of positions.
    fn positions(&self) -> usize;

    /// The bounds on the length of ranges.
    fn lengths(&self) -> Lengths {
        Lengths::default()
    }

    /// The items at a range of positions.
    ///
    /// # Safety
    ///
    /// The range must be within the positions, and no position may be requested twice: its item may
    /// be borrowed mutably, or moved.
    unsafe fn items(&self, range: Range<usize>) -> impl Iterator<Item = Self::Item>;
}
