//! The algorithms on 1 to 5 ranks, against plain sequential ones.

#![allow(clippy::unwrap_used)]

mod coloring;
mod input;
mod paths;
mod products;
mod ranking;
