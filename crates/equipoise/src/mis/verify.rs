//! Whether a set is the maximal independent set that was asked for.

use equipoise_graph::{Graph, memory, parallel::*};

use super::{Mis, MisOptions, order::Order};
use crate::{Result, certificate::SimpleRows, error::wrong};

impl Mis {
    /// Checks the set against the graph it was found in, and the options it was found with.
    ///
    /// 1. `in_set` has one entry per vertex, and the size is the number of those in the set.
    /// 2. No edge joins two vertices of the set, self-loops aside: it is independent.
    /// 3. An edge joins each vertex outside with one inside that goes before it by priority: it is maximal. In the order
    ///    of priorities, this and rule 2 leave one choice per vertex, so that the set is the one that a sequential pass
    ///    in this order finds.
    ///
    /// Takes time linear in the edges, 4 bytes per vertex, and the edges of a directed graph reversed.
    pub fn verify(&self, graph: &Graph, options: &MisOptions) -> Result<()> {
        graph.check()?;
        self.check_numbers(graph.vertices())?;
        self.check_independent(graph)?;
        self.check_outside(graph, Order::new(options))
    }

    /// Rule 1.
    pub(super) fn check_numbers(&self, vertices: u32) -> Result<()> {
        if self.in_set.len() as u64 != u64::from(vertices) {
            return wrong(format!("{} answers for {vertices} vertices", self.in_set.len()));
        }
        let size = self.in_set.par_iter().filter(|&&is_in| is_in).count();
        if size as u64 != u64::from(self.size) {
            return wrong(format!("{size} vertices are in the set, not {}", self.size));
        }
        Ok(())
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

    /// Rule 3. Keys are made once: in the order by degree, they need the neighbours of each vertex.
    fn check_outside(&self, graph: &Graph, order: Order) -> Result<()> {
        let rows = SimpleRows::new(graph)?;
        let vertices = || (0..graph.vertices()).into_par_iter();
        let degree = |vertex: u32| if order.by_degree { rows.degree(vertex) as usize } else { 0 };
        memory::check(
            "verifying an independent set",
            memory::bytes_of::<u32>(vertices().count() as u64),
        )?;
        let keys: Vec<u32> = vertices().map(|vertex| order.key(vertex, degree(vertex))).collect();
        let priority = |vertex: u32| (keys[vertex as usize], vertex);
        let is_kept_out = |vertex: u32| {
            rows.row(vertex).any(|other| self.contains(other) && priority(other) > priority(vertex))
        };
        let missed =
            vertices().find_first(|&vertex| !self.contains(vertex) && !is_kept_out(vertex));
        let Some(vertex) = missed else { return Ok(()) };
        let id = graph.ids().id(vertex);
        if rows.row(vertex).any(|other| self.contains(other)) {
            wrong(format!("vertex {id} goes before its neighbours in the set, and is not in it"))
        } else {
            wrong(format!("vertex {id} has no neighbour in the set, and is not in it"))
        }
    }
}
