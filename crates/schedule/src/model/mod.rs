//! The model layer: tile sets, works and schedules, each independent of the others.
//!
//! | module | content |
//! | --- | --- |
//! | [`tiles`] | tile sets: tiles, and where the atoms of each start |
//! | [`work`] | what is done with an atom, and with the total of a tile |
//! | [`schedules`] | one file per schedule: which unit, plane or cube does which atoms |
//! | [`plan`] | a schedule prepared for a tile set and a work, and its launches |
//! | [`share`], [`ranges`] | the loops of a custom kernel |
//! | [`input`], [`atomics`] | read-only arrays, and arrays with atomic updates |
//! | [`erase`] | one definition of a kernel for all works |
//! | [`primitives`] | scan, reduction, histogram, compaction, sort by class |
//!
//! A [`Plan`](plan::Plan) combines a tile set, a work and a schedule. This layer uses the [device](crate::device) and
//! knows no graphs.

#[allow(missing_docs, reason = "CubeCL's macros generate items without")]
pub mod atomics;
#[allow(missing_docs, reason = "CubeCL's macros call items without")]
pub mod erase;
pub mod input;
pub(crate) mod launch;
mod name;
pub mod plan;
pub mod primitives;
#[allow(missing_docs, reason = "CubeCL's macros generate items without")]
pub mod ranges;
#[allow(missing_docs, reason = "CubeCL's macros generate items without")]
pub mod schedules;
#[allow(missing_docs, reason = "CubeCL's macros generate items without")]
pub mod share;
pub mod tiles;
#[allow(missing_docs, reason = "CubeCL's macros generate items without")]
pub mod work;

pub use name::ScheduleName;
