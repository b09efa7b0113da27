//! Strongly connected components on the cpu.

use std::{
    cmp::Reverse,
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};

use equipoise_graph::{Csr, Graph, memory};
use rayon::prelude::*;

use super::{BACKWARD, BOTH, CLOSED, FORWARD, multiplier};
use crate::{
    NONE, Result, Step, Times, Trace,
    components::{Components, ComponentsStrategy},
    times::{Clock, timed},
};

/// Vertices that a thread takes at once.
const VERTICES_AT_ONCE: usize = 1 << 10;
/// The fewest vertices of a frontier that threads share.
const SHARED_FRONTIER: usize = 1 << 9;
/// Vertices of a frontier that a thread takes at once.
const FRONTIER_AT_ONCE: usize = 1 << 6;

/// Finds the strongly connected components of a sound graph.
pub(in crate::components) fn components(graph: &Graph) -> Result<Components> {
    let (transpose, prepare) = timed(|| graph.transpose());
    let (vertices, entering) = (graph.vertices(), transpose?.csr());
    // Labels, colors of this round and of the last, iterations, and lists of vertices: those that are open and were so,
    // two frontiers with room to grow, and pieces of one.
    let bytes = memory::bytes_of::<[u32; 12]>(vertices.into());
    memory::check(format_args!("the strongly connected components of {vertices} vertices"), bytes)?;
    let ((labels, steps), run) = timed(|| {
        let mut search = Search::new(graph.csr(), entering);
        search.trim();
        search.forward_backward();
        search.color();
        (smallest_labels(search.labels), search.steps)
    });
    let kernel = steps.iter().map(|step| step.time).sum();
    let overhead = run.saturating_sub(kernel);
    let times = Times { prepare, kernel, overhead, ..Times::default() };
    Ok(Components::of(labels, ComponentsStrategy::ForwardBackward, Trace { steps }, times))
}

/// A search for components.
struct Search<'g> {
    leaving: &'g Csr,
    entering: &'g Csr,
    /// For each vertex some vertex of its component, `NONE` while that is not known.
    labels: Vec<AtomicU32>,
    /// The vertices whose component is not known.
    open: Vec<u32>,
    /// The part of the graph that each open vertex is in with all of its component.
    parts: Vec<AtomicU32>,
    steps: Vec<Step>,
    clock: Clock,
}

impl<'g> Search<'g> {
    fn new(leaving: &'g Csr, entering: &'g Csr) -> Self {
        let clock = Clock::start();
        let vertices = leaving.rows();
        let (labels, parts) = (filled(vertices, NONE), filled(vertices, 0));
        let open = (0..vertices).into_par_iter().collect();
        Self { leaving, entering, labels, open, parts, steps: Vec::new(), clock }
    }

    fn is_open(&self, vertex: u32) -> bool {
        self.labels[vertex as usize].load(Relaxed) == NONE
    }

    fn close(&self, vertex: u32, label: u32) {
        self.labels[vertex as usize].store(label, Relaxed);
    }

    /// Leaves out the vertices whose component is known by now.
    fn leave_closed_out(&mut self) {
        let open = std::mem::take(&mut self.open);
        self.open = open.into_par_iter().filter(|&vertex| self.is_open(vertex)).collect();
    }

    /// Tells of a step that began with so many open vertices and has left those that are open now.
    fn end_step(&mut self, name: &'static str, began_with: usize, edges: u64, rounds: u32) {
        let (index, frontier) = (self.steps.len() as u32, began_with as u64);
        let (found, time) = (frontier - self.open.len() as u64, self.clock.lap());
        let step =
            Step { frontier, edges, found, sub_steps: rounds, time, ..Step::new(index, name) };
        self.steps.push(step);
    }

    /// Takes away what has no edges behind it, again and again, and then what has none ahead.
    fn trim(&mut self) {
        let (began_with, mut edges) = (self.open.len(), 0);
        let counts: Vec<_> =
            (0..self.leaving.rows()).into_par_iter().map(|_| AtomicU64::new(0)).collect();
        for (ahead, behind) in [(self.leaving, self.entering), (self.entering, self.leaving)] {
            let is_first = |&vertex: &u32| {
                let count = edges_of_others(behind, vertex);
                counts[vertex as usize].store(count, Relaxed);
                count == 0
            };
            let open = self.open.par_iter().with_min_len(VERTICES_AT_ONCE).copied();
            let first: Vec<u32> = open.filter(is_first).collect();
            first.par_iter().for_each(|&vertex| self.close(vertex, vertex));
            edges += spread(ahead, first, |_, target, _| {
                // One thread takes away the last edge behind a vertex.
                let is_last = counts[target as usize].fetch_sub(1, Relaxed) == 1;
                let is_next = is_last && self.is_open(target);
                if is_next {
                    self.close(target, target);
                }
                is_next
            });
            self.leave_closed_out();
        }
        self.end_step("trim", began_with, edges, 1);
    }

