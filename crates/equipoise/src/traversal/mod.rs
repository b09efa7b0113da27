//! The common parts of searches on a GPU, and the strategies of the papers for iterations that the host chooses.
//!
//! A search goes iteration by iteration: a level of BFS, a round of SSSP. In each iteration a strategy relaxes the edges
//! that leave the frontier, and the vertices whose labels were improved are the next frontier.

mod check;
mod device_result;
mod iteration;
mod memory;
mod options;
mod plan;
mod policy;
mod predecessors;
mod results;
mod run;
mod search;
mod steps;
mod strategies;
mod survey;
mod tally;
mod vertex_labels;

pub use options::{Count, Policy, Strategy, TraversalSettings, WorklistDuplicates};
pub use plan::IterationPlan;
pub use search::SearchOnDevice;
pub use steps::Steps;

pub use crate::shape::{graph_shape, level_steps};

pub(crate) use check::{Claim, check};
pub(crate) use device_result::{Bounds, DeviceResult};
pub(crate) use iteration::{
    FrontierSize, GraphOp, GraphSizes, Implementation, Iterate, Listed, SearchState, UNITS,
};
pub(crate) use memory::{device_bytes, fused_bytes, ordered_bytes};
pub(crate) use policy::{IterationPolicy, SearchProgress};
pub(crate) use results::{parents_of_levels, real_distance, real_label, totals};
pub(crate) use run::{check_host_memory, step_of};
pub(crate) use search::{Location, OnDevice, SearchKind, SearchParts};
pub(crate) use strategies::{
    Strategies,
    decompose::{Remaining, remaining_arg, vertex_of_edge},
};
pub(crate) use tally::Tally;
pub(crate) use vertex_labels::*;
