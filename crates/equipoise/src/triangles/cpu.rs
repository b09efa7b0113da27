//! Triangles on the cpu.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use equipoise_graph::{Csr, Graph, memory};

use super::{Counted, Triangles, TrianglesOptions, TrianglesStrategy, ranked::KeptRanked};
use crate::{
    Result, Times,
    neighbors::Neighbors,
    rows::Rows,
    team::{self, Lanes, collect, collect_pair},
    times::timed,
};

/// Entries whose rows a thread takes at once: the longest rows are one each, the shortest some hundred.
const ENTRIES_AT_ONCE: usize = 1 << 12;
/// The first ranks, which are in so many triangles that each thread counts them on its own.
const HUBS: usize = 1 << 12;
/// A row that is so many times as long as another is searched rather than gone through.
const FAR_LONGER: usize = 32;

/// Where no vertex has more neighbours, rows are gone through as they are: to rank them would take longer.
const FEW: usize = 16;
/// Vertices with few neighbours that a thread takes at once.
const VERTICES_AT_ONCE: usize = 1 << 12;

/// Counts the triangles of a sound graph.
pub(super) fn triangles(
    graph: &Graph,
    all_neighbors: &Neighbors,
    kept: &KeptRanked,
    options: &TrianglesOptions,
) -> Result<Triangles> {
    let (neighbors, finding) = all_neighbors.of(graph)?;
    let vertices = u64::from(graph.vertices());
    let what = format_args!("the triangles of {vertices} vertices");
    // Counts by rank and by vertex, and degrees.
    let counts = memory::bytes_of::<[u32; 5]>(vertices);
    let strategy = options.strategy;
    if strategy == TrianglesStrategy::Auto && all_neighbors.max_degree(graph)? <= FEW {
        memory::check(what, counts)?;
        let (counted, kernel) = timed(|| count_unranked(neighbors));
        let times = Times { prepare: finding, kernel, ..Times::default() };
        return Ok(Triangles::of_counted(counted, neighbors, strategy, times));
    }
    let (ranked, ranking) = kept.of(neighbors)?;
    let threads = rayon::current_num_threads() as u64;
    let marks = memory::bytes_of::<u32>(vertices.saturating_mul(threads));
    memory::check(what, counts.saturating_add(marks))?;
    let (counts, kernel) = timed(|| count(&ranked.rows, strategy));
    let times = Times { prepare: finding + ranking, kernel, ..Times::default() };
    Ok(Triangles::of(ranked.by_vertex(&numbers(counts)), neighbors, strategy, times))
}

fn numbers(counts: Vec<AtomicU64>) -> Vec<u64> {
    counts.into_iter().map(AtomicU64::into_inner).collect()
}

/// The triangles, by going through rows side by side. Each is found where the vertex with the
/// largest number leads to both others.
fn count_unranked(neighbors: &Csr) -> Counted {
    let (vertices, rows) = (neighbors.rows() as usize, Rows::of_csr(neighbors));
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
            let mut of_part = 0;
            for last in part.start as u32..part.end as u32 {
                let row = rows.row(last);
                let mut found = 0;
                let smaller = row.iter().take_while(|&&middle| middle < last);
                for (place, &middle) in smaller.enumerate().skip(1) {
                    let common = common(&row[..place], rows.row(middle), |first| add(first, 1));
                    add(middle, common.into());
                    found += u64::from(common);
                }
                add(last, found);
                of_part += found;
            }
            total.fetch_add(of_part, Relaxed);
        });
        Counted { total: total.into_inner(), counts: numbers(counts), degrees }
    })
}

/// Tells of each number that is in two ascending rows; how many there are.
fn common(mut a: &[u32], mut b: &[u32], mut tell: impl FnMut(u32)) -> u32 {
    let mut common = 0;
    while let (Some(&x), Some(&y)) = (a.first(), b.first()) {
        if x == y {
            tell(x);
            common += 1;
        }
        a = &a[usize::from(x <= y)..];
        b = &b[usize::from(y <= x)..];
    }
    common
}

/// The triangles that each rank is in.
fn count(rows: &Csr, strategy: TrianglesStrategy) -> Vec<AtomicU64> {
    let ranks = rows.rows() as usize;
    team::run(|team| {
        let counts = collect(team, ranks, |_| AtomicU64::new(0));
        let mut counters =
            Lanes::new(team.size(), || Counter { strategy, marks: Vec::new(), hubs: Vec::new() });
        team.for_parts(rows.indices().len(), ENTRIES_AT_ONCE, |thread, entries| {
            let mut counter = counters.of(thread);
            counter.make_room(ranks);
            // Those that start within these entries.
            let first =
                |entry: usize| rows.offsets().partition_point(|&start| start < entry as u64);
            for apex in first(entries.start)..first(entries.end).min(ranks) {
                counter.count_at(rows, apex as u32, &counts);
            }
        });
        for counter in counters.iter_mut() {
            let own = counts.iter().zip(&counter.hubs);
            own.for_each(|(count, &hub)| _ = count.fetch_add(hub, Relaxed));
        }
        counts
    })
}

/// What a thread counts with.
struct Counter {
    strategy: TrianglesStrategy,
    /// For each rank 0, but in the row that is looked at one more than the triangles with it there.
    marks: Vec<u32>,
    /// The triangles of the first ranks.
    hubs: Vec<u64>,
}

impl Counter {
    /// The thread itself makes it, so that its memory is near; a thread that does nothing has none.
    fn make_room(&mut self, ranks: usize) {
        self.marks.resize(ranks, 0);
        self.hubs.resize(HUBS.min(ranks), 0);
    }

    /// Counts the triangles whose last rank this is.
    fn count_at(&mut self, rows: &Csr, apex: u32, counts: &[AtomicU64]) {
        let row = rows.row(apex);
        if row.len() < 2 {
            return;
        }
        row.iter().for_each(|&rank| self.marks[rank as usize] = 1);
        let mut found = 0;
        for (place, &rank) in row.iter().enumerate() {
            let common = self.mark_common(&row[..place], rows.row(rank));
            self.marks[rank as usize] += common;
            found += u64::from(common);
        }
        self.credit(apex, found, counts);
        for &rank in row {
            let triangles = std::mem::take(&mut self.marks[rank as usize]) - 1;
            self.credit(rank, triangles.into(), counts);
        }
    }

    /// Adds one to the mark of each rank that two rows have in common; how many they are. The first is the marked row
    /// up to the rank whose row the other is.
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
            // The next one is not before this one.
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
            // Without a branch, which would be guessed wrong too often.
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
