//! How far a search is, on all ranks, and the direction of its next level.

use super::{BfsDirection, BfsOptions};
use crate::DistGraph;

/// Beamer's α: pushing goes on while the edges that leave the frontier are fewer than those left by this.
const PUSH_UNTIL: u64 = 15;
/// Beamer's β: pulling goes on while there are more vertices in the frontier than all by this.
const PULL_UNTIL: u64 = 18;

/// How far a search is; the same on all ranks.
pub(crate) struct Progress {
    options: BfsOptions,
    vertices_total: u64,
    edges_total: u64,
    /// The level of the frontier.
    pub level: u32,
    /// Vertices of the frontier, and the edges that leave them.
    frontier: [u64; 2],
    /// How many vertices there were in the frontier before.
    previous: u64,
    /// How many vertices are reached.
    pub reached: u64,
    /// How many edges leave them.
    pub edges: u64,
    /// Whether the last level was pulled.
    pub pulled: bool,
}

impl Progress {
    /// A search begins with a frontier of so many vertices with so many edges: the source.
    pub fn new(graph: &DistGraph, options: BfsOptions, frontier: [u64; 2]) -> Self {
        Self {
            options,
            vertices_total: graph.vertices_total(),
            edges_total: graph.edges_total(),
            level: 0,
            frontier,
            previous: 0,
            reached: frontier[0],
            edges: frontier[1],
            pulled: false,
        }
    }

    /// The next level has so many vertices with so many edges.
    pub fn found(&mut self, frontier: [u64; 2]) {
        self.previous = self.frontier[0];
        self.frontier = frontier;
        self.level += u32::from(frontier[0] > 0);
        self.reached += frontier[0];
        self.edges += frontier[1];
    }

    /// Whether there is a next level to find, and it is asked for.
    pub fn goes_on(&self) -> bool {
        self.frontier[0] > 0 && self.options.max_depth.is_none_or(|depth| self.level < depth)
    }

    /// The direction of the next level.
    pub fn pulls(&self) -> bool {
        let [vertices, edges] = self.frontier;
        match self.options.direction {
            BfsDirection::Push => false,
            BfsDirection::Pull => true,
            BfsDirection::Auto if self.pulled => {
                vertices > self.vertices_total / PULL_UNTIL || vertices > self.previous
            }
            BfsDirection::Auto => edges > (self.edges_total - self.edges) / PUSH_UNTIL,
        }
    }
}
