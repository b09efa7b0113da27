//! The interface of searches by edges and by weights.

use crate::{Error, Result};

/// A reusable search, and the results for its last source.
pub(super) trait PathSearch: Send + Sync {
    /// Counts paths from a source, and computes the dependencies of all vertices.
    fn run(&mut self, source: u32) -> Result<(), Stop>;
    /// The number of vertices reached.
    fn reached(&self) -> usize;
    /// One of the vertices reached.
    fn vertex(&self, index: usize) -> u32;
    /// The dependency of the source on a vertex.
    fn dependency(&self, vertex: u32) -> f64;
    /// The dependency of the source on an edge that leaves a vertex.
    fn dependency_of_edge(&self, vertex: u32, edge: usize, target: u32) -> f64;
}

/// The reason why a search ended early.
pub(super) enum Stop {
    /// The counts of paths exceed their type.
    TooManyPaths,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}
