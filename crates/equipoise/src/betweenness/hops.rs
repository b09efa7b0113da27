//! A search by the number of edges: level by level forward, then backward.

use std::sync::atomic::{
    AtomicBool, AtomicU32, AtomicU64, AtomicUsize,
    Ordering::{Relaxed, SeqCst},
};

use equipoise_graph::{cancel, parallel::*};

use super::{
    count::PathCount,
    search::{PathSearch, Stop},
};
use crate::{NONE, rows::Rows};

/// The size from which on a level is processed in parallel.
const WIDE: usize = 1 << 9;
/// Vertices per task of a thread.
const VERTICES_AT_ONCE: usize = 64;

pub(super) struct HopSearch<'a, C: PathCount> {
    leaving: Rows<'a>,
    /// The transpose; `None` for an undirected graph.
    entering: Option<Rows<'a>>,
    levels: Vec<AtomicU32>,
    /// In the forward pass, the number of paths to each vertex. The backward pass replaces it by (1 + dependency) / paths:
    /// the contribution of each path to the dependencies of the vertices before.
    counts: Vec<C::Cell>,
    dependencies: Vec<AtomicU64>,
    /// The vertices reached, in the order of their levels.
    order: Vec<AtomicU32>,
    /// The start of each level in `order`, and the end of the last one.
    starts: Vec<usize>,
}

impl<'a, C: PathCount> HopSearch<'a, C> {
    pub fn new(leaving: Rows<'a>, entering: Option<Rows<'a>>) -> Self {
        let vertices = leaving.vertices() as usize;
        Self {
            leaving,
            entering,
            levels: (0..vertices).map(|_| AtomicU32::new(NONE)).collect(),
            counts: (0..vertices).map(|_| C::Cell::default()).collect(),
            dependencies: (0..vertices).map(|_| AtomicU64::default()).collect(),
            order: (0..vertices).map(|_| AtomicU32::default()).collect(),
            starts: Vec::new(),
        }
    }

    fn level(&self, vertex: u32) -> u32 {
        self.levels[vertex as usize].load(Relaxed)
    }

    fn count(&self, vertex: u32) -> C {
        C::load(&self.counts[vertex as usize])
    }

    /// Resets the search, with the source as the first level.
    fn start(&mut self, source: u32) {
        for vertex in &self.order[..self.reached()] {
            self.levels[vertex.load(Relaxed) as usize].store(NONE, Relaxed);
        }
        self.levels[source as usize].store(0, Relaxed);
        C::from(1.0).store(&self.counts[source as usize]);
        self.order[0].store(source, Relaxed);
        self.starts.clear();
        self.starts.extend([0, 1]);
    }

    /// Finds the levels, and counts the paths to each vertex. Returns whether all counts are safe.
    fn forward(&mut self) -> bool {
        let mut is_safe = true;
        for level in 0.. {
            cancel::poll();
            let [start, end] = [self.starts[level], self.starts[level + 1]];
            if start == end {
                self.starts.pop();
                break;
            }
            let (next, safe) = (AtomicUsize::new(end), AtomicBool::new(true));
            self.for_parts(start..end, |part, reached| {
                for vertex in part {
                    if !self.visit(vertex.load(Relaxed), level as u32, reached) {
                        safe.store(false, Relaxed);
                    }
                }
                let first = next.fetch_add(reached.len(), SeqCst);
                for (slot, vertex) in self.order[first..].iter().zip(reached.drain(..)) {
                    slot.store(vertex, Relaxed);
                }
            });
            is_safe &= safe.into_inner();
            self.starts.push(next.into_inner());
        }
        is_safe
    }

    /// Counts the paths to a vertex of a level, and appends vertices of the next level to `reached`. Returns whether the
    /// count is safe.
    #[inline]
    fn visit(&self, vertex: u32, level: u32, reached: &mut Vec<u32>) -> bool {
        let mut count = C::ZERO;
        // No level is before that of the source, and no vertex has the level `NONE - 1`.
        let before = level.checked_sub(1).unwrap_or(NONE - 1);
        for &neighbour in self.leaving.row(vertex) {
            let neighbour_level = self.level(neighbour);
            if neighbour_level == before && self.entering.is_none() {
                count = count.plus(self.count(neighbour));
            } else if neighbour_level == NONE {
                let cell = &self.levels[neighbour as usize];
                if cell.compare_exchange(NONE, level + 1, Relaxed, Relaxed).is_ok() {
                    reached.push(neighbour);
                }
            }
        }
        if let Some(entering) = self.entering {
            let before = entering.row(vertex).iter().filter(|&&other| self.level(other) == before);
            count = before.fold(C::ZERO, |count, &other| count.plus(self.count(other)));
        }
        if level > 0 {
            count.store(&self.counts[vertex as usize]);
        }
        count.is_safe()
    }

    /// Computes the dependencies, the farthest vertices first.
    fn backward(&self) {
        let levels = self.starts.len() - 1;
        for level in (0..levels).rev() {
            cancel::poll();
            let is_last = level + 1 == levels;
            self.for_parts(self.starts[level]..self.starts[level + 1], |part, _| {
                for vertex in part {
                    let vertex = vertex.load(Relaxed);
                    let next = level as u32 + 1;
                    let row = if is_last { &[][..] } else { self.leaving.row(vertex) };
                    let beyond = row.iter().filter(|&&other| self.level(other) == next);
                    let sum = beyond.fold(C::ZERO, |sum, &other| sum.plus(self.count(other)));
                    let paths = self.count(vertex);
                    let dependency = sum.times(paths).to_f64();
                    dependency.store(&self.dependencies[vertex as usize]);
                    C::from(1.0 + dependency).over(paths).store(&self.counts[vertex as usize]);
                }
            });
        }
    }

    /// Calls `work` with parts of `order` and an empty list, in parallel if vertices are many.
    fn for_parts(
        &self,
        range: std::ops::Range<usize>,
        work: impl Fn(&[AtomicU32], &mut Vec<u32>) + Sync,
    ) {
        let vertices = &self.order[range];
        if vertices.len() < WIDE {
            return work(vertices, &mut Vec::new());
        }
        vertices
            .par_chunks(VERTICES_AT_ONCE)
            .for_each_init(Vec::new, |list, part| work(part, list));
    }
}

impl<C: PathCount> PathSearch for HopSearch<'_, C> {
    fn run(&mut self, source: u32) -> Result<(), Stop> {
        self.start(source);
        if !self.forward() {
            return Err(Stop::TooManyPaths);
        }
        self.backward();
        Ok(())
    }

    fn reached(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    fn vertex(&self, index: usize) -> u32 {
        self.order[index].load(Relaxed)
    }

    fn dependency(&self, vertex: u32) -> f64 {
        f64::load(&self.dependencies[vertex as usize])
    }

    fn dependency_of_edge(&self, vertex: u32, _edge: usize, target: u32) -> f64 {
        if self.level(target) != self.level(vertex) + 1 {
            return 0.0;
        }
        let paths = C::from(1.0 + self.dependency(vertex)).over(self.count(vertex));
        paths.times(self.count(target)).to_f64()
    }
}
