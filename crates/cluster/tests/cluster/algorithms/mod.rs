//! The algorithms on 1 to 5 ranks, against plain sequential ones.

mod coloring;
mod input;
mod paths;
mod products;
mod ranking;
