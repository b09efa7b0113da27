//! Rounds of parallel coloring, after Jones and Plassmann.
//!
//! Each vertex waits for its neighbours of higher priority. A round colors all vertices that wait for none, and counts down
//! their neighbours; those that reach 0 are the next round. The vertices of a round are independent, so neither colors nor
//! rounds depend on the threads. All rounds together visit each edge once from each end.

use std::{
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::{Duration, Instant},
};

use equipoise_graph::{Csr, Palette, cancel, parallel::*};

use super::{ColorDegrees, ColorProgress, Colored};
use crate::{NONE, Step, Trace, times::timed};

const VERTICES_PER_TASK: usize = 16;

#[derive(Clone, Copy, PartialEq)]
pub(super) enum ColorRule {
    /// The index of the round.
    OfRound,
    /// The smallest color that no neighbour has.
    FirstFit,
}

/// A partial coloring.
pub(super) struct Rounds<'a> {
    neighbors: &'a Csr,
    rule: ColorRule,
    /// The color of each vertex, `NONE` while it is uncolored.
    colors: Vec<AtomicU32>,
    /// The round that colored each vertex.
    rounds: Vec<AtomicU32>,
    /// The number of uncolored neighbours of higher priority of each uncolored vertex.
    waiting: Vec<AtomicU32>,
    /// The uncolored vertices that wait for no neighbour.
    ready: Vec<u32>,
    uncolored: u64,
    steps: Vec<Step>,
    /// The edges visited and the time spent by [`order`](Self::order) since the last step.
    ordering: (u64, Duration),
}

impl<'a> Rounds<'a> {
    /// An empty coloring. The caller sets an order next.
    pub fn new(neighbors: &'a Csr, rule: ColorRule) -> Self {
        let all = |number| {
            let vertices = (0..neighbors.rows()).into_par_iter();
            vertices.map(|_| AtomicU32::new(number)).collect()
        };
        Self {
            neighbors,
            rule,
            colors: all(NONE),
            rounds: all(0),
            waiting: all(0),
            ready: Vec::new(),
            uncolored: neighbors.rows().into(),
            steps: Vec::new(),
            ordering: Default::default(),
        }
    }

    /// Sets the order of the uncolored vertices: a vertex waits for uncolored neighbours with `before(neighbor, vertex)`.
    pub fn order(&mut self, before: impl Fn(u32, u32) -> bool + Sync) {
        let start = Instant::now();
        let is_uncolored = |vertex: u32| self.colors[vertex as usize].load(Relaxed) == NONE;
        let uncolored = || {
            let vertices = (0..self.neighbors.rows()).into_par_iter();
            vertices.filter(|&vertex| is_uncolored(vertex))
        };
        let is_ready = |&vertex: &u32| {
            let waits_for = |&&other: &&u32| before(other, vertex) && is_uncolored(other);
            let count = self.neighbors.row(vertex).iter().filter(waits_for).count() as u32;
            self.waiting[vertex as usize].store(count, Relaxed);
            count == 0
        };
        let ready = uncolored().filter(is_ready).collect();
        let edges = uncolored().map(|vertex| self.neighbors.row_len(vertex) as u64).sum();
        self.ready = ready;
        self.ordering = (edges, start.elapsed());
    }

    /// The number of vertices that the next round will color.
    pub fn ready(&self) -> usize {
        self.ready.len()
    }

    /// The progress so far, on a device that processes `units` vertices at the same time.
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
        let ((next, edges), time) = timed(|| {
            let chunks = ready.par_chunks(VERTICES_PER_TASK);
            let next = chunks.map_init(Palette::default, |palette, chunk| {
                let mut next = Vec::new();
                chunk.iter().for_each(|&vertex| self.color(vertex, palette, &mut next));
                next
            });
            let degree = |&vertex: &u32| self.neighbors.row_len(vertex) as u64;
            (next.flat_map_iter(|next| next).collect(), ready.par_iter().map(degree).sum::<u64>())
        });
        let (order_edges, order_time) = std::mem::take(&mut self.ordering);
        self.steps.push(Step {
            frontier: self.uncolored,
            edges: order_edges + edges,
            found: ready.len() as u64,
            time: time + order_time,
            ..Step::new(self.steps.len() as u32, strategy)
        });
        self.uncolored -= ready.len() as u64;
        self.ready = next;
    }

    /// Runs rounds until all vertices are colored.
    pub fn run(&mut self, strategy: &'static str) {
        while self.ready() > 0 {
            self.round(strategy);
        }
    }

    /// The color of each vertex, and a step per round.
    pub fn finish(self) -> Colored {
        let plain = |numbers: Vec<AtomicU32>| numbers.into_iter().map(AtomicU32::into_inner);
        Colored {
            colors: plain(self.colors).collect(),
            iterations: plain(self.rounds).collect(),
            trace: Trace { steps: self.steps },
        }
    }

    /// Colors a ready vertex, and appends the neighbours that become ready to `next`.
    fn color(&self, vertex: u32, palette: &mut Palette, next: &mut Vec<u32>) {
        let row = self.neighbors.row(vertex);
        palette.reset(row.len());
        for &other in row {
            let color = self.colors[other as usize].load(Relaxed);
            if color != NONE {
                palette.take(color);
            } else if self.waiting[other as usize].fetch_sub(1, Relaxed) == 1 {
                // This vertex is ready, so each uncolored neighbour waits for it.
                next.push(other);
            }
        }
        let round = self.steps.len() as u32;
        let color = match self.rule {
            ColorRule::OfRound => round,
            ColorRule::FirstFit => palette.first_free(),
        };
        self.rounds[vertex as usize].store(round, Relaxed);
        self.colors[vertex as usize].store(color, Relaxed);
    }
}
