//! Whether a set is the maximal independent set that was asked for.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use equipoise_graph::{Csr, Graph, memory};
use rayon::prelude::*;

use super::{Mis, MisOptions, order::Order};
use crate::{Result, error::wrong, neighbors::neighbors};

impl Mis {
    /// Checks the set against the graph it was found in, and the options it was found with.
    ///
    /// 1. Each vertex is told of whether it is in the set, and as many are as the size says.
    /// 2. No edge joins two vertices of the set, but for loops: it is independent.
    /// 3. An edge joins each vertex outside with one inside: it is maximal.
    /// 4. Of those inside, one goes before it by its priority. Vertex after vertex in the order of priorities, this and
    ///    rule 2 leave one choice: the set is the one that taking them in this order finds.
    ///
    /// The edges are those of the graph; what rule 4 needs beside are the degrees in the simple graph under it.
    /// Takes time linear in the edges, a byte a vertex, and what reversing the edges of a directed graph takes.
    pub fn verify(&self, graph: &Graph, options: &MisOptions) -> Result<()> {
        graph.check()?;
        let vertices = graph.vertices();
        if self.in_set.len() as u64 != u64::from(vertices) {
            return wrong(format!("{} answers for {vertices} vertices", self.in_set.len()));
        }
        let size = self.in_set.iter().filter(|&&is_in| is_in).count();
        if size as u64 != u64::from(self.size) {
            return wrong(format!("{size} vertices are in the set, not {}", self.size));
        }
        self.check_independent(graph)?;
        let message = "has no neighbour in the set, and is not in it";
        self.check_outside(graph, message, |_, _| true)?;
        let (neighbors, order) = (neighbors(graph)?, Order::of(options));
        let message = "goes before its neighbours in the set, and is not in it";
        self.check_outside(graph, message, |inside, outside| {
            priority(&neighbors, order, inside) > priority(&neighbors, order, outside)
        })
    }

    fn contains(&self, vertex: u32) -> bool {
        self.in_set[vertex as usize]
    }

    fn check_independent(&self, graph: &Graph) -> Result<()> {
        let torn = (0..graph.vertices()).into_par_iter().find_map_first(|vertex| {
            let both = |&&target: &&u32| target != vertex && self.contains(target);
            let row = if self.contains(vertex) { graph.neighbors(vertex) } else { &[] };
            row.iter().find(both).map(|&target| (vertex, target))
        });
        match torn {
            None => Ok(()),
            Some((vertex, target)) => wrong(format!(
                "an edge joins the vertices {} and {}, which are both in the set",
                graph.ids().id(vertex),
                graph.ids().id(target)
            )),
        }
    }

    /// Checks that an edge joins each vertex outside with one inside that `keeps` it out.
    fn check_outside(
        &self,
        graph: &Graph,
        message: &str,
        keeps: impl Fn(u32, u32) -> bool + Sync,
    ) -> Result<()> {
        let vertices = graph.vertices();
        memory::check("verifying an independent set", u64::from(vertices))?;
        let settled: Vec<AtomicBool> =
            self.in_set.par_iter().map(|&is_in| AtomicBool::new(is_in)).collect();
        (0..vertices).into_par_iter().for_each(|vertex| {
            for &target in graph.neighbors(vertex) {
                let (inside, outside) = match (self.contains(vertex), self.contains(target)) {
                    (true, false) => (vertex, target),
                    (false, true) => (target, vertex),
                    _ => continue,
                };
                if keeps(inside, outside) {
                    settled[outside as usize].store(true, Relaxed);
                }
            }
        });
        let odd = settled.into_iter().position(|is_settled| !is_settled.into_inner());
        match odd {
            None => Ok(()),
            Some(vertex) => wrong(format!("vertex {} {message}", graph.ids().id(vertex as u32))),
        }
    }
}

/// What is larger for a vertex that goes before another.
fn priority(neighbors: &Csr, order: Order, vertex: u32) -> (u32, u32) {
    (order.key(vertex, neighbors.row_len(vertex)), vertex)
}
