//! Whether triangles are those of a graph.

use std::sync::OnceLock;

use equipoise_graph::{Csr, Graph, memory, parallel::*};

use super::{Triangles, pairs};
use crate::{
    Result,
    certificate::SimpleRows,
    error::wrong,
    team::{self, Lanes},
};

/// Vertices that a thread takes at once.
const VERTICES_AT_ONCE: usize = 16;
/// Rows that a thread fills at once.
const ROWS_PER_PIECE: usize = 1 << 12;

impl Triangles {
    /// Checks the triangles against the graph they were counted in, by another method and on all cores.
    ///
    /// 1. Each vertex has a number, and its degree is that in the simple undirected graph.
    /// 2. The numbers of all vertices add up to three times the total.
    /// 3. Each number is the number of edges between neighbours of the vertex. These are marked, and each of them looks
    ///    for marks among its own neighbours of larger degree.
    ///
    /// No vertex has more neighbours of larger degree than the root of twice the number of edges; so this takes time
    /// proportional to the edges times that root at most. Takes 4 bytes per edge, and per vertex 16 and one per thread.
    pub fn verify(&self, graph: &Graph) -> Result<()> {
        graph.check()?;
        let rows = SimpleRows::new(graph)?;
        self.check_numbers(graph, |vertex| rows.degree(vertex))?;
        let vertices = u64::from(graph.vertices());
        let marks = vertices.saturating_mul(rayon::current_num_threads() as u64);
        let targets =
            memory::bytes_of::<u32>(self.degrees.iter().map(|&degree| u64::from(degree)).sum());
        let offsets = memory::bytes_of::<[u64; 2]>(vertices);
        memory::check(
            "verifying triangles",
            marks.saturating_add(targets).saturating_add(offsets),
        )?;
        self.check_counts(graph, rows, &toward_larger_degrees(rows, &self.degrees)?)
    }

    /// Rules 1 and 2, and that no count is more than the pairs of neighbours.
    pub(super) fn check_numbers(
        &self,
        graph: &Graph,
        degree: impl Fn(u32) -> u32 + Sync,
    ) -> Result<()> {
        let vertices = graph.vertices();
        for (numbers, what) in [(self.counts.len(), "counts"), (self.degrees.len(), "degrees")] {
            if numbers as u64 != u64::from(vertices) {
                return wrong(format!("{numbers} {what} for {vertices} vertices"));
            }
        }
        let fault = (0..vertices).into_par_iter().find_map_first(|vertex| {
            let (degree, id) = (degree(vertex), graph.ids().id(vertex));
            let (stated, count) = (self.degrees[vertex as usize], self.counts[vertex as usize]);
            if stated != degree {
                return Some(format!("vertex {id} has {degree} neighbours, not {stated}"));
            }
            (count > pairs(degree))
                .then(|| format!("vertex {id} is in {count} triangles, with {degree} neighbours"))
        });
        if let Some(fault) = fault {
            return wrong(fault);
        }
        let sum: u128 = self.counts.iter().map(|&count| u128::from(count)).sum();
        if sum == 3 * u128::from(self.total) {
            Ok(())
        } else {
            wrong(format!(
                "{} triangles, but the counts of all vertices add up to {sum}",
                self.total
            ))
        }
    }

    /// Rule 3.
    fn check_counts(&self, graph: &Graph, rows: SimpleRows, larger: &Csr) -> Result<()> {
        let vertices = self.counts.len();
        let fault = team::run(|team| {
            let marks = Lanes::new(team.size(), Vec::new);
            let fault = OnceLock::new();
            team.for_parts(vertices, VERTICES_AT_ONCE, |thread, part| {
                let mut marks = marks.get(thread);
                marks.resize(vertices, false);
                for vertex in part {
                    let count = edges_between_neighbors(rows, larger, vertex as u32, &mut marks);
                    if count != self.counts[vertex] {
                        _ = fault.set((vertex, count));
                    }
                }
            });
            fault.into_inner()
        });
        match fault {
            None => Ok(()),
            Some((vertex, count)) => wrong(format!(
                "vertex {} is in {count} triangles, not {}",
                graph.ids().id(vertex as u32),
                self.counts[vertex]
            )),
        }
    }
}

/// The edges from each vertex to its neighbours of larger degree, or of the same degree and a larger number.
pub(crate) fn toward_larger_degrees(rows: SimpleRows, degrees: &[u32]) -> Result<Csr> {
    let rank = |vertex: u32| (degrees[vertex as usize], vertex);
    let row = |vertex: u32| rows.row(vertex).filter(move |&other| rank(other) > rank(vertex));
    let vertices = 0..degrees.len() as u32;
    let lengths: Vec<u64> =
        vertices.into_par_iter().map(|vertex| row(vertex).count() as u64).collect();
    let mut offsets = vec![0];
    offsets.extend(lengths.iter().scan(0, |end, length| {
        *end += length;
        Some(*end)
    }));
    let mut targets = vec![0; offsets[degrees.len()] as usize];
    let (mut pieces, mut rest) = (Vec::new(), &mut targets[..]);
    for first in (0..degrees.len()).step_by(ROWS_PER_PIECE) {
        let end = degrees.len().min(first + ROWS_PER_PIECE);
        let piece = rest.split_off_mut(..(offsets[end] - offsets[first]) as usize);
        pieces.push((first as u32..end as u32, piece.unwrap_or_default()));
    }
    pieces.into_par_iter().for_each(|(vertices, piece)| {
        piece.iter_mut().zip(vertices.flat_map(row)).for_each(|(entry, target)| *entry = target);
    });
    Ok(Csr::new(degrees.len() as u32, offsets, targets)?)
}

/// The number of edges between neighbours of a vertex. Marks are all false, before and after.
fn edges_between_neighbors(rows: SimpleRows, larger: &Csr, vertex: u32, marks: &mut [bool]) -> u64 {
    rows.row(vertex).for_each(|other| marks[other as usize] = true);
    let marked = |other: u32| -> u64 {
        larger.row(other).iter().map(|&third| u64::from(marks[third as usize])).sum()
    };
    let edges = rows.row(vertex).map(marked).sum();
    rows.row(vertex).for_each(|other| marks[other as usize] = false);
    edges
}
