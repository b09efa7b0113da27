//! Triangles on the cpu.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use equipoise_graph::{Csr, Graph, memory};

use super::{TriangleCounts, Triangles, TrianglesOptions, TrianglesStrategy, ranked::RankedCache};
use crate::{
    Result, Times,
    neighbors::Neighbors,
    rows::Rows,
    team::{self, Lanes, collect, collect_pair},
    times::timed,
};

/// Entries per task: one long row, or some hundred short ones.
const ENTRIES_AT_ONCE: usize = 1 << 12;
/// The first ranks, which are in so many triangles that each thread has its own counters for them.
const HUBS: usize = 1 << 12;
/// A row that is this many times as long as another is searched rather than merged.
const FAR_LONGER: usize = 32;

/// The largest maximum degree at which rows are merged without ranking: ranking would take longer.
const FEW: usize = 16;
/// Vertices per task where rows are short.
const VERTICES_AT_ONCE: usize = 1 << 12;

/// Counts the triangles of a sound graph.
pub(crate) fn triangles(
    graph: &Graph,
    cached_neighbors: &Neighbors,
    cached_ranked: &RankedCache,
    options: &TrianglesOptions,
) -> Result<Triangles> {
    let (neighbors, merge_time) = cached_neighbors.csr(graph)?;
    let vertices = u64::from(graph.vertices());
    let what = format_args!("the triangles of {vertices} vertices");
    // Counts by rank and by vertex, and degrees.
    let count_bytes = memory::bytes_of::<[u32; 5]>(vertices);
    let strategy = options.strategy;
    if strategy == TrianglesStrategy::Auto && cached_neighbors.max_degree(graph)? <= FEW {
        memory::check(what, count_bytes)?;
        let (counts, kernel) = timed(|| count_unranked(neighbors));
        let times = Times { prepare: merge_time, kernel, ..Times::default() };
        return Ok(Triangles::from_counts(counts, neighbors, strategy, times));
    }
    let (ranked, rank_time) = cached_ranked.get(neighbors)?;
    let threads = rayon::current_num_threads() as u64;
    let mark_bytes = memory::bytes_of::<u32>(vertices.saturating_mul(threads));
    memory::check(what, count_bytes.saturating_add(mark_bytes))?;
    let (counts, kernel) = timed(|| count(&ranked.rows, strategy));
    let times = Times { prepare: merge_time + rank_time, kernel, ..Times::default() };
    Ok(Triangles::new(ranked.by_vertex(&into_numbers(counts)), neighbors, strategy, times))
}

fn into_numbers(counts: Vec<AtomicU64>) -> Vec<u64> {
    counts.into_iter().map(AtomicU64::into_inner).collect()
}

/// Counts triangles by merging rows, each at its largest vertex.
fn count_unranked(neighbors: &Csr) -> TriangleCounts {
    let (vertices, rows) = (neighbors.rows() as usize, Rows::from_csr(neighbors));
    team::run(|team| {
        let (counts, degrees) = collect_pair(team, vertices, |vertex| {
            (AtomicU64::new(0), rows.row(vertex as u32).len() as u32)
        });
        let total = AtomicU64::new(0);
        let add = |vertex: u32, triangles: u64| {
            if triangles > 0 {
                counts[vertex as usize].fetch_add(triangles, Relaxed);
            }
        };
        team.for_parts(vertices, VERTICES_AT_ONCE, |_, part| {
            let mut part_total = 0;
            for last in part.start as u32..part.end as u32 {
                let row = rows.row(last);
                let mut at_last = 0;
                let smaller = row.iter().take_while(|&&middle| middle < last);
                for (index, &middle) in smaller.enumerate().skip(1) {
                    let common = common(&row[..index], rows.row(middle), |first| add(first, 1));
                    add(middle, common.into());
                    at_last += u64::from(common);
                }
                add(last, at_last);
                part_total += at_last;
            }
            total.fetch_add(part_total, Relaxed);
        });
        TriangleCounts { total: total.into_inner(), counts: into_numbers(counts), degrees }
    })
}

/// Calls `visit` with each number that is in both ascending rows. Returns their count.
fn common(mut a: &[u32], mut b: &[u32], mut visit: impl FnMut(u32)) -> u32 {
    let mut common = 0;
    while let (Some(&x), Some(&y)) = (a.first(), b.first()) {
        if x == y {
            visit(x);
            common += 1;
        }
        a = &a[usize::from(x <= y)..];
        b = &b[usize::from(y <= x)..];
    }
    common
}

