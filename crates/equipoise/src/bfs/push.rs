//! Push: the vertices of the frontier examine the edges that leave them.

use std::ops::Range;

use super::{frontier_size::FrontierSize, shared::SharedTree};
use crate::{
    rows::Rows,
    share::{Cursor, Shares, Taken},
    team::{Lanes, Team},
};

/// Edges per thread that are worth sharing a level.
const GRAIN: u64 = 1 << 8;

/// A vertex with more edges than this is shared by several threads.
const GIANT: usize = 1 << 14;

/// The distance of prefetching, in vertices.
const AHEAD: usize = 16;

/// The neighbours of a vertex to prefetch.
const ROW_AHEAD: usize = 16;

/// The frontier as lists of vertices, one per thread.
pub(super) struct Lists {
    shares: Shares<u32>,
    lanes: Lanes<Lane>,
}

/// The results of one thread in a level.
#[derive(Default)]
struct Lane {
    found: Vec<u32>,
    /// The edges that leave the found vertices.
    edges: u64,
    /// Vertices of the frontier with too many edges for one thread.
    giants: Vec<u32>,
}

impl Lists {
    /// Empty lists for the threads of a team.
    pub fn new(team: &Team) -> Self {
        let threads = team.size();
        Self { shares: Shares::new(threads), lanes: Lanes::new(threads, Lane::default) }
    }

    /// Makes `source` the frontier.
    pub fn start(&mut self, source: u32) {
        self.lanes.iter_mut().for_each(|lane| lane.found.clear());
        self.lanes.first_mut().found.push(source);
        self.take_found();
    }

    /// Makes the vertices that `find` finds in each part of `0..end` the frontier.
    pub fn fill(
        &mut self,
        team: &Team,
        (end, size): (usize, usize),
        find: impl Fn(Range<usize>, &mut Vec<u32>) + Sync,
    ) {
        let lanes = &self.lanes;
        team.for_parts(end, size, |index, part| find(part, &mut lanes.get(index).found));
        self.take_found();
    }

    /// Makes the found vertices the frontier. Returns its size.
    fn take_found(&mut self) -> FrontierSize {
        self.shares.refill(self.lanes.iter_mut().map(|lane| &mut lane.found));
        let edges = self.lanes.iter_mut().map(|lane| std::mem::take(&mut lane.edges)).sum();
        FrontierSize { vertices: self.shares.len() as u64, edges }
    }

    /// Claims the vertices one edge from the frontier, and makes them the frontier.
    pub fn push(&mut self, team: &Team, frontier: FrontierSize, push: Push) -> FrontierSize {
        let threads = team.threads_for(frontier.edges, GRAIN);
        self.shares.cut_for(threads);
        let Self { shares, lanes } = self;
        if threads == 1 {
            let lane = lanes.first_mut();
            shares.take_all(0).for_each(|vertices| push.expand_all::<true>(vertices, lane));
        } else {
            team.each(threads, |index| {
                let lane = &mut *lanes.get(index);
                shares
                    .take_all(index)
                    .for_each(|vertices| push.expand_all::<false>(vertices, lane));
            });
            self.push_giants(team, push);
        }
        self.take_found()
    }

    /// Pushes the remaining vertices, whose edges all threads share.
    fn push_giants(&mut self, team: &Team, push: Push) {
        let giants = self.lanes.iter_mut().flat_map(|lane| lane.giants.drain(..));
        let cut = |vertex| push.rows.row(vertex).chunks(GIANT / 4).map(move |part| (vertex, part));
        let parts: Vec<_> = giants.flat_map(cut).collect();
        if parts.is_empty() {
            return;
        }
        let (cursor, lanes) = (Cursor::new(parts.len(), 1), &self.lanes);
        team.each(team.size(), |index| {
            let lane = &mut *lanes.get(index);
            let taken = cursor.parts().flat_map(|part| &parts[part]);
            taken.for_each(|&(vertex, row)| push.expand::<false>(vertex, row, lane));
        });
    }
}

/// The inputs of pushing one level.
#[derive(Clone, Copy)]
pub(super) struct Push<'a> {
    pub rows: Rows<'a>,
    pub tree: SharedTree<'a>,
    /// The level of the vertices to be found.
    pub level: u32,
}

impl Push<'_> {
    /// Examines the edges of the taken vertices. `ALONE`: no other thread is at work.
    fn expand_all<const ALONE: bool>(&self, Taken { items, count }: Taken<u32>, lane: &mut Lane) {
        for (index, &vertex) in items[..count].iter().enumerate() {
            self.look_ahead(&items[index..]);
            let row = self.rows.row(vertex);
            if ALONE || row.len() <= GIANT {
                self.expand::<ALONE>(vertex, row, lane);
            } else {
                lane.giants.push(vertex);
            }
        }
    }

    /// Prefetches memory for the vertices after the first.
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
