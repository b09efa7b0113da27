//! CDLP on the cpu: each thread counts the labels around a vertex in an array with one counter per label.

use std::{
    mem,
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};

use equipoise_graph::{Csr, Graph, memory};

use super::{Cdlp, CdlpOptions};
use crate::{
    Result, Step, Times, Trace,
    neighbors::{EdgeCounts, Neighbors},
    team::{self, Lanes, Team, collect},
    times::{Clock, timed},
};

/// Entries per task: one long row, or some hundred short ones.
const ENTRIES_AT_ONCE: usize = 1 << 13;

/// Propagates the labels of a sound graph.
pub(super) fn cdlp(
    graph: &Graph,
    cached_neighbors: &Neighbors,
    cached_counts: &EdgeCounts,
    options: &CdlpOptions,
) -> Result<Cdlp> {
    let (neighbors, merge_time) = cached_neighbors.csr(graph)?;
    let (counts, count_time) = cached_counts.get(graph, neighbors)?;
    let vertices = u64::from(graph.vertices());
    let threads = rayon::current_num_threads() as u64;
    // Two labels per vertex, and the size of each label; a counter per vertex and thread.
    let words = vertices.saturating_mul(threads.saturating_add(3));
    let what = format_args!("propagating the labels of {vertices} vertices");
    memory::check(what, memory::bytes_of::<u32>(words))?;
    let around = Around { neighbors, counts };
    let ((labels, steps), kernel) = timed(|| team::run(|team| around.propagate(team, options)));
    let times = Times { prepare: merge_time + count_time, kernel, ..Times::default() };
    Ok(Cdlp::new(labels, Trace { steps }, times))
}

/// The neighbours of each vertex, and the number of edges to each; without, one.
#[derive(Clone, Copy)]
struct Around<'g> {
    neighbors: &'g Csr,
    counts: Option<&'g [u32]>,
}

impl Around<'_> {
    fn propagate(self, team: &Team, options: &CdlpOptions) -> (Vec<u32>, Vec<Step>) {
        let vertices = self.neighbors.rows() as usize;
        let own = || collect(team, vertices, |vertex| AtomicU32::new(vertex as u32));
        let (mut labels, mut next) = (own(), own());
        let tallies = Lanes::new(team.size(), Vec::new);
        let (mut steps, mut clock) = (Vec::new(), Clock::start());
        for index in 0..options.max_iterations {
            let found = self.iterate(team, &tallies, &labels, &next);
            mem::swap(&mut labels, &mut next);
            let (frontier, edges) = (vertices as u64, self.neighbors.entries());
            let step = Step::new(index, "label-propagation");
            steps.push(Step { frontier, edges, found, time: clock.lap(), ..step });
            if found == 0 {
                break;
            }
        }
        (labels.into_iter().map(AtomicU32::into_inner).collect(), steps)
    }

    /// Writes the next label of each vertex with neighbours. Returns the number of changed labels.
    fn iterate(
        self,
        team: &Team,
        tallies: &Lanes<Vec<u32>>,
        labels: &[AtomicU32],
        next: &[AtomicU32],
    ) -> u64 {
        let changed = AtomicU64::new(0);
        let (offsets, entries) = (self.neighbors.offsets(), self.neighbors.indices().len());
        team.for_parts(entries, ENTRIES_AT_ONCE, |thread, part| {
            let mut tally = tallies.get(thread);
            // On first use by the thread itself, so that the memory is local to it.
            tally.resize(labels.len(), 0);
            // The rows that start within these entries; those that start behind the last one are empty.
            let first_row = |entry: usize| offsets.partition_point(|&start| start < entry as u64);
            let mut changed_here = 0;
            for vertex in first_row(part.start)..first_row(part.end).min(labels.len()) {
                let label = self.most_frequent(vertex as u32, labels, &mut tally);
                let old = labels[vertex].load(Relaxed);
                let label = label.unwrap_or(old);
                next[vertex].store(label, Relaxed);
                changed_here += u64::from(label != old);
            }
            changed.fetch_add(changed_here, Relaxed);
        });
        changed.into_inner()
    }

    /// The most frequent label around a vertex, the smallest of several; `None` without neighbours. All counters of the tally
    /// are 0, before and after.
    fn most_frequent(self, vertex: u32, labels: &[AtomicU32], tally: &mut [u32]) -> Option<u32> {
        let (range, row) = (self.neighbors.range(vertex), self.neighbors.row(vertex));
        let label_of = |neighbour: &u32| labels[*neighbour as usize].load(Relaxed);
        let mut best = None;
        let mut most = 0;
        for (edge, neighbour) in range.zip(row) {
            let label = label_of(neighbour);
            let count = &mut tally[label as usize];
            *count += self.counts.map_or(1, |counts| counts[edge]);
            // A count is final when its last edge is added, so the best of all counts so far is the best in the end.
            if *count > most || (*count == most && best.is_none_or(|best| label < best)) {
                (best, most) = (Some(label), *count);
            }
        }
        row.iter().for_each(|neighbour| tally[label_of(neighbour) as usize] = 0);
        best
    }
}
