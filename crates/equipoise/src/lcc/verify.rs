//! Whether local clustering coefficients are those of a graph.

use std::sync::OnceLock;

use equipoise_graph::{Csr, Graph, memory, parallel::*};

use super::{Lcc, ordered_pairs};
use crate::{
    Result, Times, Trace,
    certificate::SimpleRows,
    error::wrong,
    team::{self, Lanes},
    triangles::{Triangles, TrianglesStrategy, toward_larger_degrees},
};

/// Vertices that a thread takes at once.
const VERTICES_AT_ONCE: usize = 16;

impl Lcc {
    /// Checks the numbers against the graph they were counted in, by another method and on all cores.
    ///
    /// 1. Each vertex has a number, and its degree is that in the simple undirected graph.
    /// 2. Each number is the number of directed edges between neighbours of the vertex. These are marked, and each of them
    ///    looks for marks among its own neighbours of larger degree; the directions of the edges found are added. The
    ///    directions of an edge are looked up in the rows of the graph.
    ///
    /// The [coefficients](Self::coefficients) are quotients of these numbers. Takes time proportional to the edges times the
    /// root of twice their number at most, 5 bytes per edge, and per vertex 16 and one per thread.
    pub fn verify(&self, graph: &Graph) -> Result<()> {
        graph.check()?;
        let rows = SimpleRows::new(graph)?;
        self.check_numbers(graph, rows)?;
        let vertices = u64::from(graph.vertices());
        let marks = vertices.saturating_mul(rayon::current_num_threads() as u64);
        let ends: u64 = self.degrees.iter().map(|&degree| u64::from(degree)).sum();
        let bytes = memory::bytes_of::<[u64; 2]>(vertices).saturating_add(marks);
        let bytes = bytes.saturating_add(memory::bytes_of::<u32>(ends)).saturating_add(ends);
        memory::check("verifying the clustering", bytes)?;
        let larger = toward_larger_degrees(rows, &self.degrees)?;
        let directions = directions(graph, &larger);
        self.check_closed(graph, rows, &larger, &directions)
    }

    /// Rule 1, and that no number is more than the ordered pairs of neighbours.
    fn check_numbers(&self, graph: &Graph, rows: SimpleRows) -> Result<()> {
        let vertices = graph.vertices();
        for (numbers, what) in [(self.closed.len(), "numbers"), (self.degrees.len(), "degrees")] {
            if numbers as u64 != u64::from(vertices) {
                return wrong(format!("{numbers} {what} for {vertices} vertices"));
            }
        }
        let fault = (0..vertices).into_par_iter().find_map_first(|vertex| {
            let (degree, id) = (rows.degree(vertex), graph.ids().id(vertex));
            let (stated, closed) = (self.degrees[vertex as usize], self.closed[vertex as usize]);
            if stated != degree {
                return Some(format!("vertex {id} has {degree} neighbours, not {stated}"));
            }
            (closed > ordered_pairs(degree))
                .then(|| format!("{closed} edges between the {degree} neighbours of vertex {id}"))
        });
        fault.map_or(Ok(()), wrong)
    }

    /// Rule 2.
    fn check_closed(
        &self,
        graph: &Graph,
        rows: SimpleRows,
        larger: &Csr,
        directions: &[u8],
    ) -> Result<()> {
        let vertices = self.closed.len();
        let fault = team::run(|team| {
            let marks = Lanes::new(team.size(), Vec::new);
            let fault = OnceLock::new();
            team.for_parts(vertices, VERTICES_AT_ONCE, |thread, part| {
                let mut marks = marks.get(thread);
                marks.resize(vertices, false);
                for vertex in part {
                    rows.row(vertex as u32).for_each(|other| marks[other as usize] = true);
                    let closed = rows.row(vertex as u32).map(|other| {
                        let edges = larger.row(other).iter().zip(&directions[larger.range(other)]);
                        let marked = edges.filter(|(third, _)| marks[**third as usize]);
                        marked.map(|(_, &count)| u64::from(count)).sum::<u64>()
                    });
                    let closed: u64 = closed.sum();
                    rows.row(vertex as u32).for_each(|other| marks[other as usize] = false);
                    if closed != self.closed[vertex] {
                        _ = fault.set((vertex, closed));
                    }
                }
            });
            fault.into_inner()
        });
        match fault {
            None => Ok(()),
            Some((vertex, closed)) => wrong(format!(
                "{closed} edges between the neighbours of vertex {}, not {}",
                graph.ids().id(vertex as u32),
                self.closed[vertex]
            )),
        }
    }

    /// The triangles of an undirected graph with these numbers; `None` if a number is odd.
    pub(super) fn triangles(&self) -> Option<Triangles> {
        let counts = self.closed.iter().map(|&closed| (closed % 2 == 0).then_some(closed / 2));
        let counts: Vec<u64> = counts.collect::<Option<_>>()?;
        Some(Triangles {
            total: counts.par_iter().sum::<u64>() / 3,
            counts,
            degrees: self.degrees.clone(),
            strategy: TrianglesStrategy::Auto,
            trace: Trace::default(),
            times: Times::default(),
        })
    }
}

/// In how many directions the graph has each edge of `larger`; an undirected edge has two.
fn directions(graph: &Graph, larger: &Csr) -> Vec<u8> {
    let leads = |from: u32, to: u32| u8::from(graph.neighbors(from).binary_search(&to).is_ok());
    let rows = (0..larger.rows()).into_par_iter();
    let rows = rows.map(|vertex| -> Vec<u8> {
        let row = larger.row(vertex).iter();
        row.map(|&other| leads(vertex, other) + leads(other, vertex)).collect()
    });
    rows.collect::<Vec<_>>().concat()
}