    /// Finds the component of the vertex that has the most ways through it.
    fn forward_backward(&mut self) {
        let ways_through = |&vertex: &u32| {
            let (enter, leave) = (self.entering.row_len(vertex), self.leaving.row_len(vertex));
            (enter as u128 * leave as u128, Reverse(vertex))
        };
        let Some(pivot) = self.open.par_iter().copied().max_by_key(ways_through) else { return };
        let began_with = self.open.len();
        let searches = filled(self.leaving.rows(), CLOSED);
        self.open.par_iter().for_each(|&vertex| searches[vertex as usize].store(0, Relaxed));
        searches[pivot as usize].store(BOTH, Relaxed);
        let reach = |rows, bit| {
            spread(rows, vec![pivot], |_, target, _| {
                let reached = &searches[target as usize];
                reached.load(Relaxed) & bit == 0 && reached.fetch_or(bit, Relaxed) & bit == 0
            })
        };
        let edges = reach(self.leaving, FORWARD) + reach(self.entering, BACKWARD);
        self.open.par_iter().with_min_len(VERTICES_AT_ONCE).for_each(|&vertex| {
            if searches[vertex as usize].load(Relaxed) == BOTH {
                self.close(vertex, pivot);
            }
        });
        self.parts = searches;
        self.leave_closed_out();
        self.end_step("forward-backward", began_with, edges, 1);
    }

    /// Finds all other components.
    fn color(&mut self) {
        if self.open.is_empty() {
            return;
        }
        let (began_with, mut edges, mut rounds) = (self.open.len(), 0, 0);
        let [mut colors, listed] = [0, 0].map(|zero| filled(self.leaving.rows(), zero));
        while !self.open.is_empty() {
            edges += self.color_round(&colors, &listed, multiplier(rounds));
            std::mem::swap(&mut colors, &mut self.parts);
            self.leave_closed_out();
            rounds += 1;
        }
        self.end_step("coloring", began_with, edges, rounds);
    }

    /// Gives the open vertices colors, and closes those that reach the vertex whose color they have. `listed` says in
    /// which iteration a vertex took a color last. How many edges were looked at.
    fn color_round(&self, colors: &[AtomicU32], listed: &[AtomicU32], multiplier: u32) -> u64 {
        let color = |vertex: u32| &colors[vertex as usize];
        let part = |vertex: u32| self.parts[vertex as usize].load(Relaxed);
        let own = |vertex: u32| vertex.wrapping_mul(multiplier);
        let open = || self.open.par_iter().with_min_len(VERTICES_AT_ONCE).copied();
        open().for_each(|vertex| {
            color(vertex).store(own(vertex), Relaxed);
            listed[vertex as usize].store(0, Relaxed);
        });
        let offered = spread(self.leaving, self.open.clone(), |source, target, iteration| {
            let offer = color(source).load(Relaxed);
            offer > color(target).load(Relaxed)
                && part(source) == part(target)
                && self.is_open(target)
                && color(target).fetch_max(offer, Relaxed) < offer
                && listed[target as usize].swap(iteration, Relaxed) != iteration
        });
        let is_root = |&vertex: &u32| color(vertex).load(Relaxed) == own(vertex);
        let roots: Vec<u32> = open().filter(is_root).collect();
        roots.par_iter().for_each(|&root| self.close(root, root));
        let claimed = spread(self.entering, roots, |source, target, _| {
            let root = self.labels[source as usize].load(Relaxed);
            let label = &self.labels[target as usize];
            color(target).load(Relaxed) == own(root)
                && label.compare_exchange(NONE, root, Relaxed, Relaxed).is_ok()
        });
        offered + claimed
    }
}

/// Calls `visit` for every edge of the vertices of a frontier: with the vertex, the other end, and the number of the
/// iteration, counted from 1. The other ends for which it says so are the next frontier, until there are none. How many
/// edges these were.
fn spread(rows: &Csr, mut frontier: Vec<u32>, visit: impl Fn(u32, u32, u32) -> bool + Sync) -> u64 {
    let (mut edges, mut iteration, mut next) = (0, 1, Vec::new());
    while !frontier.is_empty() {
        let visit = &visit;
        let found = |&source: &u32| {
            let row = rows.row(source).iter().copied();
            row.filter(move |&target| visit(source, target, iteration))
        };
        if frontier.len() < SHARED_FRONTIER {
            edges += frontier.iter().map(|&vertex| rows.row_len(vertex) as u64).sum::<u64>();
            next.extend(frontier.iter().flat_map(found));
        } else {
            edges += frontier.par_iter().map(|&vertex| rows.row_len(vertex) as u64).sum::<u64>();
            let pieces = frontier.par_chunks(FRONTIER_AT_ONCE);
            next.par_extend(pieces.flat_map_iter(|piece| piece.iter().flat_map(found)));
        }
        std::mem::swap(&mut frontier, &mut next);
        next.clear();
        iteration += 1;
    }
    edges
}

/// How many edges of a vertex are not loops.
fn edges_of_others(rows: &Csr, vertex: u32) -> u64 {
    let row = rows.row(vertex);
    let loops = match row.binary_search(&vertex) {
        Ok(_) => row.iter().filter(|&&target| target == vertex).count(),
        Err(_) => 0,
    };
    (row.len() - loops) as u64
}

fn filled(vertices: u32, value: u32) -> Vec<AtomicU32> {
    (0..vertices).into_par_iter().map(|_| AtomicU32::new(value)).collect()
}

/// For each vertex the smallest one that has the same label.
fn smallest_labels(labels: Vec<AtomicU32>) -> Vec<u32> {
    let smallest = filled(labels.len() as u32, NONE);
    let label_of = |vertex: u32| labels[vertex as usize].load(Relaxed) as usize;
    let vertices = || (0..labels.len() as u32).into_par_iter().with_min_len(VERTICES_AT_ONCE);
    vertices().for_each(|vertex| {
        let place = &smallest[label_of(vertex)];
        if vertex < place.load(Relaxed) {
            place.fetch_min(vertex, Relaxed);
        }
    });
    vertices().map(|vertex| smallest[label_of(vertex)].load(Relaxed)).collect()
}
