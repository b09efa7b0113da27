//! Local clustering coefficients on the cpu: triangles, found as [`triangles`](mod@crate::triangles) finds them.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use equipoise_graph::{Csr, Graph, memory, parallel::*};

use super::Lcc;
use crate::{
    Result, Times,
    neighbors::Neighbors,
    rows::pieces,
    team::{self, Lanes, collect},
    times::timed,
    triangles::{self, Ranked, RankedCache, TrianglesOptions},
};

/// Entries per task: one long row, or some hundred short ones.
const ENTRIES_AT_ONCE: usize = 1 << 12;
/// Rows per task where each takes little time.
const ROWS_AT_ONCE: usize = 1 << 10;

/// Finds the coefficients of a sound graph.
pub(super) fn lcc(
    graph: &Graph,
    cached_neighbors: &Neighbors,
    cached_ranked: &RankedCache,
) -> Result<Lcc> {
    if graph.is_undirected() {
        let options = TrianglesOptions::default();
        let found = triangles::on_cpu(graph, cached_neighbors, cached_ranked, &options)?;
        return Ok(Lcc::from_triangles(found));
    }
    let (neighbors, merge_time) = cached_neighbors.csr(graph)?;
    let (ranked, rank_time) = cached_ranked.get(neighbors)?;
    let vertices = u64::from(graph.vertices());
    let threads = rayon::current_num_threads() as u64;
    // A direction per edge; numbers by rank and by vertex, and degrees; marks per thread.
    let bytes = memory::bytes_of::<u32>(vertices.saturating_mul(threads.saturating_add(5)));
    let bytes = bytes.saturating_add(ranked.rows.entries());
    memory::check(format_args!("the clustering of {vertices} vertices"), bytes)?;
    let (directions, direct_time) = timed(|| directions(graph, ranked));
    let weighted = Weighted { rows: &ranked.rows, directions: &directions };
    let (closed, kernel) = timed(|| ranked.by_vertex(&weighted.closed()));
    let degrees = (0..graph.vertices()).into_par_iter().with_min_len(ROWS_AT_ONCE);
    let degrees = degrees.map(|vertex| neighbors.row_len(vertex) as u32).collect();
    let prepare = merge_time + rank_time + direct_time;
    let times = Times { prepare, kernel, ..Times::default() };
    Ok(Lcc::new(closed, degrees, neighbors.entries() / 2, times))
}

/// In how many directions, 1 or 2, the graph has each ranked edge.
fn directions(graph: &Graph, ranked: &Ranked) -> Vec<u8> {
    let rows = &ranked.rows;
    let vertex = |rank: u32| ranked.order[rank as usize];
    let leads = |from: u32, to: u32| graph.neighbors(from).binary_search(&to).is_ok();
    let mut directions = vec![0; rows.indices().len()];
    let parts = pieces(rows.offsets(), &mut directions, ROWS_AT_ONCE);
    parts.into_par_iter().for_each(|(first, piece)| {
        let mut directions = piece.iter_mut();
        for rank in (first as u32..rows.rows()).take(ROWS_AT_ONCE) {
            for (&other, count) in rows.row(rank).iter().zip(&mut directions) {
                let (a, b) = (vertex(rank), vertex(other));
                *count = u8::from(leads(a, b)) + u8::from(leads(b, a));
            }
        }
    });
    directions
}

/// Ranked edges with the number of their directions.
#[derive(Clone, Copy)]
struct Weighted<'g> {
    rows: &'g Csr,
    directions: &'g [u8],
}

impl Weighted<'_> {
    /// The number of directed edges between the neighbours of each rank.
    fn closed(self) -> Vec<u64> {
        let (rows, ranks) = (self.rows, self.rows.rows() as usize);
        let closed = team::run(|team| {
            let closed = collect(team, ranks, |_| AtomicU64::new(0));
            let counters = Lanes::new(team.size(), Counter::default);
            team.for_parts(rows.indices().len(), ENTRIES_AT_ONCE, |thread, entries| {
                let mut counter = counters.get(thread);
                // On first use by the thread itself, so that the memory is local to it.
                counter.places.resize(ranks, 0);
                // The rows that start within these entries.
                let first_row =
                    |entry: usize| rows.offsets().partition_point(|&start| start < entry as u64);
                for apex in first_row(entries.start)..first_row(entries.end).min(ranks) {
                    counter.count_at(self, apex as u32, &closed);
                }
            });
            closed
        });
        closed.into_iter().map(AtomicU64::into_inner).collect()
    }

    /// The smaller ranks of neighbours of a rank, each with the number of directions of its edge.
    fn row(&self, rank: u32) -> impl Iterator<Item = (u32, u64)> {
        let directions = &self.directions[self.rows.range(rank)];
        self.rows.row(rank).iter().zip(directions).map(|(&other, &count)| (other, count.into()))
    }
}

/// The counters of one thread.
#[derive(Default)]
struct Counter {
    /// Of the ranks in the current row, 1 plus their place in it; otherwise 0.
    places: Vec<u32>,
    /// By place in the current row: the directions of the edge, and the directed edges that triangles close at its end.
    corners: Vec<(u64, u64)>,
}

impl Counter {
    /// Credits the corners of the triangles whose last rank is `apex`, each with the directions of the opposite side.
    fn count_at(&mut self, edges: Weighted, apex: u32, closed: &[AtomicU64]) {
        let ranks = edges.rows.row(apex);
        if ranks.len() < 2 {
            return;
        }
        self.corners.clear();
        self.corners.extend(edges.row(apex).map(|(_, directions)| (directions, 0)));
        (1..).zip(ranks).for_each(|(place, &rank)| self.places[rank as usize] = place);
        let mut at_apex = 0;
        for (place, &rank) in ranks.iter().enumerate() {
            let (own, mut at_rank) = (self.corners[place].0, 0);
            for (third, opposite) in edges.row(rank) {
                if let Some(other) = (self.places[third as usize] as usize).checked_sub(1) {
                    at_apex += opposite;
                    at_rank += self.corners[other].0;
                    self.corners[other].1 += own;
                }
            }
            self.corners[place].1 += at_rank;
        }
        credit(closed, apex, at_apex);
        for (&rank, &(_, at_rank)) in ranks.iter().zip(&self.corners) {
            self.places[rank as usize] = 0;
            credit(closed, rank, at_rank);
        }
    }
}

fn credit(closed: &[AtomicU64], rank: u32, more: u64) {
    if more > 0 {
        closed[rank as usize].fetch_add(more, Relaxed);
    }
}
