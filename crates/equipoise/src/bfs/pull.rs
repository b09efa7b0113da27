//! Pull: unreached vertices examine the edges that enter them.

use std::{
    ops::Range,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use super::{
    bitmap::{Bitmap, ones},
    frontier_size::FrontierSize,
    push::Lists,
    shared::SharedTree,
};
use crate::{
    NONE,
    rows::Rows,
    team::{Lanes, Team},
};

/// Words of the bitmaps per task of a thread.
const CHUNK: usize = 32;

/// The distance of prefetching, in vertices.
const AHEAD: u32 = 16;

/// The state of pulling in addition to the tree.
pub(super) struct Bitmaps {
    /// The reached vertices, including the frontier, and those that no edge enters.
    reached: Bitmap,
    /// The vertices of the last level.
    frontier: Bitmap,
    /// The vertices of the next level.
    next: Bitmap,
    lanes: Lanes<Lane>,
}

/// The counts of one thread in a level.
#[derive(Clone, Copy, Default)]
struct Lane {
    found: FrontierSize,
    /// The number of edges that it examined.
    examined: u64,
}

/// The inputs of pulling one level.
#[derive(Clone, Copy)]
pub(super) struct Pull<'a> {
    /// The rows of the transpose.
    pub entering: Rows<'a>,
    pub leaving: Rows<'a>,
    pub tree: SharedTree<'a>,
    /// The level of the vertices to be found.
    pub level: u32,
}

impl Bitmaps {
    pub fn new(team: &Team, vertices: u32) -> Self {
        let new = || Bitmap::new(team, vertices);
        let lanes = Lanes::new(team.size(), Lane::default);
        Self { reached: new(), frontier: new(), next: new(), lanes }
    }

    /// Fills the bitmaps from the tree and the rows of the transpose, with the vertices at `level` as the frontier.
    pub fn fill(&mut self, team: &Team, tree: SharedTree, entering: Rows, level: u32) {
        let fill_word = |(word, levels): (usize, &[AtomicU32])| {
            let (mut reached, mut frontier) = (0, 0);
            for (vertex, cell) in (word as u32 * 64..).zip(levels) {
                let vertex_level = cell.load(Relaxed);
                let is_done = (vertex_level != NONE) | (entering.degree(vertex) == 0);
                reached |= u64::from(is_done) << (vertex % 64);
                frontier |= u64::from(vertex_level == level) << (vertex % 64);
            }
            // Bits past the last vertex count as reached, so that they are skipped.
            let past = u64::MAX.unbounded_shl(levels.len() as u32);
            self.reached.set_word(word, reached | past);
            self.frontier.set_word(word, frontier);
        };
        team.for_parts(self.reached.len(), CHUNK, |_, words| {
            let levels = &tree.levels[words.start * 64..tree.levels.len().min(words.end * 64)];
            words.zip(levels.chunks(64)).for_each(fill_word);
        });
    }

    /// Reaches the vertices one edge from the frontier. Returns their counts, and the number of edges examined.
    pub fn pull(&mut self, team: &Team, pull: Pull) -> (FrontierSize, u64) {
        let lanes = &self.lanes;
        team.for_parts(self.reached.len(), CHUNK, |index, words| {
            let mut lane = lanes.get(index);
            *lane = self.pull_words(pull, words, *lane);
        });
        std::mem::swap(&mut self.frontier, &mut self.next);
        self.lanes.iter_mut().map(std::mem::take).fold((FrontierSize::default(), 0), |sum, lane| {
            (sum.0 + lane.found, sum.1 + lane.examined)
        })
    }

    fn pull_words(&self, pull: Pull, words: Range<usize>, mut lane: Lane) -> Lane {
        let Pull { entering, leaving, tree, level } = pull;
        let last = entering.vertices() - 1;
        for word in words {
            let reached = self.reached.word(word);
            let mut fresh = 0;
            for bit in ones(!reached) {
                let vertex = word as u32 * 64 + bit;
                entering.prefetch_row((vertex + AHEAD).min(last));
                let row = entering.row(vertex);
                match row.iter().position(|&other| self.frontier.contains(other)) {
                    Some(edge) => {
                        lane.examined += edge as u64 + 1;
                        tree.set(vertex, row[edge], level);
                        lane.found.add(leaving.degree(vertex));
                        fresh |= 1 << bit;
                    }
                    None => lane.examined += row.len() as u64,
                }
            }
            self.next.set_word(word, fresh);
            self.reached.set_word(word, reached | fresh);
        }
        lane
    }

    /// Writes the frontier to `lists`.
    pub fn list(&self, team: &Team, lists: &mut Lists) {
        lists.fill(team, (self.frontier.len(), CHUNK), |words, list| {
            for word in words {
                let bits = ones(self.frontier.word(word));
                list.extend(bits.map(|bit| word as u32 * 64 + bit));
            }
        });
    }
}
