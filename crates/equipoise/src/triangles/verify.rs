//! Whether triangles are those of a graph.

use std::sync::OnceLock;

use equipoise_graph::{Csr, Graph, memory};
use rayon::prelude::*;

use super::{Triangles, pairs, wedges};
use crate::{
    Error, Result,
    error::wrong,
    neighbors::neighbors,
    team::{self, Lanes},
};

/// Steps of counting anew that [`Triangles::verify`] takes: some seconds.
const STEPS: u64 = 1 << 33;
/// Wedges that are sampled where counting all anew takes more steps.
const WEDGES: u32 = 1 << 20;
/// How rarely samples may call a right result wrong.
const CHANCE: f64 = 1e-9;
/// Vertices that a thread takes at once.
const VERTICES_AT_ONCE: usize = 16;

/// What was checked of a count of triangles.
///
/// ```
/// use equipoise::graph::{io::ReadOptions, load};
/// use equipoise::triangles::{TriangleCheck, TrianglesOptions, triangles};
///
/// let graph = load("complete:n=20", &ReadOptions::default())?;
/// let found = triangles(&graph, &TrianglesOptions::default())?;
/// assert_eq!(found.verify(&graph)?, TriangleCheck::Whole);
/// let check = found.verify_within(&graph, 1000)?;
/// assert!(matches!(check, TriangleCheck::Sampled { vertices: 2, wedges: 1_048_576, .. }));
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TriangleCheck {
    /// The number of each vertex was counted anew.
    Whole,
    /// Samples were looked at.
    Sampled {
        /// The vertices whose numbers were counted anew.
        vertices: u32,
        /// The pairs of neighbours of a vertex of which it was seen whether they are neighbours.
        wedges: u32,
        /// How far the share of those that are may be from the transitivity: a right result is called wrong by that
        /// with a probability of less than one in 10⁹.
        within: f64,
    },
}

impl Triangles {
    /// Checks the triangles against the graph they were counted in, in at most 2³³ steps: all of them, or samples.
    ///
    /// 1. Each vertex has a number, and as many neighbours as are told.
    /// 2. The numbers of all vertices add up to three times the total.
    /// 3. Each number is what counting anew gives: the neighbours of a vertex are marked, and the marked neighbours of
    ///    these are counted, each triangle twice. That takes a step for each neighbour of a neighbour.
    ///
    /// Where that takes more steps in all, the third is checked of randomly drawn vertices, as far as the steps go;
    /// and of 2²⁰ randomly drawn pairs of neighbours of a vertex it is seen whether they are neighbours. Hoeffding's
    /// inequality says how far their share may be from the transitivity.
    pub fn verify(&self, graph: &Graph) -> Result<TriangleCheck> {
        self.verify_within(graph, STEPS)
    }

    /// The same in so many steps.
    pub fn verify_within(&self, graph: &Graph, steps: u64) -> Result<TriangleCheck> {
        graph.check()?;
        let neighbors = neighbors(graph)?;
        self.check_numbers(graph, &neighbors)?;
        let needed = |vertex: u32| -> u64 {
            neighbors.row(vertex).iter().map(|&other| neighbors.row_len(other) as u64).sum()
        };
        let vertices = graph.vertices();
        let all: u64 = (0..vertices).into_par_iter().map(needed).sum();
        memory::check("verifying triangles", memory::bytes_of::<u32>(vertices.into()))?;
        if all <= steps {
            let all: Vec<u32> = (0..vertices).collect();
            self.check_vertices(graph, &neighbors, &all)?;
            return Ok(TriangleCheck::Whole);
        }
        let mut random = Random(u64::from(vertices));
        let mut drawn = Vec::new();
        let mut left = steps;
        for _ in 0..vertices {
            let vertex = random.below(vertices);
            if let Some(rest) = left.checked_sub(needed(vertex)) {
                drawn.push(vertex);
                left = rest;
            }
        }
        self.check_vertices(graph, &neighbors, &drawn)?;
        let within = self.check_wedges(&neighbors, &mut random)?;
        let vertices = drawn.len() as u32;
        Ok(TriangleCheck::Sampled { vertices, wedges: WEDGES, within })
    }

