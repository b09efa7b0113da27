//! Slices of ranks, compared with one machine.

mod common;
mod eqp;
mod generated;
mod parts;
mod text;
