//! Whether triangles are those of a graph.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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
    /// 3. Each number is the number of edges between neighbours of the vertex. From each vertex, its neighbours of larger
    ///    degree are marked, and each of them looks for marks among its own.
    ///
    /// No vertex has more neighbours of larger degree than the root of twice the number of edges; so this takes time
    /// proportional to the edges times that root at most. Takes 4 bytes per edge, and per vertex 24 and five per thread.
    pub fn verify(&self, graph: &Graph) -> Result<()> {
        graph.check()?;
        let rows = SimpleRows::new(graph)?;
        self.check_numbers(graph, |vertex| rows.degree(vertex))?;
        let vertices = u64::from(graph.vertices());
        let threads = rayon::current_num_threads() as u64;
        let marks = memory::bytes_of::<[u8; 5]>(vertices.saturating_mul(threads));
        let targets =
            memory::bytes_of::<u32>(self.degrees.iter().map(|&degree| u64::from(degree)).sum());
        // Lengths and offsets of rows, and counts.
        let numbers = memory::bytes_of::<[u64; 3]>(vertices);
        memory::check(
            "verifying triangles",
            marks.saturating_add(targets).saturating_add(numbers),
        )?;
        self.check_counts(graph, &toward_larger_degrees(rows, &self.degrees)?)
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
    fn check_counts(&self, graph: &Graph, larger: &Csr) -> Result<()> {
        let vertices = self.counts.len();
        let counts: Vec<AtomicU64> = (0..vertices).into_par_iter().map(|_| 0.into()).collect();
        team::run(|team| {
            let marks = Lanes::new(team.size(), Marks::default);
            team.for_parts(vertices, VERTICES_AT_ONCE, |thread, part| {
                let mut marks = marks.get(thread);
                part.for_each(|vertex| marks.count_from(vertex as u32, larger, &counts));
            });
        });
        let differs = |&vertex: &usize| counts[vertex].load(Relaxed) != self.counts[vertex];
        match (0..vertices).into_par_iter().find_first(differs) {
            None => Ok(()),
            Some(vertex) => wrong(format!(
                "vertex {} is in {} triangles, not {}",
                graph.ids().id(vertex as u32),
                counts[vertex].load(Relaxed),
                self.counts[vertex]
            )),
        }
    }
}

/// The edges from each vertex to its neighbours of larger degree, or of the same degree and a larger number.
fn toward_larger_degrees(rows: SimpleRows, degrees: &[u32]) -> Result<Csr> {
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

/// The marks of a thread.
#[derive(Default)]
struct Marks {
    /// A bit per vertex, since most vertices that are looked up are not marked: these bits stay in the cache.
    bits: Vec<u64>,
    /// The place of each marked vertex among the neighbours.
    places: Vec<u32>,
    /// The triangles of each neighbour.
    found: Vec<u64>,
}

impl Marks {
    /// Adds the triangles of which `vertex` has the smallest degree to the counts of their vertices. No bit is left.
    fn count_from(&mut self, vertex: u32, larger: &Csr, counts: &[AtomicU64]) {
        let row = larger.row(vertex);
        if row.len() < 2 {
            return;
        }
        self.bits.resize(counts.len().div_ceil(64), 0);
        self.places.resize(counts.len(), 0);
        self.found.clear();
        self.found.resize(row.len(), 0);
        for (place, &other) in (0..).zip(row) {
            self.bits[other as usize / 64] |= 1 << (other % 64);
            self.places[other as usize] = place;
        }
        for (place, &other) in row.iter().enumerate() {
            for &third in larger.row(other) {
                if self.bits[third as usize / 64] >> (third % 64) & 1 == 1 {
                    self.found[self.places[third as usize] as usize] += 1;
                    self.found[place] += 1;
                }
            }
        }
        row.iter().for_each(|&other| self.bits[other as usize / 64] = 0);
        // Each triangle was found at two of its vertices.
        let all: u64 = self.found.iter().sum();
        counts[vertex as usize].fetch_add(all / 2, Relaxed);
        for (&other, &found) in row.iter().zip(&self.found) {
            if found > 0 {
                counts[other as usize].fetch_add(found, Relaxed);
            }
        }
    }
}
