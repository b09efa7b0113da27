//! Pull: vertices that are not yet reached look at the edges that enter them.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use super::{
    bitmap::{Bitmap, ones},
    frontier_size::FrontierSize,
    push::Lists,
    shared::SharedTree,
};
use crate::{NONE, rows::Rows};

/// Words of the bitmaps that a thread takes at a time.
const CHUNK: usize = 16;

/// How many vertices ahead to ask for memory.
const AHEAD: u32 = 16;

/// The state that pulling needs beside the tree.
pub(super) struct Bitmaps {
    /// The vertices that are reached, the frontier included.
    reached: Bitmap,
    /// The vertices reached last.
    frontier: Bitmap,
    /// The vertices that are being reached.
    next: Bitmap,
}

impl Bitmaps {
    pub fn new(vertices: u32) -> Self {
        let new = || Bitmap::new(vertices);
        Self { reached: new(), frontier: new(), next: new() }
    }

    /// Reads from the tree who is reached and who, at `level`, is the frontier.
    pub fn fill(&mut self, tree: SharedTree, level: u32) {
        tree.levels.par_chunks(64).with_min_len(CHUNK).enumerate().for_each(|(word, levels)| {
            let (mut reached, mut frontier) = (0, 0);
            for (place, cell) in levels.iter().enumerate() {
                let found = cell.load(Relaxed);
                reached |= u64::from(found != NONE) << place;
                frontier |= u64::from(found == level) << place;
            }
            // Places past the last vertex count as reached, so that they are not looked at.
            let past = u64::MAX.unbounded_shl(levels.len() as u32);
            self.reached.set_word(word, reached | past);
            self.frontier.set_word(word, frontier);
        });
    }

    /// Reaches the vertices one edge from the frontier, over the transpose's rows `entering`.
    /// Gives them, and how many edges were looked at.
    pub fn pull(
        &mut self,
        entering: Rows,
        leaving: Rows,
        tree: SharedTree,
        level: u32,
    ) -> (FrontierSize, u64) {
        let last = entering.vertices() - 1;
        let total = (0..self.reached.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .fold(
                || (FrontierSize::default(), 0),
                |(mut found, mut looked), word| {
                    let mut fresh = 0;
                    for place in ones(!self.reached.word(word)) {
                        let vertex = word as u32 * 64 + place;
                        entering.prefetch_row((vertex + AHEAD).min(last));
                        let row = entering.row(vertex);
                        match row.iter().position(|&other| self.frontier.contains(other)) {
                            Some(edge) => {
                                looked += edge as u64 + 1;
                                tree.set(vertex, row[edge], level);
                                found.add(leaving.degree(vertex));
                                fresh |= 1 << place;
                            }
                            None => looked += row.len() as u64,
                        }
                    }
                    self.next.set_word(word, fresh);
                    self.reached.set_word(word, self.reached.word(word) | fresh);
                    (found, looked)
                },
            )
            .reduce(|| (FrontierSize::default(), 0), |a, b| (a.0 + b.0, a.1 + b.1));
        std::mem::swap(&mut self.frontier, &mut self.next);
        total
    }

    /// Writes the frontier to `lists`.
    pub fn list(&self, lists: &mut Lists) {
        let next = AtomicUsize::new(0);
        lists.fill(|list| {
            loop {
                let start = next.fetch_add(CHUNK, Relaxed);
                if start >= self.frontier.len() {
                    return;
                }
                for word in start..self.frontier.len().min(start + CHUNK) {
                    list.extend(
                        ones(self.frontier.word(word)).map(|place| word as u32 * 64 + place),
                    );
                }
            }
        });
    }
}
