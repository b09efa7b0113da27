//! Strongly connected components on the cpu.

use std::{
    cmp::Reverse,
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};

use equipoise_graph::{Csr, Graph, memory, parallel::*};

use super::{BACKWARD, BOTH, CLOSED, FORWARD, multiplier};
use crate::{
    NONE, Result, Step, Times, Trace,
    components::{Components, ComponentsStrategy},
    times::{Clock, timed, times_of_steps},
};

/// Vertices per task of a thread.
const VERTICES_AT_ONCE: usize = 1 << 10;
/// The size from which on a frontier is processed in parallel.
const SHARED_FRONTIER: usize = 1 << 9;
/// Vertices of a frontier per task.
const FRONTIER_AT_ONCE: usize = 1 << 6;

/// Finds the strongly connected components of a sound graph.
pub(in crate::components) fn components(graph: &Graph) -> Result<Components> {
    let (transpose, prepare) = timed(|| graph.transpose());
    let (vertices, entering) = (graph.vertices(), transpose?.csr());
    // Labels, colors of this round and of the last, iterations, and lists of vertices: the open ones before and after,
    // two frontiers with room to grow, and pieces of one.
    let bytes = memory::bytes_of::<[u32; 12]>(vertices.into());
    memory::check(format_args!("the strongly connected components of {vertices} vertices"), bytes)?;
    let ((labels, steps), run) = timed(|| {
        let mut run = StrongRun::new(graph.csr(), entering);
        run.trim();
        run.forward_backward();
        run.color();
        (smallest_labels(run.labels), run.steps)
    });
    let times = Times { prepare, ..times_of_steps(&steps, run) };
    Ok(Components::new(labels, ComponentsStrategy::ForwardBackward, Trace { steps }, times))
}

/// The state of the algorithm.
struct StrongRun<'g> {
    leaving: &'g Csr,
    entering: &'g Csr,
    /// For each vertex some vertex of its component, `NONE` while that is unknown.
    labels: Vec<AtomicU32>,
    /// The vertices without a known component.
    open: Vec<u32>,
    /// For each open vertex a part of the graph that contains its whole component.
    parts: Vec<AtomicU32>,
    steps: Vec<Step>,
    clock: Clock,
}

impl<'g> StrongRun<'g> {
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

    /// Removes the closed vertices from `open`.
    fn remove_closed(&mut self) {
        let open = std::mem::take(&mut self.open);
        self.open = open.into_par_iter().filter(|&vertex| self.is_open(vertex)).collect();
    }

    /// Records a step that began with `frontier` open vertices.
    fn end_step(&mut self, name: &'static str, frontier: usize, edges: u64, sub_steps: u32) {
        let (index, frontier) = (self.steps.len() as u32, frontier as u64);
        let (found, time) = (frontier - self.open.len() as u64, self.clock.lap());
        self.steps.push(Step { frontier, edges, found, sub_steps, time, ..Step::new(index, name) });
    }

    /// Repeatedly removes vertices without incoming edges, then vertices without outgoing edges.
    fn trim(&mut self) {
        let (frontier, mut edges) = (self.open.len(), 0);
        let degrees: Vec<_> =
            (0..self.leaving.rows()).into_par_iter().map(|_| AtomicU64::new(0)).collect();
        for (ahead, behind) in [(self.leaving, self.entering), (self.entering, self.leaving)] {
            let is_first = |&vertex: &u32| {
                let degree = degree_without_loops(behind, vertex);
                degrees[vertex as usize].store(degree, Relaxed);
                degree == 0
            };
            let open = self.open.par_iter().with_min_len(VERTICES_AT_ONCE).copied();
            let first: Vec<u32> = open.filter(is_first).collect();
            first.par_iter().for_each(|&vertex| self.close(vertex, vertex));
            edges += spread(ahead, first, |_, target, _| {
                // Exactly one thread removes the last edge.
                let is_last = degrees[target as usize].fetch_sub(1, Relaxed) == 1;
                let is_next = is_last && self.is_open(target);
                if is_next {
                    self.close(target, target);
                }
                is_next
            });
            self.remove_closed();
        }
        self.end_step("trim", frontier, edges, 1);
    }

