//! One level from unreached vertices.

use std::ops::AddAssign;

use equipoise_graph::Csr;
use rayon::prelude::*;

use crate::{DistGraph, bitmap};

/// The words of a set that a thread takes at once.
const WORDS_AT_ONCE: usize = 1 << 6;

/// The result of a level.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    /// Vertices.
    pub vertices: u64,
    /// The edges that leave them.
    pub edges: u64,
    /// The edges examined to find them.
    pub looked: u64,
}

impl AddAssign for Found {
    fn add_assign(&mut self, other: Self) {
        self.vertices += other.vertices;
        self.edges += other.edges;
        self.looked += other.looked;
    }
}

/// A level to pull.
pub(super) struct Pull<'a> {
    /// The graph.
    pub leaving: &'a DistGraph,
    /// The graph with its edges reversed.
    pub entering: &'a DistGraph,
    /// The local vertices of `entering` in the frontier.
    pub frontier: &'a [u64],
    /// The source of the edge to examine first, per owned vertex.
    pub hubs: &'a [u32],
    /// The level of the vertices to find.
    pub level: u32,
}

/// The state of some owned vertices, from a word boundary of sets on.
pub(super) struct Known<'a> {
    pub levels: &'a mut [u32],
    pub parents: &'a mut [u64],
    /// Unreached ones with an entering edge.
    pub open: &'a mut [u64],
    /// Those that this level finds.
    pub found: &'a mut [u64],
}

impl Pull<'_> {
    /// Finds the next level; `known` are all owned vertices.
    pub fn run(&self, known: Known) -> Found {
        if rayon::current_num_threads() == 1 {
            return self.part(0, known);
        }
        let vertices = WORDS_AT_ONCE * 64;
        let words =
            known.open.par_chunks_mut(WORDS_AT_ONCE).zip(known.found.par_chunks_mut(WORDS_AT_ONCE));
        let labels =
            known.levels.par_chunks_mut(vertices).zip(known.parents.par_chunks_mut(vertices));
        let parts =
            words.zip(labels).enumerate().map(|(part, ((open, found), (levels, parents)))| {
                self.part(part * vertices, Known { levels, parents, open, found })
            });
        parts.reduce(Found::default, |mut sum, part| {
            sum += part;
            sum
        })
    }

    /// Finds those of the vertices from `first` on.
    fn part(&self, first: usize, known: Known) -> Found {
        let (entering, leaving) = (self.entering.local.csr(), self.leaving.local.csr());
        let mut sum = Found::default();
        for (index, open) in known.open.iter_mut().enumerate() {
            let mut found = 0;
            bitmap::for_each_in(*open, index, |vertex| {
                let Some(parent) = self.parent(entering, first as u32 + vertex, &mut sum.looked)
                else {
                    return;
                };
                found |= 1 << (vertex % 64);
                known.levels[vertex as usize] = self.level;
                known.parents[vertex as usize] = self.entering.global(parent);
                sum.edges += leaving.row_len(first as u32 + vertex) as u64;
            });
            sum.vertices += u64::from(u64::count_ones(found));
            *open &= !found;
            known.found[index] = found;
        }
        sum
    }

    /// A vertex of the frontier that has an edge to `vertex`.
    #[inline]
    fn parent(&self, entering: &Csr, vertex: u32, looked: &mut u64) -> Option<u32> {
        if let Some(&hub) = self.hubs.get(vertex as usize)
            && bitmap::contains(self.frontier, hub)
        {
            *looked += 1;
            return Some(hub);
        }
        let row = entering.row(vertex);
        let index = row.iter().position(|&source| bitmap::contains(self.frontier, source));
        *looked += index.map_or(row.len(), |index| index + 1) as u64;
        index.map(|index| row[index])
    }
}
