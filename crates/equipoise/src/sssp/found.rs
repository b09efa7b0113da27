//! What a search on the cpu found.

use crate::Trace;

/// What a search found.
pub(super) struct Found<D> {
    pub distances: Vec<D>,
    pub predecessors: Vec<u32>,
    pub trace: Trace,
    /// Whether some sum, be it of a path that is not a shortest one, did not fit the type.
    pub overflowed: bool,
}
