//! Searches on any device, and every strategy of the papers for finding the next frontier on a GPU.
//!
//! A search goes turn by turn: a level of BFS, an iteration of SSSP. In each, a strategy goes along
//! the edges that leave the frontier, and the vertices that are found, or found nearer than before,
//! are the next one.

mod candidate;
mod gpu;
mod measure;
mod measure_sssp;
mod memory;
mod on;
mod options;
mod plan;
mod shape;

pub use candidate::Candidate;
pub use measure::{MeasureOptions, MeasuredBfs, MeasuredLevel};
pub use measure_sssp::{MeasuredSssp, SsspMeasureOptions};
pub use on::GraphOn;
pub use options::{Count, TraversalSettings, Way};
pub use plan::TurnPlan;
pub(crate) use shape::{asks_little, quick_shape};
pub use shape::{graph_shape, level_steps};
