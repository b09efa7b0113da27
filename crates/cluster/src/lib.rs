//! Graphs that outgrow one machine: each rank has a slice, and two exchanges carry every algorithm.

mod comm;

pub use comm::{Comm, Reduction};
