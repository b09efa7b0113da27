//! Parallel iterators with rayon's interface, on its threads, that compile fast.
//!
//! rayon instantiates a dozen functions for every chain of adaptors, for splitting, stealing and
//! joining. Here, a chain becomes one loop over a range of positions, which a single non-generic
//! function calls for all ranges, through `dyn`.
//!
//! ```
//! use equipoise_graph::parallel::*;
//!
//! let squares: Vec<u64> = (0..1000u64).into_par_iter().map(|n| n * n).collect();
//! assert_eq!(squares.par_iter().filter(|&&square| square % 2 == 0).count(), 500);
//! assert_eq!(squares.par_iter().copied().max(), Some(999 * 999));
//! ```

mod adaptors;
mod collect;
mod iterator;
mod methods;
mod sources;
mod split;

pub use adaptors::{
    Chain, Enumerate, FilterMap, FlatMapIter, Fold, Map, MapInit, WithLengths, Zip,
};
pub use collect::{FromParallelIterator, ParallelExtend};
pub use iterator::ParallelIterator;
pub use methods::ParallelMethods;
pub use sources::{
    Chunks, ChunksMut, IntoParallelIterator, Owned, ParallelSlice, ParallelSliceMut, Positions,
    Slice, SliceMut, Windows,
};
pub use split::Lengths;

#[cfg(test)]
mod tests;
