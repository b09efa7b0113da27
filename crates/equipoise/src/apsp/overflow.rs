//! Whether every pair that has a path has a length.

use equipoise_graph::Graph;
use rayon::prelude::*;

use super::Apsp;
use crate::{Error, Result, overflow, rows::Rows};

impl Apsp {
    /// Fails where a path is longer than the numbers of the result can tell.
    pub(super) fn without_overflow(self, graph: &Graph) -> Result<Self> {
        if overflow::is_impossible(graph) {
            return Ok(self);
        }
        let vertices = graph.vertices() as usize;
        let missed = |row: usize| {
            let is_reached =
                |vertex: u32| self.distances.get(row * vertices + vertex as usize).is_some();
            Some((row, Rows::of(graph).first_missed(is_reached)?))
        };
        match (0..self.rows()).into_par_iter().find_map_first(missed) {
            None => Ok(self),
            Some((row, target)) => Err(Error::too_far(graph, self.source(row), target)),
        }
    }
}
