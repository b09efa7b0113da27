//! Whether every pair that has a path has a length.

use equipoise_graph::Graph;
use rayon::prelude::*;

use super::{Apsp, PairDistances};
use crate::{Error, Result, overflow, rows::Rows};

impl Apsp {
    /// Fails where a path is longer than the numbers of the result can tell.
    pub(super) fn within_f32(self, graph: &Graph) -> Result<Self> {
        let PairDistances::F32(lengths) = &self.distances else { return Ok(self) };
        if overflow::is_impossible(graph) {
            return Ok(self);
        }
        let vertices = graph.vertices() as usize;
        let missed = |row: usize| {
            let lengths = &lengths[row * vertices..][..vertices];
            let is_reached = |vertex: u32| lengths[vertex as usize] < f32::INFINITY;
            Some((row, Rows::of(graph).first_missed(is_reached)?))
        };
        match (0..self.rows()).into_par_iter().find_map_first(missed) {
            None => Ok(self),
            Some((row, target)) => {
                Err(Error::too_far_for_f32(graph.ids(), self.source(row), target))
            }
        }
    }
}
