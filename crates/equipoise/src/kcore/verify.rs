//! Whether core numbers are those of a graph.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use equipoise_graph::{Graph, memory, parallel::*};

use super::KCore;
use crate::{
    Result,
    certificate::{SimpleRows, waves},
    error::wrong,
};

impl KCore {
    /// Checks the core numbers against the graph they were found in, on all cores.
    ///
    /// 1. Each vertex has a number, and the largest is the degeneracy.
    /// 2. No number is too large: each vertex has at least that many neighbours whose numbers are not smaller.
    /// 3. No number is too small: the vertices have an order in which each has at most its number of neighbours after it.
    ///    Vertices with smaller numbers come first; those with the same number are ordered by removing, wave after wave,
    ///    the ones that have no more than their number of neighbours left.
    ///
    /// Takes time linear in the edges, and 12 bytes per vertex.
    pub fn verify(&self, graph: &Graph) -> Result<()> {
        graph.check()?;
        let vertices = graph.vertices();
        self.check_numbers(vertices)?;
        memory::check("verifying cores", memory::bytes_of::<[u32; 3]>(vertices.into()))?;
        let rows = SimpleRows::new(graph)?;
        let remaining = self.neighbors_in_core(rows);
        self.check_lower_bounds(graph, &remaining)?;
        self.check_order(graph, rows, remaining)
    }

    /// Rule 1.
    pub(super) fn check_numbers(&self, vertices: u32) -> Result<()> {
        if self.cores.len() as u64 != u64::from(vertices) {
            return wrong(format!("{} core numbers for {vertices} vertices", self.cores.len()));
        }
        let largest = self.cores.par_iter().copied().max().unwrap_or(0);
        if largest != self.degeneracy {
            return wrong(format!("the largest core number is {largest}, not {}", self.degeneracy));
        }
        Ok(())
    }

    fn core(&self, vertex: u32) -> u32 {
        self.cores[vertex as usize]
    }

    /// Per vertex, its neighbours whose numbers are not smaller.
    fn neighbors_in_core(&self, rows: SimpleRows) -> Vec<AtomicU32> {
        let count = |vertex: u32| {
            rows.row(vertex).filter(|&other| self.core(other) >= self.core(vertex)).count() as u32
        };
        let vertices = (0..self.cores.len() as u32).into_par_iter();
        vertices.map(|vertex| AtomicU32::new(count(vertex))).collect()
    }

    /// Rule 2.
    fn check_lower_bounds(&self, graph: &Graph, in_core: &[AtomicU32]) -> Result<()> {
        let neighbors = |vertex: u32| in_core[vertex as usize].load(Relaxed);
        let vertices = (0..graph.vertices()).into_par_iter();
        match { vertices }.find_first(|&vertex| neighbors(vertex) < self.core(vertex)) {
            None => Ok(()),
            Some(vertex) => wrong(format!(
                "vertex {} has {} neighbours in the {}-core, too few to be in it",
                graph.ids().id(vertex),
                neighbors(vertex),
                self.core(vertex)
            )),
        }
    }

    /// Rule 3. A vertex is removed by the neighbour whose removal leaves it with as many neighbours as its number.
    fn check_order(
        &self,
        graph: &Graph,
        rows: SimpleRows,
        remaining: Vec<AtomicU32>,
    ) -> Result<()> {
        let left = |vertex: u32| remaining[vertex as usize].load(Relaxed);
        let vertices = || (0..graph.vertices()).into_par_iter();
        let first = vertices().filter(|&vertex| left(vertex) == self.core(vertex)).collect();
        waves(first, |vertex, next| {
            let core = self.core(vertex);
            for other in rows.row(vertex).filter(|&other| self.core(other) == core) {
                if remaining[other as usize].fetch_sub(1, Relaxed) == core + 1 {
                    next.push(other);
                }
            }
        });
        match vertices().find_first(|&vertex| left(vertex) > self.core(vertex)) {
            None => Ok(()),
            Some(vertex) => wrong(format!(
                "the core number {} of vertex {} is too small: {} of its neighbours are in a larger core with it",
                self.core(vertex),
                graph.ids().id(vertex),
                left(vertex)
            )),
        }
    }
}
