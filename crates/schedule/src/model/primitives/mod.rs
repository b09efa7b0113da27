//! Scan, reduction, histogram, compaction and a sort by few classes, for algorithms and schedules.
//!
//! Each takes several launches, since cubes exchange nothing within one. None reads anything back: results and their
//! counts stay on the device. Each gives the same result on every run, independently of the plane size.
//!
//! A primitive takes up to [`MAX_LEN`] elements, and fails for more.

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