/// The number of triangles of each rank.
fn count(rows: &Csr, strategy: TrianglesStrategy) -> Vec<AtomicU64> {
    let ranks = rows.rows() as usize;
    team::run(|team| {
        let counts = collect(team, ranks, |_| AtomicU64::new(0));
        let mut counters =
            Lanes::new(team.size(), || Counter { strategy, marks: Vec::new(), hubs: Vec::new() });
        team.for_parts(rows.indices().len(), ENTRIES_AT_ONCE, |thread, entries| {
            let mut counter = counters.get(thread);
            counter.make_room(ranks);
            // The rows that start within these entries.
            let first_row =
                |entry: usize| rows.offsets().partition_point(|&start| start < entry as u64);
            for apex in first_row(entries.start)..first_row(entries.end).min(ranks) {
                counter.count_at(rows, apex as u32, &counts);
            }
        });
        for counter in counters.iter_mut() {
            let hubs = counts.iter().zip(&counter.hubs);
            hubs.for_each(|(count, &hub)| _ = count.fetch_add(hub, Relaxed));
        }
        counts
    })
}

/// The counters of one thread.
struct Counter {
    strategy: TrianglesStrategy,
    /// Of the ranks in the current row, 1 plus the number of triangles with them so far; otherwise 0.
    marks: Vec<u32>,
    /// The number of triangles of the first ranks.
    hubs: Vec<u64>,
}

impl Counter {
    /// Allocates on first use by the thread itself, so that the memory is local to it.
    fn make_room(&mut self, ranks: usize) {
        self.marks.resize(ranks, 0);
        self.hubs.resize(HUBS.min(ranks), 0);
    }

    /// Counts the triangles whose last rank is `apex`.
    fn count_at(&mut self, rows: &Csr, apex: u32, counts: &[AtomicU64]) {
        let row = rows.row(apex);
        if row.len() < 2 {
            return;
        }
        row.iter().for_each(|&rank| self.marks[rank as usize] = 1);
        let mut at_apex = 0;
        for (index, &rank) in row.iter().enumerate() {
            let common = self.mark_common(&row[..index], rows.row(rank));
            self.marks[rank as usize] += common;
            at_apex += u64::from(common);
        }
        self.credit(apex, at_apex, counts);
        for &rank in row {
            let triangles = std::mem::take(&mut self.marks[rank as usize]) - 1;
            self.credit(rank, triangles.into(), counts);
        }
    }

    /// Increments the mark of each rank that is in both rows. Returns their count. `marked` is the part of the current row
    /// before the rank whose row is `other`.
    fn mark_common(&mut self, marked: &[u32], other: &[u32]) -> u32 {
        match self.strategy {
            TrianglesStrategy::Merge => {
                common(marked, other, |rank| self.marks[rank as usize] += 1)
            }
            TrianglesStrategy::BinarySearch => self.search(marked, other),
            TrianglesStrategy::Auto if other.len() / FAR_LONGER > marked.len() => {
                self.search(marked, other)
            }
            TrianglesStrategy::Auto | TrianglesStrategy::Bitmap => self.look_up(other),
        }
    }

    fn search(&mut self, a: &[u32], b: &[u32]) -> u32 {
        let (short, mut long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        let mut common = 0;
        for rank in short {
            // Both rows ascend.
            long = &long[long.partition_point(|other| other < rank)..];
            if long.first() == Some(rank) {
                self.marks[*rank as usize] += 1;
                common += 1;
            }
        }
        common
    }

    fn look_up(&mut self, row: &[u32]) -> u32 {
        let mut common = 0;
        for &rank in row {
            let mark = &mut self.marks[rank as usize];
            // Without a branch, which would often be mispredicted.
            let is_marked = u32::from(*mark > 0);
            *mark += is_marked;
            common += is_marked;
        }
        common
    }

    fn credit(&mut self, rank: u32, triangles: u64, counts: &[AtomicU64]) {
        match self.hubs.get_mut(rank as usize) {
            Some(hub) => *hub += triangles,
            None if triangles > 0 => _ = counts[rank as usize].fetch_add(triangles, Relaxed),
            None => {}
        }
    }
}