    fn check_numbers(&self, graph: &Graph, neighbors: &Csr) -> Result<()> {
        let vertices = graph.vertices();
        for (numbers, what) in [(self.counts.len(), "counts"), (self.degrees.len(), "degrees")] {
            if numbers as u64 != u64::from(vertices) {
                return wrong(format!("{numbers} {what} for {vertices} vertices"));
            }
        }
        for vertex in 0..vertices {
            let (degree, id) = (neighbors.row_len(vertex), graph.ids().id(vertex));
            let (told, count) = (self.degrees[vertex as usize], self.counts[vertex as usize]);
            if told as usize != degree {
                return wrong(format!("vertex {id} has {degree} neighbours, not {told}"));
            }
            if count > pairs(told) {
                return wrong(format!(
                    "vertex {id} is in {count} triangles, with {degree} neighbours"
                ));
            }
        }
        let sum: u128 = self.counts.iter().map(|&count| u128::from(count)).sum();
        match sum == 3 * u128::from(self.total) {
            true => Ok(()),
            false => wrong(format!("{} triangles, but vertices are in {sum}", self.total)),
        }
    }

    /// Counts the triangles of these vertices anew.
    fn check_vertices(&self, graph: &Graph, neighbors: &Csr, vertices: &[u32]) -> Result<()> {
        let threads = rayon::current_num_threads() as u64;
        let marks = u64::from(graph.vertices()).saturating_mul(threads);
        memory::check("verifying triangles", memory::bytes_of::<bool>(marks))?;
        let problem = team::run(|team| {
            let marks = Lanes::new(team.size(), Vec::new);
            let found = OnceLock::new();
            team.for_parts(vertices.len(), VERTICES_AT_ONCE, |thread, part| {
                let mut marks = marks.of(thread);
                marks.resize(neighbors.rows() as usize, false);
                for &vertex in &vertices[part] {
                    let counted = triangles_at(neighbors, vertex, &mut marks);
                    if counted != self.counts[vertex as usize] {
                        _ = found.set((vertex, counted));
                    }
                }
            });
            found.into_inner()
        });
        match problem {
            None => Ok(()),
            Some((vertex, counted)) => wrong(format!(
                "vertex {} is in {counted} triangles, not {}",
                graph.ids().id(vertex),
                self.counts[vertex as usize]
            )),
        }
    }

    /// Compares the share of closed wedges among samples with that of all; how far apart they may be.
    fn check_wedges(&self, neighbors: &Csr, random: &mut Random) -> Result<f64> {
        memory::check("sampling wedges", memory::bytes_of::<u128>(self.degrees.len() as u64))?;
        let mut ends = Vec::with_capacity(self.degrees.len());
        let mut end = 0u128;
        for &degree in &self.degrees {
            end += u128::from(pairs(degree));
            ends.push(end);
        }
        let mut closed = 0u32;
        for _ in 0..WEDGES {
            let place = (u128::from(random.next()) << 64 | u128::from(random.next())) % end;
            let row = neighbors.row(ends.partition_point(|&end| end <= place) as u32);
            let first = random.below(row.len() as u32) as usize;
            let second = random.below(row.len() as u32 - 1) as usize;
            let (a, b) = (row[first], row[second + usize::from(second >= first)]);
            closed += u32::from(neighbors.row(a).binary_search(&b).is_ok());
        }
        let within = ((2.0 / CHANCE).ln() / (2.0 * f64::from(WEDGES))).sqrt();
        let share = f64::from(closed) / f64::from(WEDGES);
        let told = 3.0 * self.total as f64 / wedges(&self.degrees) as f64;
        match (share - told).abs() <= within {
            true => Ok(within),
            false => Err(Error::Wrong(format!(
                "{share:.4} of sampled pairs of neighbours are neighbours, and {told:.4} of all are said to be"
            ))),
        }
    }
}

/// The triangles of a vertex. Marks are all false, before and after.
fn triangles_at(neighbors: &Csr, vertex: u32, marks: &mut [bool]) -> u64 {
    let row = neighbors.row(vertex);
    row.iter().for_each(|&other| marks[other as usize] = true);
    let marked = |&other: &u32| -> u64 {
        neighbors.row(other).iter().map(|&third| u64::from(marks[third as usize])).sum()
    };
    let twice: u64 = row.iter().map(marked).sum();
    row.iter().for_each(|&other| marks[other as usize] = false);
    twice / 2
}

/// Random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below another.
    fn below(&mut self, end: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u32
    }
}
