//! The graph crate through its public interface.
//!
//! One program for all tests: linking each separately takes longer than running it.

// Clippy's exception for tests does not cover the helpers that tests share.
#![allow(clippy::unwrap_used)]

mod building;
mod changed;
mod common;
mod eqp;
mod files;
mod gap_graph;
mod generate;
mod gml;
mod graphalytics;
mod graphml;
mod guesses;
mod malformed_binary;
mod malformed_text;
mod many_names;
mod matrices;
mod misread;
mod mutated;
mod named_edges;
mod read_text;
mod round_trip;
#[cfg(unix)]
mod shortened;
mod source;
mod spec;
mod statistics;
mod tables;
mod tensor;
mod weights;
