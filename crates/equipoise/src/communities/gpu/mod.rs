//! Communities on a GPU.

mod label_propagation;
mod louvain;
mod moves;
mod table;

pub(super) use self::{label_propagation::label_propagation, louvain::louvain};
