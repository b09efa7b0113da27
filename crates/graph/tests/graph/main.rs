//! The graph crate through its public interface.
//!
//! One program for all of them: linking each by itself took longer than running it.

// Clippy's leave for tests does not reach the functions that tests share.
#![allow(clippy::unwrap_used)]

mod building;
mod eqp;
mod files;
mod gap_graph;
mod generate;
mod gml;
mod graphml;
mod listed;
mod malformed_binary;
mod malformed_text;
mod matrices;
mod mutated;
mod named_edges;
mod read_text;
mod round_trip;
#[cfg(unix)]
mod shortened;
mod source;
mod spec;
mod statistics;
mod tensor;
mod weights;
