//! What the threads of a team share of a batch of vertices: their edges, of which a hub has more than a thread visits alone.

use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

use super::{
    around::{EDGES_AT_ONCE, pieces},
    tally::Tally,
    undirected::UndirectedGraph,
};
use crate::team::{Lanes, Team};

/// The fewest edges per thread: with fewer, a fork takes longer than it saves.
const EDGES_PER_THREAD: u64 = 1 << 10;
/// The fewest vertices per thread of which no edges are visited.
pub(super) const VERTICES_PER_THREAD: u64 = 1 << 10;
/// The work for a vertex, in edges.
const EDGES_PER_VERTEX: usize = 4;
/// The most vertices per task.
const MOST_VERTICES: usize = 1 << 6;
/// Tasks per thread, enough to keep all threads busy until the end.
const TASKS_PER_THREAD: usize = 4;

/// The threads that share the edges of some vertices, and the vertices per task.
pub(super) fn shares(
    team: &Team,
    graph: &UndirectedGraph,
    vertices: impl ExactSizeIterator<Item = u32>,
) -> (usize, usize) {
    let count = vertices.len();
    let enough = team.enough_for_all(EDGES_PER_THREAD);
    let mut work = 0;
    for vertex in vertices {
        work += (graph.neighbors.row_len(vertex) + EDGES_PER_VERTEX) as u64;
        if work >= enough {
            break;
        }
    }
    let threads = team.threads_for(work, EDGES_PER_THREAD);
    (threads, (count / (TASKS_PER_THREAD * threads)).clamp(1, MOST_VERTICES))
}

/// Vertices to visit, and the team that does.
#[derive(Clone, Copy)]
pub(super) struct Batch<'b> {
    pub team: &'b Team<'b>,
    pub graph: &'b UndirectedGraph,
    pub vertices: &'b [u32],
}

/// A tally for each thread of a team.
pub(super) struct BatchTallies(Lanes<Tally>);

impl BatchTallies {
    /// For labels below `labels`.
    pub fn new(labels: u32) -> Self {
        Self(Lanes::new(rayon::current_num_threads(), || Tally::for_keys(labels)))
    }

    /// Sums the weights around each vertex by the label of its neighbour, which is [`NONE`](crate::NONE) for those to leave out, and
    /// stores what `result` makes of the sums in `results`.
    pub fn for_each<T: Clone + Default + Send>(
        &self,
        batch: Batch,
        results: &mut Vec<T>,
        label: impl Fn(u32, u32) -> u32 + Sync,
        result: impl Fn(u32, &mut Tally) -> T + Sync,
    ) {
        let Batch { team, graph, vertices } = batch;
        results.clear();
        results.resize(vertices.len(), T::default());
        let (threads, size) = shares(team, graph, vertices.iter().copied());
        let hubs = Mutex::new(Vec::new());
        team.for_chunks(threads, results, size, |thread, first, results| {
            let mut tally = self.0.get(thread);
            for (index, slot) in (first..).zip(results) {
                let (vertex, row) = (vertices[index], graph.neighbors.range(vertices[index]));
                if row.len() > EDGES_AT_ONCE {
                    hubs.lock().unwrap_or_else(PoisonError::into_inner).push(index);
                    continue;
                }
                tally.clear(row.len());
                graph.tally(row, &mut tally, |other| label(vertex, other));
                *slot = result(vertex, &mut tally);
            }
        });
        let hubs = hubs.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !hubs.is_empty() {
            self.for_hubs(batch, hubs, results, label, result);
        }
    }

    /// The same for the vertices with the given indices, whose edges the threads share.
    fn for_hubs<T: Clone + Default + Send>(
        &self,
        Batch { team, graph, vertices }: Batch,
        mut hubs: Vec<usize>,
        results: &mut [T],
        label: impl Fn(u32, u32) -> u32 + Sync,
        result: impl Fn(u32, &mut Tally) -> T + Sync,
    ) {
        hubs.sort_unstable();
        let of_hub = |(hub, &index): (usize, &usize)| {
            let pieces = pieces(graph.neighbors.range(vertices[index]));
            pieces.map(move |edges| Piece { hub, edges, sums: Vec::new() })
        };
        let mut pieces: Vec<Piece> = hubs.iter().enumerate().flat_map(of_hub).collect();
        let threads = team.size();
        team.for_chunks(threads, &mut pieces, 1, |thread, _, pieces| {
            let mut tally = self.0.get(thread);
            for piece in pieces {
                let vertex = vertices[hubs[piece.hub]];
                tally.clear(piece.edges.len());
                graph.tally(piece.edges.clone(), &mut tally, |other| label(vertex, other));
                piece.sums = tally.sums().collect();
            }
        });
        let mut found = vec![T::default(); hubs.len()];
        team.for_chunks(threads, &mut found, 1, |thread, first, found| {
            let mut tally = self.0.get(thread);
            for (hub, slot) in (first..).zip(found) {
                merge(pieces_of(&pieces, hub), &mut tally);
                *slot = result(vertices[hubs[hub]], &mut tally);
            }
        });
        hubs.into_iter().zip(found).for_each(|(index, found)| results[index] = found);
    }
}

/// A range of the edges of a hub, and the sums of their weights by label.
struct Piece {
    hub: usize,
    edges: Range<usize>,
    sums: Vec<(u32, f64)>,
}

/// The pieces of a hub.
fn pieces_of(pieces: &[Piece], hub: usize) -> &[Piece] {
    let [start, end] = [hub, hub + 1].map(|hub| pieces.partition_point(|piece| piece.hub < hub));
    &pieces[start..end]
}

/// Adds the sums of pieces in their order, so that rounding does not depend on the number of threads.
fn merge(pieces: &[Piece], tally: &mut Tally) {
    tally.clear_for(pieces.iter().map(|piece| piece.sums.len()).max().unwrap_or(0));
    tally.add_all(pieces.iter().flat_map(|piece| piece.sums.iter().copied()));
}
