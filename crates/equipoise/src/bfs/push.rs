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
const NARROW: u64 = 1 << 10;

/// Vertices of the frontier that a thread takes at a time.
const CHUNK: usize = 64;

/// A vertex with more edges than this is shared by several threads.
const GIANT: usize = 1 << 15;

/// How many vertices ahead to ask for memory.
const AHEAD: usize = 16;

/// One level, to be pushed.
pub(super) struct Push<'a> {
    pub rows: Rows<'a>,
    pub tree: SharedTree<'a>,
    pub queue: &'a Queue<'a>,
    /// The level that the vertices to be found will have.
    pub level: u32,
}

impl Push<'_> {
    /// Claims the vertices one edge from the frontier, which stands at `range` of the queue, and
    /// appends them to the queue.
    pub fn run(&self, frontier: Frontier, range: Range<usize>) -> Frontier {
        let threads = rayon::current_num_threads();
        if threads == 1 || frontier.edges <= NARROW {
            return self.expand_all::<true>(range.clone(), range.end, &mut Buffer::new(self.queue));
        }
        let next = AtomicUsize::new(range.start);
        (0..range.len().div_ceil(CHUNK).min(threads))
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
                    let part = start..range.end.min(start + CHUNK);
                    found += self.expand_all::<false>(part, range.end, &mut buffer);
                }
            })
            .sum()
    }

    /// Looks at the edges of the vertices that stand at `range`; the frontier stands before `end`.
    fn expand_all<const ALONE: bool>(
        &self,
        range: Range<usize>,
        end: usize,
        buffer: &mut Buffer,
    ) -> Frontier {
        let mut found = Frontier::default();
        for place in range {
            self.look_ahead(place, end);
            let vertex = self.queue.at(place);
            let row = self.rows.row(vertex);
            if ALONE || row.len() <= GIANT {
                self.expand::<ALONE>(vertex, row, &mut found, buffer);
            } else {
                found += self.expand_giant(vertex, row);
            }
        }
        found
    }

    /// Asks for the memory that vertices behind `place` will need.
    #[inline]
    fn look_ahead(&self, place: usize, end: usize) {
        if place + AHEAD < end {
            self.rows.prefetch_offset(self.queue.at(place + AHEAD));
        }
        if place + AHEAD / 2 < end {
            self.rows.prefetch_row(self.queue.at(place + AHEAD / 2));
        }
        if place + 2 < end {
            let row = self.rows.row(self.queue.at(place + 2));
            row.iter().take(16).for_each(|&target| self.tree.prefetch(target));
        }
    }

    fn expand_giant(&self, vertex: u32, row: &[u32]) -> Frontier {
        row.par_chunks(GIANT / 2)
            .map(|part| {
                let mut found = Frontier::default();
                self.expand::<false>(vertex, part, &mut found, &mut Buffer::new(self.queue));
                found
            })
            .sum()
    }

    #[inline]
    fn expand<const ALONE: bool>(
        &self,
        vertex: u32,
        row: &[u32],
        found: &mut Frontier,
        buffer: &mut Buffer,
    ) {
        for &target in row {
            if self.tree.is_reached(target) {
                continue;
            }
            if ALONE {
                self.tree.set(target, vertex, self.level);
            } else if !self.tree.claim(target, vertex, self.level) {
                continue;
            }
            found.add(self.rows.degree(target));
            buffer.push(target);
        }
    }
}
