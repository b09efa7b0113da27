//! Unscaled betweenness by the number of edges, with all threads at each source: level by level, each vertex adds up what its
//! neighbours have.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use equipoise_graph::{Graph, cancel::Cancel, memory, parallel::*};

use super::super::{BetweennessOptions, Plan, Sums, count::PathCount};
use crate::{NONE, Result};

/// Vertices that a thread takes at once.
const VERTICES_AT_ONCE: usize = 1 << 8;

/// The sums over all sources of a plan, in an undirected graph; `None` if an `f64` cannot count the paths.
pub(super) fn sums(
    graph: &Graph,
    plan: &Plan,
    options: &BetweennessOptions,
) -> Result<Option<Sums>> {
    let vertices = graph.vertices();
    memory::check("verifying betweenness", memory::bytes_of::<[u64; 5]>(vertices.into()))?;
    let mut search = Search::new(graph);
    let mut sums = vec![0.0; vertices as usize];
    for &source in &plan.sources {
        if !search.count_paths(source) {
            return Ok(None);
        }
        search.add_dependencies(options.endpoints, &mut sums);
    }
    Ok(Some(Sums { vertices: sums, edges: None }))
}

/// The shortest paths from one source.
struct Search<'g> {
    graph: &'g Graph,
    /// The level of each vertex.
    depths: Vec<AtomicU32>,
    /// The number of paths to each vertex, and its dependency, as bits.
    counts: Vec<AtomicU64>,
    dependencies: Vec<AtomicU64>,
    /// The vertices of each level.
    levels: Vec<Vec<u32>>,
}

fn get(numbers: &[AtomicU64], vertex: u32) -> f64 {
    f64::from_bits(numbers[vertex as usize].load(Relaxed))
}

fn set(numbers: &[AtomicU64], vertex: u32, number: f64) {
    numbers[vertex as usize].store(number.to_bits(), Relaxed);
}

impl<'g> Search<'g> {
    fn new(graph: &'g Graph) -> Self {
        let zeros = || (0..graph.vertices()).into_par_iter().map(|_| AtomicU64::new(0)).collect();
        let depths = (0..graph.vertices()).into_par_iter().map(|_| AtomicU32::new(NONE)).collect();
        Self { graph, depths, counts: zeros(), dependencies: zeros(), levels: Vec::new() }
    }

    fn depth(&self, vertex: u32) -> u32 {
        self.depths[vertex as usize].load(Relaxed)
    }

    /// Counts the shortest paths to each vertex. Whether all counts are safe to divide by.
    fn count_paths(&mut self, source: u32) -> bool {
        self.depths.par_iter().for_each(|depth| depth.store(NONE, Relaxed));
        self.depths[source as usize].store(0, Relaxed);
        set(&self.counts, source, 1.0);
        self.levels = vec![vec![source]];
        let cancel = Cancel::current();
        loop {
            cancel.poll();
            let depth = self.levels.len() as u32;
            let next = self.reach(depth);
            if next.is_empty() {
                return true;
            }
            let is_safe = |&vertex: &u32| {
                let before = |other: &&u32| self.depth(**other) == depth - 1;
                let paths = self.graph.neighbors(vertex).iter().filter(before);
                let count: f64 = paths.map(|&other| get(&self.counts, other)).sum();
                set(&self.counts, vertex, count);
                count.is_safe()
            };
            if !next.par_iter().with_min_len(VERTICES_AT_ONCE).map(is_safe).all(|safe| safe) {
                return false;
            }
            self.levels.push(next);
        }
    }

    /// The unreached neighbours of the last level, whose depth is `depth` from now on.
    fn reach(&self, depth: u32) -> Vec<u32> {
        let last = &self.levels[depth as usize - 1];
        let reach = |vertices: &[u32]| -> Vec<u32> {
            let others = vertices.iter().flat_map(|&vertex| self.graph.neighbors(vertex));
            let is_new = |other: &u32| {
                let at = &self.depths[*other as usize];
                at.load(Relaxed) == NONE
                    && at.compare_exchange(NONE, depth, Relaxed, Relaxed).is_ok()
            };
            others.copied().filter(is_new).collect()
        };
        let parts: Vec<Vec<u32>> = last.par_chunks(VERTICES_AT_ONCE).map(reach).collect();
        parts.concat()
    }

    fn add_dependencies(&self, endpoints: bool, sums: &mut [f64]) {
        for vertices in self.levels[1..].iter().rev() {
            vertices.par_iter().with_min_len(VERTICES_AT_ONCE).for_each(|&vertex| {
                let depth = self.depth(vertex) + 1;
                let after = |other: &&u32| self.depth(**other) == depth;
                let paths = self.graph.neighbors(vertex).iter().filter(after);
                let share = |&other: &u32| {
                    (1.0 + get(&self.dependencies, other)) / get(&self.counts, other)
                };
                let shares: f64 = paths.map(share).sum();
                set(&self.dependencies, vertex, shares * get(&self.counts, vertex));
            });
        }
        let mut others = 0;
        for &vertex in self.levels[1..].iter().flatten() {
            others += 1;
            sums[vertex as usize] +=
                get(&self.dependencies, vertex) + f64::from(u8::from(endpoints));
        }
        if endpoints {
            sums[self.levels[0][0] as usize] += f64::from(others);
        }
    }
}
