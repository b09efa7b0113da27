//! What searches for paths by edges and by weights have in common.

use crate::{Error, Result};

/// A search from one source after the other, and what it knows of the last one.
pub(super) trait Search: Send + Sync {
    /// Counts paths from a source, and finds the dependencies of all vertices.
    fn run(&mut self, source: u32) -> Result<(), Stop>;
    /// How many vertices were reached.
    fn reached(&self) -> usize;
    /// One of these.
    fn vertex(&self, place: usize) -> u32;
    /// How many paths of the source lead through a vertex that was reached, by their shares.
    fn dependency(&self, vertex: u32) -> f64;
    /// The same of an edge that leaves a vertex that was reached.
    fn dependency_of_edge(&self, vertex: u32, edge: usize, target: u32) -> f64;
}

/// Why a search was not finished.
pub(super) enum Stop {
    /// There are more paths than the numbers hold that count them.
    TooManyPaths,
    Failed(Error),
}
