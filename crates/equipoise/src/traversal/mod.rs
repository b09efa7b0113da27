//! What searches on a GPU share: the graph there, and every strategy of the papers for an iteration
//! that the host chooses.
//!
//! A search goes iteration by iteration: a level of BFS, a round of SSSP. In each, a strategy relaxes
//! the edges that leave the frontier, and the vertices whose labels were improved are the next one.

mod check;
mod choose;
mod field;
mod found;
mod graph;
mod iteration;
mod memory;
mod options;
mod plan;
mod predecessors;
mod results;
mod run;
mod shape;
mod steps;
mod strategies;
mod survey;
mod tally;

pub use options::{Count, Strategy, TraversalSettings, WorklistDuplicates};
pub use plan::IterationPlan;
pub use shape::{graph_shape, level_steps};
pub use steps::Steps;

pub(crate) use check::{Asked, Digests, check};
pub(crate) use choose::{Choice, Seen};
pub(crate) use field::*;
pub(crate) use found::{Bounds, Found, Late};
pub(crate) use graph::OnGraph;
pub(crate) use iteration::{FrontierSize, Listed, Search, Strategies, UNITS};
pub(crate) use memory::{device_bytes, fused_bytes, ordered_bytes};
pub(crate) use results::{parents_of_levels, real_distance, real_label, totals};
pub(crate) use run::{check_host_memory, step_of};
pub(crate) use shape::{asks_little, quick_shape};
pub(crate) use strategies::{
    Implementation, Iterate, Sizes,
    decompose::{Remaining, remaining_arg, vertex_of_edge},
};
pub(crate) use tally::Tally;
