//! Pull: vertices that are not yet reached look at the edges that enter them.

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

/// Words of the bitmaps that a thread takes at a time.
const CHUNK: usize = 32;

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
    lanes: Lanes<Lane>,
}

/// What one thread has found in a level.
#[derive(Clone, Copy, Default)]
struct Lane {
    found: FrontierSize,
    /// How many edges it looked at.
    looked: u64,
}

/// One level, to be pulled.
#[derive(Clone, Copy)]
pub(super) struct Pull<'a> {
    /// The rows of the transpose.
    pub entering: Rows<'a>,
    pub leaving: Rows<'a>,
    pub tree: SharedTree<'a>,
    /// The level that the vertices to be found will have.
    pub level: u32,
}

impl Bitmaps {
    pub fn new(team: &Team, vertices: u32) -> Self {
        let new = || Bitmap::new(team, vertices);
        let lanes = Lanes::new(team.size(), Lane::default);
        Self { reached: new(), frontier: new(), next: new(), lanes }
    }

    /// Reads from the tree who is reached and who, at `level`, is the frontier.
    pub fn fill(&mut self, team: &Team, tree: SharedTree, level: u32) {
        let fill_word = |(word, levels): (usize, &[AtomicU32])| {
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
        };
        team.for_parts(self.reached.len(), CHUNK, |_, words| {
            let levels = &tree.levels[words.start * 64..tree.levels.len().min(words.end * 64)];
            words.zip(levels.chunks(64)).for_each(fill_word);
        });
    }

    /// Reaches the vertices one edge from the frontier. Gives them, and how many edges were looked
    /// at.
    pub fn pull(&mut self, team: &Team, pull: Pull) -> (FrontierSize, u64) {
        let lanes = &self.lanes;
        team.for_parts(self.reached.len(), CHUNK, |index, words| {
            let mut lane = lanes.of(index);
            *lane = self.pull_words(pull, words, *lane);
        });
        std::mem::swap(&mut self.frontier, &mut self.next);
        self.lanes.iter_mut().map(std::mem::take).fold((FrontierSize::default(), 0), |sum, lane| {
            (sum.0 + lane.found, sum.1 + lane.looked)
        })
    }

    /// Does that for the vertices of `words`.
    fn pull_words(&self, pull: Pull, words: Range<usize>, mut lane: Lane) -> Lane {
        let Pull { entering, leaving, tree, level } = pull;
        let last = entering.vertices() - 1;
        for word in words {
            let reached = self.reached.word(word);
            let mut fresh = 0;
            for place in ones(!reached) {
                let vertex = word as u32 * 64 + place;
                entering.prefetch_row((vertex + AHEAD).min(last));
                let row = entering.row(vertex);
                match row.iter().position(|&other| self.frontier.contains(other)) {
                    Some(edge) => {
                        lane.looked += edge as u64 + 1;
                        tree.set(vertex, row[edge], level);
                        lane.found.add(leaving.degree(vertex));
                        fresh |= 1 << place;
                    }
                    None => lane.looked += row.len() as u64,
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
                let places = ones(self.frontier.word(word));
                list.extend(places.map(|place| word as u32 * 64 + place));
            }
        });
    }
}
