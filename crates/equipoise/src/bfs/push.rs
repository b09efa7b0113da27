//! Push: the frontier looks at the edges that leave it.

use std::{
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use rayon::prelude::*;

use super::{
    cpu::Frontier,
    queue::{Buffer, Queue},
    shared::SharedTree,
};
use crate::rows::Rows;

/// Levels with at most this many edges run on the calling thread: waking another costs more.
const NARROW: u64 = 1 << 12;

/// Vertices of the frontier that a thread takes at a time.
const CHUNK: usize = 64;

/// A vertex with more edges than this is shared by several threads.
const GIANT: usize = 1 << 15;

/// One level, to be pushed.
pub(super) struct Push<'a> {
    pub rows: Rows<'a>,
    pub tree: SharedTree<'a>,
    pub queue: &'a Queue,
    /// The level that the vertices to be found will have.
    pub level: u32,
}

impl Push<'_> {
    /// Claims the vertices one edge from the frontier, which stands at `range` of the queue, and
    /// appends them to the queue.
    pub fn run(&self, frontier: Frontier, range: Range<usize>) -> Frontier {
        if frontier.edges <= NARROW {
            return self.run_alone(range);
        }
        let chunks = range.len().div_ceil(CHUNK);
        let next = AtomicUsize::new(range.start);
        (0..chunks.min(rayon::current_num_threads()))
            .into_par_iter()
            .with_max_len(1)
            .map(|_| {
                let mut buffer = Buffer::new(self.queue);
                let mut found = Frontier::default();
                loop {
                    let start = next.fetch_add(CHUNK, Relaxed);
                    if start >= range.end {
                        return found;
                    }
                    for vertex in self.queue.at(start..range.end.min(start + CHUNK)) {
                        found += self.expand(vertex, &mut buffer);
                    }
                }
            })
            .sum()
    }

    fn run_alone(&self, range: Range<usize>) -> Frontier {
        let mut buffer = Buffer::new(self.queue);
        let mut found = Frontier::default();
        for vertex in self.queue.at(range) {
            for &target in self.rows.row(vertex) {
                if !self.tree.is_reached(target) {
                    self.tree.set(target, vertex, self.level);
                    found.add(self.rows.degree(target));
                    buffer.push(target);
                }
            }
        }
        found
    }

    #[inline]
    fn expand(&self, vertex: u32, buffer: &mut Buffer) -> Frontier {
        let row = self.rows.row(vertex);
        if row.len() <= GIANT {
            return self.expand_part(vertex, row, buffer);
        }
        row.par_chunks(GIANT / 2)
            .map(|part| self.expand_part(vertex, part, &mut Buffer::new(self.queue)))
            .sum()
    }

    #[inline]
    fn expand_part(&self, vertex: u32, targets: &[u32], buffer: &mut Buffer) -> Frontier {
        let mut found = Frontier::default();
        for &target in targets {
            if !self.tree.is_reached(target) && self.tree.claim(target, vertex, self.level) {
                found.add(self.rows.degree(target));
                buffer.push(target);
            }
        }
        found
    }
}
