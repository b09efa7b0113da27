//! Votes on a GPU: each visited vertex sums the weights of the labels around it and takes the one with the largest gain.

pub(crate) mod choose;
pub(crate) mod label_table;
pub(crate) mod ordered;
pub(crate) mod slots;
pub(crate) mod visits;
