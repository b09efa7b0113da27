//! The order in which vertices get colors.

use crate::hash::hash;

/// No color yet.
pub(super) const NONE: u32 = u32::MAX;

/// The priority of a vertex, which is unique. Vertices of higher priority get their colors first.
pub(crate) fn priority(seed: u64, vertex: u64) -> (u64, u64) {
    (hash(seed, vertex), vertex)
}
