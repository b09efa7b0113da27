//! Rounds of parallel coloring, after Jones and Plassmann.
//!
//! Each vertex waits for those of its neighbours that go before it. A round colors all vertices
//! that wait for no neighbour, and counts down their neighbours, some of which are then the next round's. No two vertices of a round are neighbours, so neither the colors nor the rounds depend
//! on the threads; and all rounds together look at each edge once from each end.

use std::{
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::{Duration, Instant},
};

use equipoise_graph::{Csr, Palette, cancel};
use rayon::prelude::*;

use super::{ColorDegrees, ColorProgress, Colored};
use crate::{NONE, Step, Trace, times::timed};

/// The fewest vertices of a round worth giving to another thread.
const VERTICES_PER_TASK: usize = 16;

/// Which color a vertex gets.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Take {
    /// That of the round.
    OfRound,
    /// The smallest that no neighbour has.
    FirstFit,
}

/// A coloring in the making.
pub(super) struct Rounds<'a> {
    neighbors: &'a Csr,
    take: Take,
    /// The color of each vertex, `NONE` as long as it has none.
    colors: Vec<AtomicU32>,
    /// The round that each vertex was colored in.
    rounds: Vec<AtomicU32>,
    /// How many neighbours of each uncolored vertex go before it and are not colored yet.
    waiting: Vec<AtomicU32>,
    /// The uncolored vertices that wait for no neighbour.
    ready: Vec<u32>,
    uncolored: u64,
    steps: Vec<Step>,
    /// The edges looked at, and the time it took, since the last step.
    ordering: (u64, Duration),
}

impl<'a> Rounds<'a> {
    /// Nothing is colored yet; [`Rounds::order`] comes next.
    pub fn new(neighbors: &'a Csr, take: Take) -> Self {
        let all = |number| {
            let vertices = (0..neighbors.rows()).into_par_iter();
            vertices.map(|_| AtomicU32::new(number)).collect()
        };
        Self {
            neighbors,
            take,
            colors: all(NONE),
            rounds: all(0),
            waiting: all(0),
            ready: Vec::new(),
            uncolored: neighbors.rows().into(),
            steps: Vec::new(),
            ordering: Default::default(),
        }
    }

    /// Has each uncolored vertex wait for those uncolored neighbours that go before it:
    /// `before(neighbor, vertex)`.
    pub fn order(&mut self, before: impl Fn(u32, u32) -> bool + Sync) {
        let start = Instant::now();
        let is_uncolored = |vertex: u32| self.colors[vertex as usize].load(Relaxed) == NONE;
        let (ready, edges) = (0..self.neighbors.rows())
            .into_par_iter()
            .filter(|&vertex| is_uncolored(vertex))
            .fold(Found::default, |mut found, vertex| {
                let row = self.neighbors.row(vertex);
                let waits_for = |&&other: &&u32| before(other, vertex) && is_uncolored(other);
                let count = row.iter().filter(waits_for).count() as u32;
                self.waiting[vertex as usize].store(count, Relaxed);
                found.edges += row.len() as u64;
                if count == 0 {
                    found.ready.push(vertex);
                }
                found
            })
            .reduce(Found::default, Found::join)
            .into_parts();
        self.ready = ready;
        self.ordering = (edges, start.elapsed());
    }

    /// How many vertices the next round would color.
    pub fn ready(&self) -> usize {
        self.ready.len()
    }

    /// What happened so far, with a device that works on so many vertices at the same time.
    pub fn progress(&self, units: u64, degrees: ColorDegrees) -> ColorProgress {
        let vertices = u64::from(self.neighbors.rows());
        ColorProgress {
            iterations: self.steps.len() as u32,
            newly: self.steps.last().map_or(0, |step| step.found),
            colored: vertices - self.uncolored,
            vertices,
            units,
            degrees,
        }
    }

    /// Colors the vertices that wait for no neighbour.
    pub fn round(&mut self, strategy: &'static str) {
        cancel::poll();
        let ready = std::mem::take(&mut self.ready);
        let (found, time) = timed(|| {
            ready
                .par_iter()
                .with_min_len(VERTICES_PER_TASK)
                .fold(Found::default, |found, &vertex| self.color(vertex, found))
                .reduce(Found::default, Found::join)
        });
        let (edges, ordering) = std::mem::take(&mut self.ordering);
        self.steps.push(Step {
            frontier: self.uncolored,
            edges: edges + found.edges,
            found: ready.len() as u64,
            time: time + ordering,
            ..Step::new(self.steps.len() as u32, strategy)
        });
        self.uncolored -= ready.len() as u64;
        self.ready = found.ready;
    }

    /// Rounds until all vertices are colored.
    pub fn run(&mut self, strategy: &'static str) {
        while self.ready() > 0 {
            self.round(strategy);
        }
    }

    /// The color of each vertex, and what happened in each round.
    pub fn finish(self) -> Colored {
        let plain = |numbers: Vec<AtomicU32>| numbers.into_iter().map(AtomicU32::into_inner);
        Colored {
            colors: plain(self.colors).collect(),
            iterations: plain(self.rounds).collect(),
            trace: Trace { steps: self.steps },
        }
    }

    fn color(&self, vertex: u32, mut found: Found) -> Found {
        let row = self.neighbors.row(vertex);
        found.edges += row.len() as u64;
        found.palette.reset(row.len());
        for &other in row {
            let color = self.colors[other as usize].load(Relaxed);
            if color != NONE {
                found.palette.take(color);
            } else if self.waiting[other as usize].fetch_sub(1, Relaxed) == 1 {
                // An uncolored neighbour of a vertex that waits for no other waits for that vertex.
                found.ready.push(other);
            }
        }
        let round = self.steps.len() as u32;
        let color = match self.take {
            Take::OfRound => round,
            Take::FirstFit => found.palette.first_free(),
        };
        self.rounds[vertex as usize].store(round, Relaxed);
        self.colors[vertex as usize].store(color, Relaxed);
        found
    }
}

/// What one task found, and the palette it works with.
#[derive(Default)]
struct Found {
    ready: Vec<u32>,
    edges: u64,
    palette: Palette,
}

impl Found {
    fn join(mut self, mut other: Self) -> Self {
        if self.ready.len() < other.ready.len() {
            std::mem::swap(&mut self.ready, &mut other.ready);
        }
        self.ready.append(&mut other.ready);
        self.edges += other.edges;
        self
    }

    fn into_parts(self) -> (Vec<u32>, u64) {
        (self.ready, self.edges)
    }
}