    /// Finds the component of the vertex with the largest product of in-degree and out-degree.
    fn forward_backward(&mut self) {
        let degree_product = |&vertex: &u32| {
            let (enter, leave) = (self.entering.row_len(vertex), self.leaving.row_len(vertex));
            (enter as u128 * leave as u128, Reverse(vertex))
        };
        let pivot = self.open.par_iter().copied().max_by_key(degree_product);
        let Some(pivot) = pivot else { return };
        let frontier = self.open.len();
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
        self.remove_closed();
        self.end_step("forward-backward", frontier, edges, 1);
    }

    /// Finds all other components.
    fn color(&mut self) {
        if self.open.is_empty() {
            return;
        }
        let (frontier, mut edges, mut rounds) = (self.open.len(), 0, 0);
        let [mut colors, listed] = [0, 0].map(|zero| filled(self.leaving.rows(), zero));
        while !self.open.is_empty() {
            edges += self.color_round(&colors, &listed, multiplier(rounds));
            std::mem::swap(&mut colors, &mut self.parts);
            self.remove_closed();
            rounds += 1;
        }
        self.end_step("coloring", frontier, edges, rounds);
    }

    /// Propagates colors between open vertices, and closes the vertices that reach the origin of their color. `listed` is
    /// the last iteration in which a vertex changed its color. Returns the number of edges visited.
    fn color_round(&self, colors: &[AtomicU32], listed: &[AtomicU32], multiplier: u32) -> u64 {
        let color = |vertex: u32| &colors[vertex as usize];
        let part = |vertex: u32| self.parts[vertex as usize].load(Relaxed);
        let first_color = |vertex: u32| vertex.wrapping_mul(multiplier);
        let open = || self.open.par_iter().with_min_len(VERTICES_AT_ONCE).copied();
        open().for_each(|vertex| {
            color(vertex).store(first_color(vertex), Relaxed);
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
        let is_root = |&vertex: &u32| color(vertex).load(Relaxed) == first_color(vertex);
        let roots: Vec<u32> = open().filter(is_root).collect();
        roots.par_iter().for_each(|&root| self.close(root, root));
        let claimed = spread(self.entering, roots, |source, target, _| {
            let root = self.labels[source as usize].load(Relaxed);
            let label = &self.labels[target as usize];
            color(target).load(Relaxed) == first_color(root)
                && label.compare_exchange(NONE, root, Relaxed, Relaxed).is_ok()
        });
        offered + claimed
    }
}

/// Advances a frontier until it is empty. `visit(source, target, iteration)` is called for every edge of the frontier,
/// with iterations counted from 1; targets for which it returns true are the next frontier. Returns the number of edges.
fn spread(rows: &Csr, mut frontier: Vec<u32>, visit: impl Fn(u32, u32, u32) -> bool + Sync) -> u64 {
    let (mut edges, mut iteration, mut next) = (0, 1, Vec::new());
    while !frontier.is_empty() {
        let visit = &visit;
        let targets = |&source: &u32| {
            let row = rows.row(source).iter().copied();
            row.filter(move |&target| visit(source, target, iteration))
        };
        if frontier.len() < SHARED_FRONTIER {
            edges += frontier.iter().map(|&vertex| rows.row_len(vertex) as u64).sum::<u64>();
            next.extend(frontier.iter().flat_map(targets));
        } else {
            edges += frontier.par_iter().map(|&vertex| rows.row_len(vertex) as u64).sum::<u64>();
            let pieces = frontier.par_chunks(FRONTIER_AT_ONCE);
            next.par_extend(pieces.flat_map_iter(|piece| piece.iter().flat_map(targets)));
        }
        std::mem::swap(&mut frontier, &mut next);
        next.clear();
        iteration += 1;
    }
    edges
}

fn degree_without_loops(rows: &Csr, vertex: u32) -> u64 {
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

/// Replaces labels by the smallest vertices with the same labels.
fn smallest_labels(labels: Vec<AtomicU32>) -> Vec<u32> {
    let smallest = filled(labels.len() as u32, NONE);
    let label_of = |vertex: u32| labels[vertex as usize].load(Relaxed) as usize;
    let vertices = || (0..labels.len() as u32).into_par_iter().with_min_len(VERTICES_AT_ONCE);
    vertices().for_each(|vertex| {
        let smallest = &smallest[label_of(vertex)];
        if vertex < smallest.load(Relaxed) {
            smallest.fetch_min(vertex, Relaxed);
        }
    });
    vertices().map(|vertex| smallest[label_of(vertex)].load(Relaxed)).collect()
}
