//! The kernels of the strategies, a file each; those that look at the whole graph in one.

pub(crate) mod decompose;
pub(crate) mod edge;
mod fused;
pub(crate) mod hierarchy;
pub(crate) mod node;
pub(crate) mod scan;
pub(crate) mod scheduled;
pub(crate) mod split;
pub(crate) mod two_phase;
pub(crate) mod whole;
