//! Whole graphs over several ranks, each a thread, beside the same on one machine.

mod bfs;
mod components;
mod exchange;
mod graph;
mod threads;
mod whole;
