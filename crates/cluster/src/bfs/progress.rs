//! The progress of a search on all ranks, and the direction of its next level.

use super::{BfsDirection, BfsOptions};
use crate::DistGraph;

/// Beamer's α: a push continues while the edges of the frontier are fewer than the remaining edges divided by this.
const PUSH_UNTIL: u64 = 15;
/// Beamer's β: a pull continues while the frontier is larger than the number of vertices divided by this.
const PULL_UNTIL: u64 = 18;

/// The progress of a search, equal on all ranks.
pub(crate) struct Progress {
    options: BfsOptions,
    vertices_total: u64,
    edges_total: u64,
    /// The level of the frontier.
    pub level: u32,
    /// The numbers of vertices in the frontier and of their edges.
    frontier: [u64; 2],
    /// The size of the previous frontier.
    previous: u64,
    /// The number of reached vertices.
    pub reached: u64,
    /// The number of their edges.
    pub edges: u64,
    /// Whether the last level was pulled.
    pub pulled: bool,
}

impl Progress {
    /// The start of a search: the numbers of vertices and edges of the source.
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

    /// Moves on to the next level, with its numbers of vertices and edges.
    pub fn found(&mut self, frontier: [u64; 2]) {
        self.previous = self.frontier[0];
        self.frontier = frontier;
        self.level += u32::from(frontier[0] > 0);
        self.reached += frontier[0];
        self.edges += frontier[1];
    }

    /// Whether to find a next level.
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
