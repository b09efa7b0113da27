//! Push: the frontier looks at the edges that leave it.

use rayon::prelude::*;

use super::{frontier_size::FrontierSize, shared::SharedTree};
use crate::{
    rows::Rows,
    share::{CHUNK, Share, take_all},
};

/// Levels with at most this many edges run on the calling thread: waking another costs more.
const NARROW: u64 = 1 << 10;

/// A vertex with more edges than this is shared by several threads.
const GIANT: usize = 1 << 15;

/// How many vertices ahead to ask for memory.
const AHEAD: usize = 16;

/// For how many neighbours of a vertex to ask.
const ROW_AHEAD: usize = 16;

/// The frontier as lists of vertices, one a thread.
pub(super) struct Lists {
    shares: Vec<Share<u32>>,
    lanes: Vec<Lane>,
}

/// What one thread has found in a level. Aligned so that no two share a cache line.
#[derive(Default)]
#[repr(align(128))]
struct Lane {
    found: Vec<u32>,
    edges: u64,
}

impl Lists {
    /// Empty lists for the threads of this pool.
    pub fn new() -> Self {
        let threads = rayon::current_num_threads();
        let shares = std::iter::repeat_with(Share::default).take(threads).collect();
        Self { shares, lanes: std::iter::repeat_with(Lane::default).take(threads).collect() }
    }

    /// Makes `source` the frontier.
    pub fn start(&mut self, source: u32) {
        self.lanes.iter_mut().for_each(|lane| lane.found.clear());
        self.lanes[0].found.push(source);
        self.take_found();
    }

    /// Makes the vertices that `find` adds to each thread's list the frontier.
    pub fn fill(&mut self, find: impl Fn(&mut Vec<u32>) + Sync) {
        let lanes = self.lanes.par_iter_mut().with_max_len(1);
        lanes.for_each(|lane| find(&mut lane.found));
        self.take_found();
    }

    /// Makes what was found the frontier. Gives its size.
    fn take_found(&mut self) -> FrontierSize {
        let lists = self.lanes.iter_mut().zip(&mut self.shares);
        lists
            .map(|(lane, share)| {
                share.refill(&mut lane.found);
                let edges = std::mem::take(&mut lane.edges);
                FrontierSize { vertices: share.len() as u64, edges }
            })
            .sum()
    }

    /// Claims the vertices one edge from the frontier: they are the next one.
    pub fn push(&mut self, frontier: FrontierSize, push: Push) -> FrontierSize {
        let shares = &self.shares;
        if self.lanes.len() == 1 || frontier.edges <= NARROW {
            let lane = &mut self.lanes[0];
            take_all(shares, 0).for_each(|vertices| push.expand_all::<true>(vertices, lane));
        } else {
            let lanes = self.lanes.par_iter_mut().with_max_len(1).enumerate();
            lanes.for_each(|(index, lane)| {
                take_all(shares, index)
                    .for_each(|vertices| push.expand_all::<false>(vertices, lane));
            });
        }
        self.take_found()
    }
}

/// One level, to be pushed.
#[derive(Clone, Copy)]
pub(super) struct Push<'a> {
    pub rows: Rows<'a>,
    pub tree: SharedTree<'a>,
    /// The level that the vertices to be found will have.
    pub level: u32,
}

impl Push<'_> {
    /// Looks at the edges of the first vertices. `ALONE`: no other thread is at work.
    fn expand_all<const ALONE: bool>(&self, vertices: &[u32], lane: &mut Lane) {
        for (place, &vertex) in vertices.iter().enumerate().take(CHUNK) {
            self.look_ahead(&vertices[place..]);
            let row = self.rows.row(vertex);
            if ALONE || row.len() <= GIANT {
                self.expand::<ALONE>(vertex, row, lane);
            } else {
                self.expand_giant(vertex, row, lane);
            }
        }
    }

    /// Asks for the memory that the vertices after the first will need.
    #[inline]
    fn look_ahead(&self, vertices: &[u32]) {
        if let Some(&vertex) = vertices.get(AHEAD) {
            self.rows.prefetch_offset(vertex);
        }
        if let Some(&vertex) = vertices.get(AHEAD / 2) {
            self.rows.prefetch_row(vertex);
        }
        if let Some(&vertex) = vertices.get(2) {
            let row = self.rows.row(vertex).iter().take(ROW_AHEAD);
            row.for_each(|&target| self.tree.prefetch(target));
        }
    }

    fn expand_giant(&self, vertex: u32, row: &[u32], lane: &mut Lane) {
        let expand_part = |part| {
            let mut lane = Lane::default();
            self.expand::<false>(vertex, part, &mut lane);
            lane
        };
        let parts: Vec<Lane> = row.par_chunks(GIANT / 2).map(expand_part).collect();
        for part in parts {
            lane.found.extend(part.found);
            lane.edges += part.edges;
        }
    }

    #[inline]
    fn expand<const ALONE: bool>(&self, vertex: u32, row: &[u32], lane: &mut Lane) {
        for &target in row {
            if self.tree.is_reached(target) {
                continue;
            }
            if ALONE {
                self.tree.set(target, vertex, self.level);
            } else if !self.tree.claim(target, vertex, self.level) {
                continue;
            }
            lane.found.push(target);
            lane.edges += self.rows.degree(target);
        }
    }
}
