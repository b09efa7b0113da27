//! What algorithms and schedules on a GPU are put together from: scan, reduce, histogram,
//! compaction, and a sort by few classes.
//!
//! Each takes several launches, since cubes hand nothing to each other inside one. None reads
//! anything back: results and their counts stay on the device until they are downloaded. Each
//! gives the same result on every run; none depends on the size of a plane.
//!
//! A primitive takes up to [`MAX_LEN`] elements and says so when it is given more.

mod block;
mod compact;
mod histogram;
mod reduce;
mod scan;
mod sort;

pub use block::MAX_LEN;
pub use compact::{Compacted, compact};
pub use histogram::histogram;
pub use reduce::{Max, Min, Reduction, Sum, reduce};
pub use scan::{exclusive_scan, inclusive_scan, offsets};
pub use sort::{ByClass, MAX_CLASSES, sort_by_class};
